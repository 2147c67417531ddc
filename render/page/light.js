'use strict';
// Many bodies as light on pixels, summed as floats, then mapped to tones as in render/point_cloud.

/** @type {(hex: string) => number[]} */
const channelsOf = (hex) => [1, 3, 5].map((k) => parseInt(hex.slice(k, k + 2), 16));
/** @type {(channel: number) => number} */
const linear = (c) => (c < 0.04 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
/** @type {(c: number) => number} */
const encode = (c) => (c < 0.0031 ? 12.92 * c : 1.055 * c ** (1 / 2.4) - 0.055);
const encoded = Uint8Array.from({ length: 1025 }, (_, i) => Math.round(255 * encode(i / 1024)));
/** @type {(from: number, to: number, x: number) => number} */
const smooth = (from, to, x) => ((t) => t * t * (3 - 2 * t))(clamp((x - from) / (to - from), 0, 1));
/** @type {(sorted: Float32Array, share: number) => number} */
const percentile = (sorted, share) => sorted[Math.floor(share * (sorted.length - 1))] || 1;
const cell = 8; // pixels between the nodes of the grid on which light blooms

class Light {
  /** @param {Run} run @param {Uint8Array} kinds: indices of colours @param {number} width @param {number} height in pixels */
  constructor({ bodies, mass }, kinds, width, height) {
    this.kinds = kinds;
    const usual = percentile(Float32Array.from(mass).sort(), 0.5);
    const weights = mass.map((m) => clamp(Math.cbrt(m / usual), 0.5, 3));
    this.weight = new Float32Array(bodies).map((_, b) => weights[b] ?? 1);
    this.alpha = new Float32Array(4096); // by the square root of light, up to 8 times white
    this.shift = new Float32Array(4096); // of its colour towards white or black
    this.low = this.white = this.roots = 0; // amounts of light
    this.image = new ImageData(width, height);
    this.texels = new Float32Array(4 * width * height); // red, green, blue and amount
    this.bloom = new OffscreenCanvas(Math.ceil(width / cell) + 1, Math.ceil(height / cell) + 1);
    this.across = this.bloom.width;
    this.glow = new Float32Array(4 * this.across * this.bloom.height);
    this.blurred = this.glow.slice();
    this.places = new Uint32Array(bodies); // of bodies in texels
    const size = clamp(4.5 * (bodies / 64) ** -0.32, 0.7, 4.5); // of a body, for a height of 1071 pixels
    const sigma = Math.max(0.6, Math.min(width / 1600, (height / 1200) * 1.12) * size);
    this.taps = size > 0.7 ? 2 * Math.ceil(2.6 * sigma - 0.5) + 1 : 2;
    // Of each tap, for 16 parts of a pixel: a Gaussian, or two pixels of very many bodies.
    this.profile = new Float32Array(16 * this.taps).map((_, i) => {
      const away = (i % this.taps) - (this.taps - 1) / 2 + (7.5 - Math.floor(i / this.taps)) / 16;
      return this.taps > 2
        ? Math.exp(-0.5 * (away / sigma) ** 2) / sigma / 2.507
        : 1 - Math.abs(away);
    });
  }

  /** Adds all bodies where they are now. @param {Track} track @param {Camera} camera @param {string[]} colors */
  add({ now, bodies }, camera, colors) {
    const { texels, glow, weight, kinds, profile, taps, across, places } = this;
    const inks = colors.map((hex) => channelsOf(hex).map((c) => linear(c / 255)));
    const { width, height, view } = camera;
    const middle = (taps - 1) / 2;
    places.fill(0);
    for (let b = 0; b < bodies; ++b) {
      camera.see(now[b], now[bodies + b], now[2 * bodies + b]);
      const px = camera.x;
      const py = camera.y;
      const near = view.d / camera.depth;
      const left = Math.floor(px - middle);
      const top = Math.floor(py - middle);
      const inside = left >= 0 && top >= 0 && left + taps <= width && top + taps <= height;
      if (!(near > 0 && near < 1000 && inside)) continue;
      places[b] = 4 * (Math.floor(py) * width + Math.floor(px)) + 3;
      const light = weight[b] * Math.min(4, near * near);
      const ink = inks[kinds[b]];
      const red = ink[0];
      const green = ink[1];
      const blue = ink[2];
      const column = taps * Math.floor(16 * (px - middle - left));
      const row = taps * Math.floor(16 * (py - middle - top));
      for (let v = 0; v < taps; ++v) {
        let to = 4 * ((top + v) * width + left);
        for (let h = 0; h < taps; ++h, to += 4) {
          const w = light * profile[row + v] * profile[column + h];
          texels[to] += w * red;
          texels[to + 1] += w * green;
          texels[to + 2] += w * blue;
          texels[to + 3] += w;
        }
      }
      const to = 4 * (Math.round(py / cell) * across + Math.round(px / cell));
      glow[to] += light * red;
      glow[to + 1] += light * green;
      glow[to + 2] += light * blue;
      glow[to + 3] += light;
    }
  }

  /** Spreads the glow over about 17 pixels: binomials of neighbours, then twice of every other node. */
  spread() {
    for (let pass = 0; pass < 6; ++pass) {
      const { glow: from, blurred: to } = this;
      const s = (pass & 1 ? 4 : 4 * this.across) * (pass < 2 ? 1 : 2);
      for (let i = s; i < from.length - s; ++i)
        to[i] = (from[i - s] + 2 * from[i] + from[i + s]) / 4;
      [this.glow, this.blurred] = [to, from];
    }
  }

  /**
   * Chooses tones by the light where bodies are: about 30 % of them are fainter than `faint`.
   * @param {boolean} dark @param {number} share of this moment, among those before
   */
  expose(dark, share) {
    const count = Math.min(4096, this.places.length);
    const step = this.places.length / count;
    const found = new Float32Array(count).map(
      (_, i) => this.texels[this.places[Math.floor(i * step)]],
    );
    const sorted = found.filter((light) => light > 0).sort();
    const low = percentile(sorted, 0.3);
    const white = clamp(percentile(sorted, 0.995), 1.7 * low, 15 * low);
    const part = this.low > 0 ? share : 1;
    this.low += part * (low - this.low);
    this.white += part * (white - this.white);
    const [faint, contrast] = dark ? [0.7, 1.5] : [0.5, 1];
    /** @type {(l: number, s: number) => number} */
    const brightness = (l, s) => (Math.asinh(l / this.white / s) / Math.asinh(1 / s)) ** contrast;
    let s = 10;
    while (s > 1e-3 && brightness(this.low, s) < faint) s *= 0.99;
    for (let i = 0; i < 4096; ++i) {
      const b = clamp(brightness(8 * this.white * (i / 4096) ** 2, s), 0, 2);
      this.alpha[i] = dark ? Math.min(1, b) : 1 - (1 - Math.min(1, b)) ** 2;
      this.shift[i] = dark ? 0.9 * smooth(0.72, 1.15, b) : 0.75 * smooth(0.45, 1.2, b);
    }
  }

  /**
   * The colours of light on a ground. @param {Int32Array} pixels @param {Float32Array} lights red, green, blue and amount
   * @param {number} factor of all light @param {number[]} ground red, green, blue @param {boolean} dark
   */
  shade(pixels, lights, factor, [red, green, blue], dark) {
    const { alpha, shift } = this;
    const roots = (4096 ** 2 / (8 * this.white)) * factor;
    const empty = -0x1000000 | (blue << 16) | (green << 8) | red;
    for (let p = 0, k = 0; p < pixels.length; ++p, k += 4) {
      pixels[p] = empty;
      const amount = lights[k + 3];
      if (amount === 0) continue;
      const tone = Math.min(4095, Math.sqrt(roots * amount) | 0);
      const opaque = alpha[tone];
      const scale = (1024 * (1 - shift[tone])) / amount;
      const rest = dark ? 1024 * shift[tone] : 0; // of what bright light becomes
      const r = red + opaque * (encoded[(scale * lights[k] + rest) | 0] - red);
      const g = green + opaque * (encoded[(scale * lights[k + 1] + rest) | 0] - green);
      const b = blue + opaque * (encoded[(scale * lights[k + 2] + rest) | 0] - blue);
      pixels[p] = -0x1000000 | (b << 16) | (g << 8) | r;
    }
  }

  /**
   * Paints the light of bodies. @param {CanvasRenderingContext2D} c @param {Track} track @param {Track | null} other
   * @param {Camera} camera @param {Look} look @param {number} share: see expose()
   */
  paint(c, track, other, camera, { dark, colors, ground, second }, share) {
    const { image, texels, bloom } = this;
    camera.frame(image.width, image.height);
    texels.fill(0);
    this.glow.fill(0);
    this.add(track, camera, colors);
    this.expose(dark, share);
    if (other) this.add(other, camera, Array(colors.length).fill(second));
    this.shade(new Int32Array(image.data.buffer), texels, 1, channelsOf(ground), dark);
    c.putImageData(image, 0, 0);
    if (!dark) return;
    this.spread();
    const small = new ImageData(bloom.width, bloom.height);
    const strength = (0.45 / cell ** 2) * Math.min(1, (8192 / this.weight.length) ** 0.35);
    this.shade(new Int32Array(small.data.buffer), this.glow, strength, channelsOf(ground), dark);
    bloom.getContext('2d')?.putImageData(small, 0, 0);
    c.resetTransform();
    c.globalCompositeOperation = 'lighten';
    c.drawImage(bloom, -cell / 2, -cell / 2, cell * bloom.width, cell * bloom.height);
    c.globalCompositeOperation = 'source-over';
  }
}
