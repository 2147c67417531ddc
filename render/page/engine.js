'use strict';
// SPDX-License-Identifier: MIT
// orrery: the scripts of a page. This one steps a run by WebAssembly, to the bits of the program.

class Engine {
  /** @param {any} exports @param {string} kind */
  constructor(exports, kind) {
    this.exports = exports;
    this.kind = kind;
    this.bodies = 0;
  }

  /**
   * The fused module where its fma rounds once, else the exact one; or the one asked for.
   * @param {BufferSource} fused @param {BufferSource} exact @param {string} kind auto, fused or exact
   */
  static async load(fused, exact, kind = 'auto') {
    for (const [name, bytes] of Object.entries({ fused, exact })) {
      if ((kind !== 'auto' && kind !== name) || !WebAssembly.validate(bytes)) continue;
      const engine = new Engine((await WebAssembly.instantiate(bytes)).instance.exports, name);
      if (engine.exports.fma1(1 + 2 ** -30, 1 - 2 ** -30, -1) === -(2 ** -60)) return engine;
    }
    throw new Error('This browser lacks the WebAssembly (with SIMD) that the engine needs.');
  }

  /** @param {EngineFacts} facts @param {Float64Array} state mass, charge if charged, x, y, z, vx, vy, vz */
  begin({ bodies, method, dt, forces, charged }, state) {
    const { exports } = this;
    this.bodies = bodies;
    if (!exports.begin(bodies, method, dt)) throw new Error(`no memory for ${bodies} bodies`);
    if (!forces.every((force) => exports.force(...force))) throw new Error('too many forces');
    const scalars = [exports.mass(), ...(charged ? [exports.charge()] : [])];
    const columns = scalars.map((at) => this.numbers(at));
    [...columns, ...this.vectors(0), ...this.vectors(1)].forEach((column, k) =>
      column.set(state.subarray(k * bodies, (k + 1) * bodies)),
    );
  }

  /** @param {number} at an address */
  numbers(at) {
    return new Float64Array(this.exports.memory.buffer, at, this.bodies);
  }

  /** x, y and z of all bodies, of column 0, 1 or 2: positions, velocities, accelerations. @param {number} column */
  vectors(column) {
    return [0, 1, 2].map((axis) => this.numbers(this.exports.column(column, axis)));
  }

  energy() {
    return this.exports.kinetic() + this.exports.potential();
  }

  /** What the program prints of a state. */
  hash() {
    return BigInt.asUintN(64, this.exports.hash()).toString(16).padStart(16, '0');
  }

  /** Of a stored frame. @param {boolean} single as float32 @param {boolean} velocities whether it has them */
  checksum(single, velocities) {
    return BigInt.asUintN(64, this.exports.checksum(single, velocities));
  }

  /**
   * Steps to the end in slices of 15 ms, between which the page lives, and returns how many steps were done. At each step of
   * `moments`, ascending, calls onMoment; after each slice onProgress with the share that is done and the pairs per second.
   * @param {EngineFacts} facts @param {number[]} moments
   * @param {{onMoment?: (k: number) => void, signal?: AbortSignal, onProgress?: (share: number, rate: number) => void}} hooks
   */
  async run({ bodies, steps, evaluations }, moments, { onMoment, onProgress, signal } = {}) {
    const pairs = ((bodies * (bodies - 1)) / 2) * evaluations;
    const count = Math.ceil(3e5 / Math.max(pairs, 30)); // steps at a time: some milliseconds
    const slice = 15;
    const begin = performance.now();
    let [done, next, until] = [0, 0, begin + slice];
    while (!signal?.aborted) {
      while (moments[next] <= done) onMoment?.(next++);
      if (done >= steps) break;
      const some = Math.min(count, steps - done, (moments[next] ?? steps) - done);
      this.exports.advance(some);
      done += some;
      const now = performance.now();
      if (now < until && done < steps) continue;
      onProgress?.(done / steps, (done * pairs * 1000) / (now - begin));
      await new Promise((resume) => {
        const { port1, port2 } = new MessageChannel(); // a timer would wait for 4 ms
        port1.onmessage = () => resume(port1.close());
        port2.postMessage(0);
      });
      until = performance.now() + slice;
    }
    return done;
  }
}
