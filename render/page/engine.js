'use strict';
// SPDX-License-Identifier: MIT
// orrery: the scripts of a page. This one steps a run by WebAssembly, to the bits of the program.

// Integrators in the order of the engine (steps.hpp), and their evaluations of the forces a step.
const integrators = (
  'leapfrog leapfrog-dkd symplectic-euler yoshida4 yoshida6 yoshida8 ' +
  'ruth3 forest-ruth pefrl rk4 hermite4'
).split(' ');
const evaluations = [1, 1, 1, 3, 7, 15, 3, 3, 4, 4, 2];

/**
 * Laws in the order of the engine (pairs.hpp): the length, the factor, the exponent and the centre of a force.
 * @type {Record<string, (force: any, G: number) => [number, number, number?, number[]?]>}
 */
const laws = {
  gravity: (force, G) => [force.softening, G],
  coulomb: (force) => [force.softening, force.k],
  'inverse-power': (force) => [force.softening, force.strength, force.exponent],
  'logarithmic-halo': (force) => [force.core_radius, force.v0 * force.v0, 0, force.center],
  'plummer-halo': (force, G) => [force.scale_length, G * force.mass, 0, force.center],
};

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
  begin(facts, state) {
    const { integrator, bodies, dt, G, forces, parameters = {}, charged } = facts;
    const { exports } = this;
    const method = integrators.indexOf(integrator);
    if (method < 0 || Object.values(parameters).some(Boolean))
      throw new Error(`${integrator}: not among the engine's integrators`);
    if (!exports.begin(bodies, method, dt)) throw new Error(`no memory for ${bodies} bodies`);
    for (const force of forces) {
      const law = Object.keys(laws).indexOf(force.kind);
      if (law < 0) throw new Error(`${force.kind}: not among the engine's forces`);
      const [length, factor, exponent = 0, centre = [0, 0, 0]] = laws[force.kind](force, G);
      if (!exports.force(law, length, factor, exponent, ...centre))
        throw new Error('too many forces');
    }
    this.bodies = bodies;
    const columns = [exports.mass(), ...(charged ? [exports.charge()] : [])];
    [...columns.map((at) => this.numbers(at)), ...this.positions(), ...this.velocities()].forEach(
      (column, k) => column.set(state.subarray(k * bodies, (k + 1) * bodies)),
    );
  }

  /** @param {number} steps */
  advance(steps) {
    this.exports.advance(steps);
  }

  /** @param {number} at an address */
  numbers(at) {
    return new Float64Array(this.exports.memory.buffer, at, this.bodies);
  }
  /** x, y and z of all bodies, of column 0, 1 or 2: positions, velocities, accelerations. @param {number} column */
  vectors(column) {
    return [0, 1, 2].map((axis) => this.numbers(this.exports.column(column, axis)));
  }
  positions() {
    return this.vectors(0);
  }
  velocities() {
    return this.vectors(1);
  }

  energy() {
    const [kinetic, potential] = [this.exports.kinetic(), this.exports.potential()];
    return { kinetic, potential, total: kinetic + potential };
  }

  /** What the program prints of a state. */
  hash() {
    return BigInt.asUintN(64, this.exports.hash()).toString(16).padStart(16, '0');
  }

  /** Of a stored frame. @param {boolean} single as float32 @param {boolean} velocities whether it has them */
  checksum(single, velocities) {
    return BigInt.asUintN(64, this.exports.checksum(single, velocities));
  }
}

/**
 * Steps to the end in slices of 15 ms, between which the page lives. At each step of `frames`, ascending, calls onFrame.
 * @param {Engine} engine @param {EngineFacts} facts @param {number[]} frames
 * @param {{onFrame?: (k: number, engine: Engine) => void, signal?: AbortSignal,
 *   onProgress?: (done: number, steps: number, pairsPerSecond: number) => void}} hooks
 */
async function stepThrough(engine, facts, frames, { onFrame, onProgress, signal } = {}) {
  const { bodies, steps, integrator } = facts;
  const pairs = ((bodies * (bodies - 1)) / 2) * evaluations[integrators.indexOf(integrator)];
  const slice = 15;
  const begin = performance.now();
  let [done, next, count, now, until] = [0, 0, 1, begin, begin + slice];
  while (!signal?.aborted) {
    while (frames[next] <= done) onFrame?.(next++, engine);
    if (done >= steps) break;
    const before = performance.now();
    const advance = Math.min(count, steps - done, (frames[next] ?? steps) - done);
    engine.advance(advance);
    done += advance;
    now = performance.now();
    if (now - before > slice / 3) count = Math.ceil(count / 2);
    else if (advance === count && now - before < slice / 8) count *= 2;
    if (now < until && done < steps) continue;
    onProgress?.(done, steps, (done * pairs * 1000) / (now - begin));
    await new Promise((resume) => {
      const { port1, port2 } = new MessageChannel(); // a timer would wait for 4 ms
      port1.onmessage = () => resume(port1.close());
      port2.postMessage(0);
    });
    until = performance.now() + slice;
  }
  return { seconds: (performance.now() - begin) / 1000, done };
}
