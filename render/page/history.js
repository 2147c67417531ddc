'use strict';
// Positions of a run over time.

/** @type {(x: number, low: number, high: number) => number} */
const clamp = (x, low, high) => Math.min(high, Math.max(low, x));

/** The text of an element of the page. @param {string} id */
function textOf(id) {
  return document.getElementById(id)?.textContent?.trim() ?? '';
}

/** @param {string} text in base64 */
function bytesOf(text) {
  const raw = atob(text);
  const bytes = new Uint8Array(raw.length);
  for (let i = 0; i < raw.length; ++i) bytes[i] = raw.charCodeAt(i);
  return bytes;
}

/** The inflated bytes of an element. @param {string} id */
async function inflated(id) {
  const stream = new Blob([bytesOf(textOf(id))]).stream();
  const plain = stream.pipeThrough(new DecompressionStream('deflate-raw'));
  return new Uint8Array(await new Response(plain).arrayBuffer());
}

/** Positions at the frames of a run, and between them by cubics through the nearest images. */
class Track {
  /**
   * @param {Run} run @param {Float32Array} at about the centre of the view: [frames][3][bodies]
   * @param {Run['times']} times of the frames
   */
  constructor(run, at, times = run.times) {
    this.run = run;
    this.at = at;
    this.times = times;
    this.bodies = run.bodies;
    this.frames = at.length / (3 * run.bodies);
    this.now = new Float32Array(3 * run.bodies); // at the place of the last seek(): [3][bodies]
    this.place = NaN;
    this.offset = [0, 0, 0]; // added to all positions
    this.axes = [0, 1, 2].map((k) => {
      const { low, length, kind } = run.box ?? { low: [0, 0, 0], length: [0, 0, 0], kind: [] };
      const from = low[k] - run.position.centre[k];
      if (kind[k] === 'periodic') return { from, to: Infinity, length: length[k] };
      const closed = kind[k] === 'reflecting';
      return {
        from: closed ? from : -Infinity,
        to: closed ? from + length[k] : Infinity,
        length: 0,
      };
    });
    /** @type {Map<number, Float32Array>} */
    this.paths = new Map();
    this.pieces = Math.round(clamp(24000 / (this.frames * this.bodies), 1, 6)); // of a path, between frames
  }

  /** The frames of run k of the page. @param {Run} run @param {number} k */
  static async unpack(run, k) {
    const packed = await inflated(`frames-${k}`);
    const { order, planes, quantum } = run.position;
    const { bodies: n, frames } = run;
    const count = 3 * n * frames;
    const at = new Float32Array(count);
    const [p0, p1, p2, p3] = [0, 1, 2, 3].map((i) => packed.subarray(i * count, (i + 1) * count));
    // A few bodies at a time, so that what is written lies side by side.
    const some = 16;
    const value = new Float64Array(some);
    const slope = new Float64Array(some);
    const bend = new Float64Array(some);
    for (let first = 0; first < 3 * n; first += some) {
      const last = Math.min(first + some, 3 * n);
      for (let f = 0; f < frames; ++f) {
        for (let row = first, b = 0; row < last; ++row, ++b) {
          const i = row * frames + f;
          let zigzag = p0[i];
          if (planes > 1) zigzag |= p1[i] << 8;
          if (planes > 2) zigzag |= p2[i] << 16;
          if (planes > 3) zigzag |= p3[i] << 24;
          const d = (zigzag >>> 1) ^ -(zigzag & 1);
          if (f === 0) value[b] = d;
          else {
            if (order === 1 || f === 1) slope[b] = d;
            else {
              bend[b] = order === 2 || f === 2 ? d : bend[b] + d;
              slope[b] += bend[b];
            }
            value[b] += slope[b];
          }
          at[f * 3 * n + row] = value[b] * quantum;
        }
      }
    }
    return new Track(run, at);
  }

  /** The time at a place, a real number of frames. @param {number} place */
  timeOf(place) {
    const { times } = this;
    if (!Array.isArray(times)) return times.from + times.step * place;
    const k = clamp(Math.floor(place), 0, this.frames - 1);
    const next = times[Math.min(k + 1, this.frames - 1)];
    return times[k] + (place - k) * (next - times[k]);
  }

