// SPDX-License-Identifier: MIT
// The committed WebAssembly, through engine.js, over the lines of canonical_hashes.txt: node engine_lines.mjs SOURCES [--all].
// Exit code 1 if bits differ.
import { readFileSync } from 'node:fs';
import { exit, argv } from 'node:process';
import { setFlagsFromString } from 'node:v8';
import { runInThisContext } from 'node:vm';

setFlagsFromString('--experimental-wasm-relaxed-simd'); // which newer ones have anyway

const sources = argv[2];
const read = (name) => readFileSync(`${sources}/${name}`);
const page = (name) => read(`render/page/${name}`);
const Engine = runInThisContext(`${page('engine.js')}Engine`);
const names = read('tests/page/engine_names.hpp').toString();
const listed = (list) => names.match(new RegExp(`${list}\\[\\] = {([^}]*)}`))[1].match(/[a-z][a-z0-9-]*/g);
const [methods, laws] = ['engine_methods', 'engine_laws'].map(listed);
const most = argv.includes('--all') ? Infinity : 1e6; // interactions of a line

/** Philox4x32-10, and its 53 bits as a number below 1 (docs/canonical-order.md, "Committed bits"). */
function uniform(k) {
  const low = (a, b) => Number(BigInt.asUintN(32, BigInt(a) * BigInt(b)));
  const high = (a, b) => Number((BigInt(a) * BigInt(b)) >> 32n);
  let [c, key] = [
    [k >>> 0, Math.floor(k / 2 ** 32), 0, 0],
    [1, 0],
  ];
  for (let round = 0; round < 10; ++round) {
    const [a, b] = [0xd2511f53, 0xcd9e8d57];
    c = [(high(b, c[2]) ^ c[1] ^ key[0]) >>> 0, low(b, c[2]), (high(a, c[0]) ^ c[3] ^ key[1]) >>> 0, low(a, c[0])];
    key = [(key[0] + 0x9e3779b9) >>> 0, (key[1] + 0xbb67ae85) >>> 0];
  }
  return Number(((BigInt(c[0]) << 32n) | BigInt(c[1])) >> 11n) * 2 ** -53;
}

/** mass, x, y, z, vx, vy, vz of the committed runs. */
function cloud(n) {
  const between = (low, high, k) => low + (high - low) * uniform(k);
  const column = (number) => Float64Array.from({ length: n }, (_, i) => number(i));
  const mass = column((i) => (i % 7 === 0 && i > 0 ? 0 : between(0.5 / n, 1.5 / n, 7 * i)));
  return [
    mass,
    ...[1, 2, 3].map((q) => column((i) => between(-1, 1, 7 * i + q))),
    ...[4, 5, 6].map((q) => column((i) => between(-0.5, 0.5, 7 * i + q))),
  ];
}

/** Blocks of 256, each a binary tree, until one is left. */
function sum(terms) {
  do {
    const sums = [];
    for (let begin = 0; begin < terms.length; begin += 256) {
      const t = Array.from({ length: 256 }, (_, k) => terms[begin + k] ?? 0);
      for (let half = 128; half >= 1; half /= 2) for (let k = 0; k < half; ++k) t[k] += t[k + half];
      sums.push(t[0]);
    }
    terms = sums;
  } while (terms.length > 1);
  return terms[0];
}

function fingerprint(engine, mass, steps) {
  const [kinetic, potential] = [engine.exports.kinetic(), engine.exports.potential()]; // which know the accelerations
  const [x, v] = [engine.vectors(0), engine.vectors(1)];
  const total = (term) => sum(Array.from(mass, (m, i) => term(m, i)));
  const all = total((m) => m);
  const numbers = [kinetic, potential, ...v.map((u) => total((m, i) => m * u[i]))];
  for (const [p, q] of [
    [1, 2],
    [2, 0],
    [0, 1],
  ])
    numbers.push(total((m, i) => m * engine.exports.fma1(x[p][i], v[q][i], -(x[q][i] * v[p][i]))));
  numbers.push(...x.map((u) => (all > 0 ? total((m, i) => m * u[i]) / all : 0)));
  const second = steps > 0 ? v : engine.vectors(2);
  const bytes = new Uint8Array(Float64Array.from([...x, ...second].flatMap((u) => [...u]).concat(numbers)).buffer);
  let hash = 0xcbf29ce484222325n;
  for (const byte of bytes) hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n);
  return hash.toString(16).padStart(16, '0');
}

