'use strict';
// Positions of a run at its frames, and between them.

class Track {
  /**
   * @param {Run} run @param {Float32Array} at about the centre of the view: [frames][3][bodies]
   * @param {Run['times']} times of the frames
   */
  constructor(run, at, times = run.times) {
    this.run = run;
    this.at = at;
    this.bodies = run.bodies;
    this.last = at.length / (3 * run.bodies) - 1; // frame
    this.times = listed(times, this.last + 1);
    this.place = -1; // a real number of frames
    this.now = new Float32Array(3 * run.bodies); // positions there: [3][bodies]
    this.offset = [0, 0, 0]; // added to all positions
    this.pieces = Math.round(clamp(24000 / (at.length / 3), 1, 6)); // of a path from frame to frame
    /** @type {Float32Array[]} */
    this.paths = [];
    this.axes = run.position.centre.map((centre, k) => {
      const length = run.box?.length[k] || Infinity;
      const low = length < Infinity ? (run.box?.low[k] ?? 0) - centre : -Infinity;
      const period = run.box?.kind[k] === 'periodic' ? length : 0;
      return { low, high: low + length || Infinity, period, half: period / 2 || Infinity };
    });
  }

  /** The frames of run k of the page. @param {Run} run @param {number} k */
  static async unpack(run, k) {
    const packed = await inflated(`frames-${k}`);
    const { order, planes, quantum } = run.position;
    const [rows, count] = [3 * run.bodies, 3 * run.bodies * run.frames];
    const at = new Float32Array(count);
    const some = 16; // rows at a time, so that what is written lies side by side
    const sums = new Float64Array(order * some); // value, slope, bend
    for (let first = 0; first < rows; first += some) {
      for (let f = 0; f < run.frames; ++f) {
        for (let row = first; row < first + some && row < rows; ++row) {
          let zigzag = 0;
          for (let p = 0; p < planes; ++p)
            zigzag |= packed[p * count + row * run.frames + f] << (8 * p);
          const step = (zigzag >>> 1) ^ -(zigzag & 1);
          let j = Math.min(f, order - 1) * some + row - first;
          sums[j] = f < order ? step : sums[j] + step;
          for (; j >= some; j -= some) sums[j - some] += sums[j];
          at[f * rows + row] = sums[j] * quantum;
        }
      }
    }
    return new Track(run, at);
  }

  /** @param {number} place */
  timeOf(place) {
    const k = Math.min(Math.floor(place), this.last);
    return this.times[k] + (place - k) * ((this.times[k + 1] ?? 0) - this.times[k]);
  }

  /** The place at a time, within the run. @param {number} time */
  placeOf(time) {
    const k = clamp(
      this.times.findLastIndex((t) => t <= time),
      0,
      Math.max(0, this.last - 1),
    );
    const place = k + (time - this.times[k]) / (this.times[k + 1] - this.times[k]);
    return clamp(place, 0, this.last) || 0;
  }

  /** Moves all bodies to a place. @param {number} place */
  seek(place) {
    if (place !== this.place) this.find(place, 0, this.bodies, this.now);
    this.place = place;
  }

  /**
   * Positions of some bodies, by a cubic through the nearest images at four frames, with slopes by time.
   * @param {number} place @param {number} first @param {number} end @param {Float32Array} to [3][end − first]
   */
  find(place, first, end, to) {
    const { at, bodies, last, offset } = this;
    const k = clamp(Math.floor(place), 0, Math.max(0, last - 1));
    const frames = [k - 1, k, k + 1, k + 2].map((f) => clamp(f, 0, last));
    const [t0, t1, t2, t3] = frames.map((f) => this.times[f]);
    const [u, v] = [place - k, 1 - place + k];
    const w0 = (-u * v * v * (t2 - t1)) / (t2 - t0) || 0;
    const w3 = (-u * u * v * (t2 - t1)) / (t3 - t1) || 0;
    const w2 = u * u * (3 - 2 * u) - w0;
    this.axes.forEach(({ low, high, period }, axis) => {
      const [i0, i1, i2, i3] = frames.map((f) => (3 * f + axis) * bodies);
      /** @type {(d: number) => number} */
      const wrap = (d) => d - period * Math.round(d / period);
      for (let b = first, i = axis * (end - first); b < end; ++b, ++i) {
        const x = at[i1 + b];
        let d0 = at[i0 + b] - x;
        let d2 = at[i2 + b] - x;
        let d3 = at[i3 + b] - x;
        if (period > 0) [d0, d2, d3] = [wrap(d0), wrap(d2), wrap(d3)];
        let y = x + w0 * d0 + w2 * d2 + w3 * d3;
        if (period > 0) y -= period * Math.floor((y - low) / period);
        to[i] = clamp(y, low, high) + offset[axis];
      }
    });
  }

  /** The path of a body, `pieces` from frame to frame; not a number where it crosses a periodic end. @param {number} body */
  path(body) {
    if (this.paths[body]) return this.paths[body];
    const path = (this.paths[body] = new Float32Array(3 * (this.last * this.pieces + 1)));
    let before = new Float32Array(3);
    for (let k = 0; 3 * k < path.length; ++k) {
      const p = new Float32Array(3);
      this.find(k / this.pieces, body, body + 1, p);
      const gap = this.axes.some(({ half }, i) => Math.abs(p[i] - before[i]) > half);
      path.set(gap ? [NaN, NaN, NaN] : p, 3 * k);
      before = p;
    }
    return path;
  }

  /** @param {number} body @returns {[number, number, number]} about the centre of the view */
  where(body) {
    const { now, bodies } = this;
    return [now[body], now[bodies + body], now[2 * bodies + body]];
  }

  /** The speed of a body, in the units of the run. @param {number} body */
  speed(body) {
    const [a, b] = [-1, 1].map((k) => clamp(Math.round(this.place) + k, 0, this.last));
    const moved = this.axes.map(({ period }, axis) => {
      const [from, to] = [a, b].map((f) => this.at[(3 * f + axis) * this.bodies + body]);
      return to - from - (period && period * Math.round((to - from) / period));
    });
    return (Math.hypot(...moved) / (this.times[b] - this.times[a])) * (this.run.timeScale ?? 1);
  }
}
