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
    this.red = this.green = this.blue = this.full = 0; // of the ground, and of bright light
    this.image = new ImageData(width, height);
    this.texels = new Float32Array(4 * width * height); // red, green, blue and amount
    this.across = Math.ceil(width / cell) + 1;
    this.glow = new Float32Array(4 * this.across * (Math.ceil(height / cell) + 1));
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
    const { width, height, view, right: r, up: u, back: k, target: t, focal } = camera;
    const scale = focal / view.d;
    const middle = (taps - 1) / 2;
    places.fill(0);
    for (let b = 0; b < bodies; ++b) {
      const x = now[b] - t[0];
      const y = now[bodies + b] - t[1];
      const z = now[2 * bodies + b] - t[2];
      const near = view.d / (view.d - (k[0] * x + k[1] * y + k[2] * z)); // as Camera.see(), in line
      const px = width / 2 + near * scale * (r[0] * x + r[1] * y + r[2] * z);
      const py = height / 2 - near * scale * (u[0] * x + u[1] * y + u[2] * z);
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

  /** The colour of some light on the ground. @param {number} amount @param {number} r @param {number} g @param {number} b */
  shade(amount, r, g, b) {
    const tone = Math.min(4095, Math.sqrt(this.roots * amount) | 0);
    const opaque = this.alpha[tone];
    const scale = (1024 * (1 - this.shift[tone])) / (amount + 1e-30);
    const rest = this.full * this.shift[tone];
    const red = this.red + opaque * (encoded[(scale * r + rest) | 0] - this.red);
    const green = this.green + opaque * (encoded[(scale * g + rest) | 0] - this.green);
    const blue = this.blue + opaque * (encoded[(scale * b + rest) | 0] - this.blue);
    return -0x1000000 | (blue << 16) | (green << 8) | red;
  }

  /**
   * The light of bodies as an image. @param {Track} track @param {Track | null} other @param {Camera} camera
   * @param {Look} look @param {number} share: see expose()
   */
  picture(track, other, camera, look, share) {
    const { texels, alpha, shift, image, across } = this;
    const { data, width, height } = image;
    camera.frame(width, height);
    texels.fill(0);
    this.glow.fill(0);
    this.add(track, camera, look.colors);
    this.expose(look.dark, share);
    if (other) this.add(other, camera, Array(look.colors.length).fill(look.second));
    this.spread();
    const { glow } = this;
    const bloom = look.dark
      ? (0.45 / cell ** 2) * Math.min(1, (8192 / this.weight.length) ** 0.35)
      : 0;
    [this.red, this.green, this.blue] = channelsOf(look.ground);
    this.full = look.dark ? 1024 : 0; // of what bright light becomes
    this.roots = 4096 ** 2 / (8 * this.white);
    const pixels = new Int32Array(data.buffer);
    const line = new Float32Array(4 * across);
    const shades = new Int32Array(across); // of the glow alone
    for (let y = 0, p = 0; y < height; ++y) {
      const above = Math.floor(y / cell) * line.length;
      const v = (y % cell) / cell;
      for (let i = 0; i < line.length; ++i)
        line[i] = bloom * ((1 - v) * glow[above + i] + v * glow[above + line.length + i]);
      for (let i = 0, c = 0; i < across; ++i, c += 4)
        shades[i] = this.shade(line[c + 3], line[c], line[c + 1], line[c + 2]);
      for (let x = 0; x < width; ++x, ++p) {
        const h = x & 7;
        const amount = texels[4 * p + 3];
        if (amount > 0) {
          const c = 4 * (x >> 3);
          const w = h / cell;
          const r = texels[4 * p] + line[c] + w * (line[c + 4] - line[c]);
          const g = texels[4 * p + 1] + line[c + 1] + w * (line[c + 5] - line[c + 1]);
          const b = texels[4 * p + 2] + line[c + 2] + w * (line[c + 6] - line[c + 2]);
          pixels[p] = this.shade(amount + line[c + 3] + w * (line[c + 7] - line[c + 3]), r, g, b);
        } else {
          // Red and blue, then green, each in eighths between two shades.
          const from = shades[x >> 3];
          const to = shades[(x >> 3) + 1];
          const outer = (((from & 0xff00ff) * (8 - h) + (to & 0xff00ff) * h) >> 3) & 0xff00ff;
          const inner = (((from & 0xff00) * (8 - h) + (to & 0xff00) * h) >> 3) & 0xff00;
          pixels[p] = from === to ? from : -0x1000000 | outer | inner;
        }
      }
    }
    return image;
  }
}
