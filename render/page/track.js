'use strict';
// Positions of a run at its frames, and between them.

class Track {
  /**
   * @param {Run} run @param {number[]} times of the frames
   * @param {Float32Array} at about the centre of the view: [frames][3][bodies]
   * @param {Float32Array | null} velocity in units of `times`, likewise
   * @param {Uint8Array} unknown bits [frames − 1][bodies]: whether the way to the next frame is not known
   */
  constructor(run, times, at, velocity, unknown) {
    this.run = run;
    this.times = times;
    this.at = at;
    this.velocity = velocity;
    this.unknown = unknown;
    this.bodies = run.bodies;
    this.last = times.length - 1; // frame
    this.place = -1; // a real number of frames
    this.now = new Float32Array(3 * run.bodies); // positions there: [3][bodies]
    this.offset = [0, 0, 0]; // added to all positions
    // Of a path from frame to frame; where it is not known their inner ends are gaps.
    const least = run.points || unknown.length > 0 ? 2 : 1;
    this.pieces = Math.round(clamp(24000 / (run.bodies * times.length), least, 6));
    /** @type {Float32Array[]} */
    this.paths = [];
  }

  /** The frames of run k of the page. @param {Run} run @param {number} k */
  static async load(run, k) {
    const at = await Track.unpack(run, `frames-${k}`, run.position);
    const velocity = run.velocity && (await Track.unpack(run, `velocities-${k}`, run.velocity));
    return new Track(run, run.times, at, velocity ?? null, bytesOf(run.unknown ?? ''));
  }

  /** Returns [frames][3][bodies]. @param {Run} run @param {string} id of an element @param {Packing} packing */
  static async unpack(run, id, { order, planes, quantum }) {
    const packed = await inflated(id);
    const [frames, rows] = [run.times.length, 3 * run.bodies];
    const count = rows * frames;
    const numbers = new Float32Array(count);
    const some = 16; // rows at a time, so that what is written lies side by side
    const sums = new Float64Array(order * some); // value, slope, bend
    for (let first = 0; first < rows; first += some) {
      for (let f = 0; f < frames; ++f) {
        for (let row = first; row < first + some && row < rows; ++row) {
          let zigzag = 0;
          for (let p = 0; p < planes; ++p)
            zigzag |= packed[p * count + row * frames + f] << (8 * p);
          const step = (zigzag >>> 1) ^ -(zigzag & 1);
          let j = Math.min(f, order - 1) * some + row - first;
          sums[j] = f < order ? step : sums[j] + step;
          for (; j >= some; j -= some) sums[j - some] += sums[j];
          numbers[f * rows + row] = sums[j] * quantum;
        }
      }
    }
    return numbers;
  }

  /** @param {number} place */
  timeOf(place) {
    const k = Math.min(Math.floor(place), this.last);
    return this.times[k] + (place - k) * ((this.times[k + 1] ?? 0) - this.times[k]);
  }

  /** The place at a time, within the run. @param {number} time */
  placeOf(time) {
    const { times, last } = this;
    const sense = Math.sign(times[last] - times[0]);
    const before = times.findLastIndex((t) => sense * t <= sense * time);
    const k = clamp(before, 0, Math.max(0, last - 1));
    return clamp(k + (time - times[k]) / (times[k + 1] - times[k]), 0, last) || 0;
  }

  /** Moves all bodies to a place. @param {number} place */
  seek(place) {
    if (place !== this.place) this.find(place, 0, this.bodies, this.now);
    this.place = place;
  }

  /** Whether the way of a body is known from frame k to the next. @param {number} k @param {number} body */
  known(k, body) {
    const bit = k * this.bodies + body;
    return !((this.unknown[bit >> 3] >> (bit & 7)) & 1);
  }