  /** The place at a time, within the run. @param {number} time */
  placeOf(time) {
    let [low, high] = [0, this.frames - 1];
    for (let bit = 0; bit < 50; ++bit) {
      const middle = (low + high) / 2;
      if (this.timeOf(middle) < time) low = middle;
      else high = middle;
    }
    return (low + high) / 2;
  }

  /** Four frames around a place, and their weights in a cubic with slopes by time. @param {number} place */
  weights(place) {
    const last = this.frames - 1;
    const k = clamp(Math.floor(place), 0, Math.max(0, last - 1));
    const u = clamp(place - k, 0, 1);
    const frame = [k - 1, k, k + 1, k + 2].map((f) => clamp(f, 0, last));
    const t = frame.map((f) => this.timeOf(f));
    const h = t[2] - t[1];
    const weight = [0, 1, 0, 0];
    if (h !== 0) {
      const before = (u * (1 - u) * (1 - u) * h) / (t[2] - t[0]);
      const after = (-u * u * (1 - u) * h) / (t[3] - t[1]);
      const step = u * u * (3 - 2 * u);
      weight.splice(0, 4, -before, 1 - step - after, step + before, after);
    }
    return { frame, weight };
  }

  /** All bodies at a place, into this.now. @param {number} place */
  seek(place) {
    if (place === this.place) return;
    this.place = place;
    const { frame, weight } = this.weights(place);
    for (let axis = 0; axis < 3; ++axis) this.axisAt(frame, weight, axis, 0, this.bodies, this.now);
  }

  /**
   * Some bodies, along one axis. @param {number[]} frame @param {number[]} weight @param {number} axis
   * @param {number} first @param {number} last @param {Float32Array} to [3][bodies]
   */
  axisAt(frame, weight, axis, first, last, to) {
    const { at, bodies: n } = this;
    const { from, to: end, length } = this.axes[axis];
    const [i0, i1, i2, i3] = frame.map((f) => (3 * f + axis) * n);
    const [w0, , w2, w3] = weight;
    const out = axis * n;
    const offset = this.offset[axis];
    for (let b = first; b < last; ++b) {
      const x = at[i1 + b];
      let d0 = at[i0 + b] - x;
      let d2 = at[i2 + b] - x;
      let d3 = at[i3 + b] - x;
      if (length > 0) {
        d0 -= length * Math.round(d0 / length);
        d2 -= length * Math.round(d2 / length);
        d3 -= length * Math.round(d3 / length);
      }
      let y = x + w0 * d0 + w2 * d2 + w3 * d3;
      if (length > 0) y -= length * Math.floor((y - from) / length);
      else y = y < from ? from : y > end ? end : y;
      to[out + b] = y + offset;
    }
  }

  /** The path of a body: [points][3], `pieces` from frame to frame. @param {number} body */
  path(body) {
    const found = this.paths.get(body);
    if (found) return found;
    const points = (this.frames - 1) * this.pieces + 1;
    const path = new Float32Array(3 * points);
    const scratch = new Float32Array(3 * this.bodies);
    for (let k = 0; k < points; ++k) {
      const { frame, weight } = this.weights(k / this.pieces);
      for (let axis = 0; axis < 3; ++axis) {
        this.axisAt(frame, weight, axis, body, body + 1, scratch);
        path[3 * k + axis] = scratch[axis * this.bodies + body];
      }
    }
    this.paths.set(body, path);
    return path;
  }

  /** Where a body is, about the centre of the view. @param {number} body */
  where(body) {
    return [0, 1, 2].map((axis) => this.now[axis * this.bodies + body]);
  }

  /** The speed of a body near the current place, from its positions. @param {number} body */
  speed(body) {
    const k = clamp(Math.round(this.place), 0, this.frames - 1);
    const [a, b] = [Math.max(0, k - 1), Math.min(this.frames - 1, k + 1)];
    const moved = this.axes.map(({ length }, axis) => {
      const d =
        this.at[(3 * b + axis) * this.bodies + body] - this.at[(3 * a + axis) * this.bodies + body];
      return length > 0 ? d - length * Math.round(d / length) : d;
    });
    return (
      (Math.hypot(...moved) / (this.timeOf(b) - this.timeOf(a) || 1)) * (this.run.timeScale ?? 1)
    );
  }
}
