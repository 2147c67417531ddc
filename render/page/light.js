'use strict';
// Many bodies as light on pixels, summed as floats, then mapped to tones as in render/point_cloud.

/** @type {(channel: number) => number} */
const linear = (c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
/** @type {(hex: string) => number[]} */
const channelsOf = (hex) => [1, 3, 5].map((k) => parseInt(hex.slice(k, k + 2), 16));
/** @type {(values: Float32Array, share: number) => number} */
const percentile = (values, share) => values[Math.floor(share * (values.length - 1))];

const cell = 8; // pixels of the grid on which light blooms
const parts = 16; // of a pixel, at which profiles are tabulated
const encoded = Uint8Array.from({ length: 1025 }, (_, i) => {
  const c = i / 1024;
  return Math.round(255 * (c <= 0.0031308 ? 12.92 * c : 1.055 * c ** (1 / 2.4) - 0.055));
});

class Light {
  /** @param {Run} run */
  constructor(run) {
    const n = run.bodies;
    const sorted = Float32Array.from(run.mass).sort();
    const [middle, usual] = [percentile(sorted, 0.5), percentile(sorted, 0.95)];
    const varied = sorted[0] !== sorted[sorted.length - 1] && middle > 0;
    this.weight = new Float32Array(n).fill(1);
    if (varied)
      this.weight = this.weight.map((_, b) => clamp(Math.cbrt(run.mass[b] / middle), 0.5, 3));
    // Bodies far above nearly all others are discs too.
    const heavy = [...run.mass.keys()].filter((b) => run.mass[b] > 30 * usual);
    this.heavy = heavy.length > 64 ? [] : heavy;
    this.color = run.color
      ? bytesOf(run.color)
      : new Uint8Array(n).map((_, b) => b % run.colors.dark.length);
    this.alpha = new Float32Array(1 << 15); // by the leading bits of an amount of light
    this.shift = new Float32Array(1 << 15);
    this.reach = this.peak = 1;
    this.profile = new Float32Array(0);
    this.width = this.height = this.across = this.down = 0;
    this.texels = this.bloom = this.blurred = new Float32Array(0); // red, green, blue, amount
    this.image = new ImageData(1, 1);
  }

  /** @param {number} width @param {number} height in pixels */
  resize(width, height) {
    [this.width, this.height] = [width, height];
    [this.across, this.down] = [Math.ceil(width / cell) + 1, Math.ceil(height / cell) + 1];
    this.texels = new Float32Array(4 * width * height);
    this.bloom = new Float32Array(4 * this.across * this.down);
    this.blurred = new Float32Array(4 * this.across * this.down);
    this.image = new ImageData(width, height);
    // A Gaussian for each part of a pixel, smaller for more bodies.
    const n = this.weight.length;
    const unit = Math.min(width / 1600, (height / 1200) * 1.12);
    const sigma = n > 20000 ? 0.5 : Math.max(0.6, unit * clamp(4.5 * (n / 64) ** -0.32, 0.7, 4.5));
    this.reach = n > 20000 ? 1 : Math.ceil(2.6 * sigma - 0.5);
    const taps = 2 * this.reach + 1;
    this.profile = new Float32Array(parts * taps).map((_, i) => {
      const d = ((i % taps) - this.reach + 0.5 - (Math.floor(i / taps) + 0.5) / parts) / sigma;
      return Math.exp((-d * d) / 2) / (sigma * Math.sqrt(2 * Math.PI));
    });
    this.peak = 0.16 / sigma ** 2;
  }

  clear() {
    this.texels.fill(0);
    this.bloom.fill(0);
  }

  /**
   * Adds the light of all bodies at the place where `track` is. @param {Track} track @param {Camera} camera
   * @param {string[]} colors
   */
  add(track, camera, colors) {
    const { width, height, across, texels, bloom, profile, reach, weight, color } = this;
    const { now, bodies: n } = track;
    const { right: r, up: u, back: k, target: t, focal, distance } = camera;
    const inks = Float32Array.from(
      colors.flatMap((hex) => channelsOf(hex).map((c) => linear(c / 255))),
    );
    const taps = 2 * reach + 1;
    for (let b = 0; b < n; ++b) {
      const [x, y, z] = [now[b] - t[0], now[n + b] - t[1], now[2 * n + b] - t[2]];
      const depth = distance - (k[0] * x + k[1] * y + k[2] * z);
      if (!(depth > 1e-3 * distance)) continue;
      const s = focal / depth;
      const px = width / 2 + s * (r[0] * x + r[1] * y + r[2] * z);
      const py = height / 2 - s * (u[0] * x + u[1] * y + u[2] * z);
      if (!(px >= reach && py >= reach && px < width - reach && py < height - reach)) continue;
      const [ix, iy] = [Math.floor(px), Math.floor(py)];
      const near = distance / depth;
      const light = weight[b] * (near > 2 ? 4 : near * near);
      const red = light * inks[3 * color[b]];
      const green = light * inks[3 * color[b] + 1];
      const blue = light * inks[3 * color[b] + 2];
      const column = taps * Math.floor(parts * (px - ix));
      const row = taps * Math.floor(parts * (py - iy));
      for (let v = 0; v < taps; ++v) {
        let to = 4 * ((iy + v - reach) * width + ix - reach);
        for (let h = 0; h < taps; ++h, to += 4) {
          const w = profile[row + v] * profile[column + h];
          texels[to] += w * red;
          texels[to + 1] += w * green;
          texels[to + 2] += w * blue;
          texels[to + 3] += w * light;
        }
      }
      const [cx, cy] = [Math.floor(px / cell), Math.floor(py / cell)];
      const [fx, fy] = [px / cell - cx, py / cell - cy];
      for (
        let q = 0, to = 4 * (cy * across + cx);
        q < 4;
        ++q, to += q === 2 ? 4 * (across - 1) : 4
      ) {
        const w = ((q & 1 ? fx : 1 - fx) * (q & 2 ? fy : 1 - fy)) / (cell * cell);
        bloom[to] += w * red;
        bloom[to + 1] += w * green;
        bloom[to + 2] += w * blue;
        bloom[to + 3] += w * light;
      }
    }
  }

  /**
   * Chooses tones so that about 30 % of the bodies are fainter than `faint` and the brightest are white.
   * @param {Float32Array} amounts of light at bodies @param {boolean} dark
   */
  expose(amounts, dark) {
    const sorted = amounts.filter((l) => l > 0).sort();
    const low = percentile(sorted, 0.3) || 1;
    const white = clamp(percentile(sorted, 0.995) || 1, 1.7 * low, 15 * low);
    const [faint, contrast] = dark ? [0.7, 1.5] : [0.5, 1];
    /** @type {(l: number, s: number) => number} */
    const brightness = (l, s) => (Math.asinh(l / s) / Math.asinh(1 / s)) ** contrast;
    /** @type {(l: number, wanted: number, least: number) => number} */
    const scaleFor = (l, wanted, least) => {
      let [from, to] = [Math.log(least), Math.log(10)];
      for (let step = 0; step < 40; ++step) {
        const s = (from + to) / 2;
        if (brightness(l / white, Math.exp(s)) > wanted) from = s;
        else to = s;
      }
      return Math.exp((from + to) / 2);
    };
    let s = scaleFor(low, faint, 7e-4);
    const visible = 0.35 * Math.min(1, (2e4 / this.weight.length) ** 0.25);
    if (!dark) s = Math.min(s, scaleFor(this.peak, visible, 1e-7));
    const bits = new Uint32Array(1);
    const amount = new Float32Array(bits.buffer);
    /** @type {(from: number, to: number, x: number) => number} */
    const smooth = (from, to, x) =>
      ((x) => x * x * (3 - 2 * x))(clamp((x - from) / (to - from), 0, 1));
    for (let i = 0; i < this.alpha.length; ++i) {
      bits[0] = (i << 16) + (1 << 15);
      const b = Math.min(brightness(amount[0] / white, s) || 0, 2);
      const c = Math.min(b, 1);
      this.alpha[i] = dark ? c : 1 - (1 - c) ** 2;
      this.shift[i] = dark ? 0.9 * smooth(0.72, 1.15, b) : 0.75 * smooth(0.45, 1.2, b);
    }
  }

  /** The amount of light at each of at most 4096 bodies. @param {Track} track @param {Camera} camera */
  amounts(track, camera) {
    const { width, height, texels } = this;
    const step = Math.ceil(track.bodies / 4096);
    return new Float32Array(Math.floor(track.bodies / step)).map((_, i) => {
      const [x, y, depth] = camera.project(track.where(i * step));
      const seen = depth > 0 && x >= 0 && y >= 0 && x < width && y < height;
      return seen ? texels[4 * (Math.floor(y) * width + Math.floor(x)) + 3] : 0;
    });
  }

  /** Blurs the blooms twice along both directions by a running mean. @param {number} radius in cells */
  blur(radius) {
    const { across, down, bloom, blurred } = this;
    for (let pass = 0; pass < 4; ++pass) {
      const [from, to] = pass & 1 ? [blurred, bloom] : [bloom, blurred];
      const [lines, count, next, step] =
        pass & 1 ? [across, down, 4, 4 * across] : [down, across, 4 * across, 4];
      for (let line = 0; line < 4 * lines; ++line) {
        const first = (line >> 2) * next + (line & 3);
        let sum = 0;
        for (let k = -radius; k < count; ++k) {
          if (k + radius < count) sum += from[first + (k + radius) * step];
          if (k > radius) sum -= from[first + (k - radius - 1) * step];
          if (k >= 0) to[first + k * step] = Math.max(0, sum) / (2 * radius + 1);
        }
      }
    }
  }

  /** Blooms with standard deviations of about 9 and 42 pixels. */
  spread() {
    const share = Math.min(1, (8192 / this.weight.length) ** 0.35);
    this.blur(1);
    const narrow = this.bloom.slice();
    this.blur(6);
    for (let i = 0; i < narrow.length; ++i) {
      this.bloom[i] = share * (0.5 * narrow[i] + 0.3 * this.bloom[i]);
    }
  }

  /** The light as an image. @param {number[]} ground @param {boolean} dark */
  picture(ground, dark) {
    const { width, height, across, texels, bloom, alpha, shift } = this;
    const pixels = new Uint32Array(this.image.data.buffer);
    const bits = new Uint32Array(1);
    const value = new Float32Array(bits.buffer);
    const empty = 0xff000000 | (ground[2] << 16) | (ground[1] << 8) | ground[0];
    const white = dark ? 1 : 0;
    const line = new Float32Array(4 * across);
    for (let y = 0, p = 0; y < height; ++y) {
      const f = (y % cell) / cell;
      const above = 4 * across * Math.floor(y / cell);
      for (let i = 0; dark && i < line.length; ++i) {
        line[i] = (1 - f) * bloom[above + i] + f * bloom[above + 4 * across + i];
      }
      for (let c = 0; c + 1 < across; ++c) {
        let [r, g, b, a] = [line[4 * c], line[4 * c + 1], line[4 * c + 2], line[4 * c + 3]];
        const dr = (line[4 * c + 4] - r) / cell;
        const dg = (line[4 * c + 5] - g) / cell;
        const db = (line[4 * c + 6] - b) / cell;
        const da = (line[4 * c + 7] - a) / cell;
        for (const end = Math.min(p + cell, (y + 1) * width); p < end; ++p) {
          const t = 4 * p;
          const amount = texels[t + 3] + a;
          value[0] = amount;
          const i = bits[0] >>> 16;
          const opaque = alpha[i];
          if (opaque < 0.004) pixels[p] = empty;
          else {
            const share = (1024 * (1 - shift[i])) / amount;
            const rest = 1024 * shift[i] * white + 0.5;
            const red = encoded[(share * (texels[t] + r) + rest) | 0];
            const green = encoded[(share * (texels[t + 1] + g) + rest) | 0];
            const blue = encoded[(share * (texels[t + 2] + b) + rest) | 0];
            pixels[p] =
              0xff000000 |
              ((ground[2] + opaque * (blue - ground[2])) << 16) |
              ((ground[1] + opaque * (green - ground[1])) << 8) |
              (ground[0] + opaque * (red - ground[0]));
          }
          r += dr;
          g += dg;
          b += db;
          a += da;
        }
      }
    }
    return this.image;
  }
}