  /**
   * Positions of some bodies: on a cubic between the nearest images at two frames, with the velocities there or those that the
   * frames beside them suggest; at the nearer frame where the way is not known.
   * @param {number} place @param {number} first @param {number} end @param {Float32Array} to [3][end − first]
   */
  find(place, first, end, to) {
    const { at, velocity, bodies, last, offset } = this;
    const k = clamp(Math.floor(place), 0, Math.max(0, last - 1));
    const frames = [k - 1, k, k + 1, k + 2].map((f) => clamp(f, 0, last));
    const [t0, t1, t2, t3] = frames.map((f) => this.times[f]);
    const [u, v] = [place - k, 1 - place + k];
    const w0 = (-u * v * v * (t2 - t1)) / (t2 - t0) || 0;
    const w3 = (-u * u * v * (t2 - t1)) / (t3 - t1) || 0;
    const w2 = u * u * (3 - 2 * u) - w0;
    const held = this.unknown.length > 0;
    this.run.axes.forEach(({ low, high, period }, axis) => {
      const [i0, i1, i2, i3] = frames.map((f) => (3 * f + axis) * bodies);
      /** @type {(d: number) => number} */
      const wrap = (d) => d - period * Math.round(d / period);
      for (let b = first, i = axis * (end - first); b < end; ++b, ++i) {
        const x = at[i1 + b];
        let d0 = at[i0 + b] - x;
        let d2 = at[i2 + b] - x;
        let d3 = at[i3 + b] - x;
        if (period > 0) [d0, d2, d3] = [wrap(d0), wrap(d2), wrap(d3)];
        if (velocity) {
          d0 = d2 - velocity[i1 + b] * (t2 - t0);
          d3 = velocity[i2 + b] * (t3 - t1);
        }
        let y = x + w0 * d0 + w2 * d2 + w3 * d3;
        if (held && !this.known(k, b)) y = u < 0.5 ? x : x + d2;
        if (period > 0) y -= period * Math.floor((y - low) / period);
        to[i] = clamp(y, low, high) + offset[axis];
      }
    });
  }

  /**
   * The path of a body, `pieces` from frame to frame; not a number where it crosses a periodic end or is not known.
   * @param {number} body
   */
  path(body) {
    if (this.paths[body]) return this.paths[body];
    const path = (this.paths[body] = new Float32Array(3 * (this.last * this.pieces + 1)));
    const { axes, points } = this.run;
    let before = new Float32Array(3);
    for (let k = 0; 3 * k < path.length; ++k) {
      const p = new Float32Array(3);
      this.find(k / this.pieces, body, body + 1, p);
      const jumps = axes.some(({ period }, i) => period && 2 * Math.abs(p[i] - before[i]) > period);
      const known = !points && this.known(Math.floor(k / this.pieces), body);
      path.set(jumps || (k % this.pieces && !known) ? [NaN, NaN, NaN] : p, 3 * k);
      before = p;
    }
    return path;
  }

  /** @param {number} body @returns {[number, number, number]} about the centre of the view */
  where(body) {
    const { now, bodies } = this;
    return [now[body], now[bodies + body], now[2 * bodies + body]];
  }

  /** The speed of a body at the nearest frame, in the units of the run, or nothing. @param {number} body */
  speed(body) {
    const { velocity: v, bodies } = this;
    const i = 3 * bodies * Math.round(this.place) + body;
    return v ? Math.hypot(v[i], v[i + bodies], v[i + 2 * bodies]) * this.run.timeScale : undefined;
  }

  /**
   * Which ways are not known, since they do not lead through what is between frames.
   * @param {Float32Array} between positions at `places`, [frames][3][bodies] @param {number[]} places
   */
  astray(between, places) {
    const { at, now, bodies, last } = this;
    const bits = new Uint8Array(Math.ceil((last * bodies) / 8));
    for (let k = 0, bit = 0; k < last; ++k) {
      this.seek(places[k]);
      for (let body = 0; body < bodies; ++body, ++bit) {
        let [miss, way] = [0, 1e-4 * this.run.view.radius];
        for (let i = body; i < 3 * bodies; i += bodies) {
          const x = between[3 * bodies * k + i];
          miss = Math.hypot(miss, now[i] - x);
          way = Math.hypot(way, at[3 * bodies * k + i] - x);
        }
        if (miss > 0.015 * way) bits[bit >> 3] |= 1 << (bit & 7);
      }
    }
    return bits;
  }
}
