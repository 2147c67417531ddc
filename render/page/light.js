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
  /** @param {Run} run @param {Uint8Array} kinds: indices of colours */
  constructor(run, kinds) {
    const { bodies, mass } = run;
    this.kinds = kinds;
    const middle = percentile(Float32Array.from(mass).sort(), 0.5);
    this.weight = Float32Array.from({ length: bodies }, (_, b) =>
      clamp(Math.cbrt((mass[b] ?? middle) / middle), 0.5, 3),
    );
    this.alpha = new Float32Array(4096); // by the square root of an amount of light, up to 8 times white
    this.shift = new Float32Array(4096); // of the colour towards white or black
    this.low = this.white = 0; // amounts of light
    this.fewer = Math.min(1, (8192 / bodies) ** 0.35);
    this.size = clamp(4.5 * (bodies / 64) ** -0.32, 0.7, 4.5);
    this.taps = 1;
    this.image = new ImageData(1, 1);
    this.texels = this.glow = this.profile = new Float32Array();
  }

  /** @param {number} width @param {number} height in pixels */
  resize(width, height) {
    this.low = 0;
    this.image = new ImageData(width, height);
    this.texels = new Float32Array(4 * width * height); // red, green, blue and amount
    this.glow = new Float32Array(4 * Math.ceil(width / cell + 1) * Math.ceil(height / cell + 1));
    const unit = Math.min(width / 1600, (height / 1200) * 1.12);
    const sigma = Math.max(this.size > 0.7 ? 0.6 : 0.5, unit * this.size);
    this.taps = this.size > 0.7 ? 2 * Math.ceil(2.6 * sigma - 0.5) + 1 : 2;
    const middle = (this.taps - 1) / 2;
    const parts = Array.from({ length: 16 }, (_, part) => {
      const away = Array.from({ length: this.taps }, (_, k) => k - middle + (7.5 - part) / 16);
      const weights = away.map((d) => Math.exp(-0.5 * (d / sigma) ** 2));
      return weights.map((w) => w / weights.reduce((sum, x) => sum + x));
    });
    this.profile = Float32Array.from(parts.flat());
  }

  /** Adds all bodies where they are now. @param {Track} track @param {Camera} camera @param {string[]} colors */
  add({ now, bodies }, camera, colors) {
    const { texels, glow, weight, kinds, profile, taps } = this;
    const { width, height } = camera;
    const inks = colors.map((hex) => channelsOf(hex).map((c) => linear(c / 255)));
    const across = Math.ceil(width / cell + 1);
    const middle = (taps - 1) / 2;
    for (let b = 0; b < bodies; ++b) {
      camera.see(now[b], now[bodies + b], now[2 * bodies + b]);
      const left = Math.floor(camera.x - middle);
      const top = Math.floor(camera.y - middle);
      if (!(left >= 0 && top >= 0 && left + taps <= width && top + taps <= height)) continue;
      const light = weight[b] * Math.min(4, (camera.distance / camera.depth) ** 2);
      const [red, green, blue] = inks[kinds[b]];
      const column = taps * Math.floor(16 * (camera.x - middle - left));
      const row = taps * Math.floor(16 * (camera.y - middle - top));
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
      const x = camera.x / cell;
      const y = camera.y / cell;
      for (let corner = 0; corner < 4; ++corner) {
        const h = corner & 1;
        const v = corner >> 1;
        const w = (light * Math.abs(1 - h - (x % 1)) * Math.abs(1 - v - (y % 1))) / cell ** 2;
        const to = 4 * ((Math.floor(y) + v) * across + Math.floor(x) + h);
        glow[to] += w * red;
        glow[to + 1] += w * green;
        glow[to + 2] += w * blue;
        glow[to + 3] += w;
      }
    }
  }

  /** Replaces the glow by running means along both directions, twice. @param {number} radius in nodes */
  blur(radius) {
    const { glow, image } = this;
    const [across, down] = [image.width, image.height].map((size) => Math.ceil(size / cell + 1));
    const line = new Float32Array(Math.max(across, down));
    for (let pass = 0; pass < 4; ++pass) {
      const [count, step] = pass & 1 ? [down, 4 * across] : [across, 4];
      for (let l = 0; l < glow.length / count; ++l) {
        const first = pass & 1 ? l : (l >> 2) * 4 * across + (l & 3);
        for (let k = 0; k < count; ++k) line[k] = glow[first + k * step];
        let sum = 0;
        for (let k = -radius; k < count; ++k) {
          if (k + radius < count) sum += line[k + radius];
          if (k > radius) sum -= line[k - radius - 1];
          if (k >= 0) glow[first + k * step] = Math.max(0, sum) / (2 * radius + 1);
        }
      }
    }
  }

  /**
   * Chooses tones by the light where bodies are: about 30 % of them are fainter than `faint`.
   * @param {Track} track @param {Camera} camera @param {boolean} dark @param {number} share of this moment, among those before
   */
  expose(track, camera, dark, share) {
    const step = Math.ceil(track.bodies / 4096);
    const found = Float32Array.from({ length: Math.ceil(track.bodies / step) }, (_, i) => {
      camera.see(...track.where(i * step));
      const inside = camera.x >= 0 && camera.x < camera.width;
      return inside
        ? this.texels[4 * (Math.floor(camera.y) * camera.width + Math.floor(camera.x)) + 3]
        : 0;
    });
    const sorted = found.filter((l) => l > 0).sort();
    const [low, white] = [percentile(sorted, 0.3), percentile(sorted, 0.995)];
    const part = this.low > 0 ? share : 1;
    this.low += part * (low - this.low);
    this.white += part * (clamp(white, 1.7 * low, 15 * low) - this.white);
    const [faint, contrast] = dark ? [0.7, 1.5] : [0.5, 1];
    /** @type {(light: number, s: number) => number} */
    const brightness = (l, s) => (Math.asinh(l / this.white / s) / Math.asinh(1 / s)) ** contrast;
    let [from, to] = [-7, 2];
    for (let bit = 0; bit < 40; ++bit) {
      if (brightness(this.low, Math.exp((from + to) / 2)) > faint) from = (from + to) / 2;
      else to = (from + to) / 2;
    }
    for (let i = 0; i < this.alpha.length; ++i) {
      const b = clamp(brightness(8 * this.white * (i / 4096) ** 2, Math.exp(from)), 0, 2);
      this.alpha[i] = dark ? Math.min(1, b) : 1 - (1 - Math.min(1, b)) ** 2;
      this.shift[i] = dark ? 0.9 * smooth(0.72, 1.15, b) : 0.75 * smooth(0.45, 1.2, b);
    }
  }

  /**
   * The light of bodies as an image. @param {[Track, string[]][]} tracks with colours @param {Camera} camera
   * @param {Look} look @param {number} share: see expose()
   */
  picture(tracks, camera, look, share) {
    const { texels, glow, alpha, shift, image } = this;
    const { data, width, height } = image;
    camera.frame(width, height);
    texels.fill(0);
    glow.fill(0);
    for (const [track, colors] of tracks) this.add(track, camera, colors);
    this.expose(tracks[0][0], camera, look.dark, share);
    this.blur(2);
    const [bloom, white] = look.dark ? [0.6 * this.fewer, 1024] : [0, 0];
    const ground = channelsOf(look.ground);
    const pixels = new Uint32Array(data.buffer);
    const empty = 0xff000000 | (ground[2] << 16) | (ground[1] << 8) | ground[0];
    const roots = 4096 ** 2 / (8 * this.white);
    const line = new Float32Array(4 * Math.ceil(width / cell + 1));
    for (let y = 0, p = 0; y < height; ++y) {
      const [above, v] = [Math.floor(y / cell) * line.length, (y % cell) / cell];
      const below = above + line.length;
      for (let i = 0; i < line.length; ++i)
        line[i] = bloom * ((1 - v) * glow[above + i] + v * glow[below + i]);
      for (let x = 0; x < width; ++x, ++p) {
        const c = 4 * (x >> 3);
        const h = (x & 7) / cell;
        const amount = texels[4 * p + 3] + line[c + 3] + h * (line[c + 7] - line[c + 3]);
        const tone = Math.min(4095, Math.sqrt(roots * amount) | 0);
        const opaque = alpha[tone];
        pixels[p] = empty;
        if (opaque < 0.003) continue;
        const scale = (1024 * (1 - shift[tone])) / amount;
        const rest = white * shift[tone];
        const r = texels[4 * p] + line[c] + h * (line[c + 4] - line[c]);
        const g = texels[4 * p + 1] + line[c + 1] + h * (line[c + 5] - line[c + 1]);
        const b = texels[4 * p + 2] + line[c + 2] + h * (line[c + 6] - line[c + 2]);
        const red = ground[0] + opaque * (encoded[(scale * r + rest) | 0] - ground[0]);
        const green = ground[1] + opaque * (encoded[(scale * g + rest) | 0] - ground[1]);
        const blue = ground[2] + opaque * (encoded[(scale * b + rest) | 0] - ground[2]);
        pixels[p] = 0xff000000 | (blue << 16) | (green << 8) | red;
      }
    }
    return image;
  }
}