/** The forces of a line: law, length, factor, exponent, centre; the factors of pairs have G = 1, those of fields 1.7. */
function forcesOf(softening, fields) {
  const center = [0.1, -0.2, 0.3];
  const halos = [
    [laws.indexOf('logarithmic-halo'), 0.7, 1.3 * 1.3, 0, ...center],
    [laws.indexOf('plummer-halo'), 0.9, 1.7 * 2.1, 0, ...center],
  ];
  return [[laws.indexOf('gravity'), softening, 1, 0, 0, 0, 0], ...(fields ? halos : [])];
}

/** Steps to the end as a page does, and returns what is wrong, or nothing. */
async function faultOf(engine, line) {
  const [n, steps, integrator, softening, hash, fields] = line.split(' ');
  const columns = cloud(+n);
  const method = methods.indexOf(integrator);
  const facts = { bodies: +n, charged: false, dt: 1e-3, steps: +steps, method, evaluations: 1, forces: forcesOf(+softening, fields) };
  const frames = [...new Set([0, 0.3, 0.7, 1].map((part) => Math.floor(part * steps)))];
  const seen = [];
  engine.begin(facts, Float64Array.from(columns.flatMap((column) => [...column])));
  const done = await engine.run(facts, frames, { onMoment: (k) => seen.push(frames[k]) });
  if (done !== +steps || String(seen) !== String(frames)) return `stepped to ${done}, frames ${seen}`;
  const found = fingerprint(engine, columns[0], +steps);
  return found === hash ? '' : `found ${found}`;
}

const lines = read('tests/canonical_hashes.txt')
  .toString()
  .split('\n')
  .map((line) => [line, ...line.split(' ')])
  .filter(([line, n, steps, integrator]) => +n > 0 && methods.includes(integrator) && (1 + +steps) * n * n <= most && !line.endsWith('every-field'))
  .map(([line]) => line);
let [compared, wrong] = [0, 0];
for (const kind of ['exact', 'fused']) {
  const engine = await Engine.load(page('engine-fused.wasm'), page('engine.wasm'), kind).catch(() => null);
  if (!engine && kind === 'fused') {
    console.log('fused: left out, since this node or processor lacks it');
    continue;
  }
  for (const line of lines) {
    const fault = await faultOf(engine, line);
    ++compared;
    wrong += fault !== '';
    if (fault) console.log(`${kind}: ${line}: ${fault}`);
  }
}

/** What must be refused, and a run that is cancelled. */
async function refusals() {
  const engine = await Engine.load(page('engine-fused.wasm'), page('engine.wasm'));
  const facts = { bodies: 2, charged: false, dt: 1e-3, steps: 1e9, method: 0, evaluations: 1, forces: forcesOf(0, '') };
  const state = Float64Array.from(cloud(2).flatMap((column) => [...column]));
  const refused = (change) => {
    try {
      engine.begin({ ...facts, ...change }, state);
      return false;
    } catch (error) {
      return error instanceof Error;
    }
  };
  const changes = [{ bodies: 2 ** 27 }, { forces: Array(17).fill(facts.forces[0]) }];
  const allowed = changes.filter((change) => !refused(change));
  engine.begin(facts, state);
  const stop = new AbortController();
  let reported = 0;
  const onProgress = (share, rate) => {
    reported += share > 0 && share < 1 && rate > 0;
    if (reported === 2) stop.abort();
  };
  const done = await engine.run(facts, [], { onProgress, signal: stop.signal });
  if (reported !== 2 || !(done > 0 && done < 1e9)) allowed.push({ cancelled: done });
  const other = await Engine.load(new Uint8Array(8), new Uint8Array(8)).catch((error) => error);
  if (!(other instanceof Error)) allowed.push('no module');
  return allowed;
}
const allowed = await refusals();
for (const change of allowed) console.log(`not refused: ${JSON.stringify(change)}`);
wrong += allowed.length;

console.log(`${compared} lines, ${wrong} wrong`);
exit(wrong || lines.length !== (most > 1e6 ? 176 : 110) ? 1 : 0);
