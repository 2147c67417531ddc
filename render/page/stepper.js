'use strict';
// The run again by the engine in the page, and what becomes of it if something is changed.

class Stepper {
  /** @param {HTMLElement} mount @param {Stage} stage */
  constructor(mount, stage) {
    mount.append(find(document, '#stepper-parts').content.cloneNode(true));
    this.stage = stage;
    this.panel = find(mount, 'fieldset');
    this.facts = /** @type {EngineFacts} */ (stage.run.engine);
    const { bodies, columns, dt } = this.facts;
    find(this.panel, '.scale').textContent = stage.run.energy.name;
    const inputs = this.panel.elements; // the controls by their names
    const fields = ['mass', 'vx', 'vy', 'vz'].map((name) => inputs[name]);
    /** @type {(field: any) => number} */
    const place = ({ name }) => columns.indexOf(name) * bodies + +inputs.body.value;
    const state = this.firstState();
    const show = () => fields.forEach((field) => (field.value = state[place(field)]));
    for (let id = 0; id < bodies; ++id)
      inputs.body.add(new Option(stage.nameOf(stage.bodyOf(id), id), String(id)));
    for (const field of fields) field.oninput = () => (state[place(field)] = +field.value);
    inputs.body.oninput = show;
    inputs.dt.value = dt;
    show();
    inputs.step.onclick = () => this.repeat('auto');
    inputs.vary.onclick = () => this.vary(state, +inputs.dt.value);
  }

  firstState = () => new Float64Array(bytesIn(`state-${this.stage.index}`).buffer);

  /** @param {string} text @param {string} kind a class */
  say(text, kind = '') {
    Object.assign(find(this.panel, '.result'), { textContent: text, className: `result ${kind}` });
  }

  /**
   * Steps to the end and returns the engine, or nothing if the visitor cancels; asks if it takes long.
   * @param {EngineFacts} facts @param {Float64Array} state @param {number[]} moments: steps @param {string} kind
   * @param {(k: number, engine: Engine) => void} onMoment
   */
  async through(facts, state, moments, kind, onMoment) {
    const { go, cancel } = this.panel.elements;
    const [bar, rate] = [find(this.panel, 'progress'), find(this.panel, '.rate')];
    const stop = new AbortController();
    cancel.onclick = () => stop.abort();
    this.stage.play(false);
    this.panel.classList.add('busy');
    this.say('Stepping …');
    try {
      const [fused, exact] = await Promise.all(['engine-fused', 'engine'].map(inflated));
      const engine = await Engine.load(fused, exact, kind);
      const pairs = (facts.steps * facts.evaluations * facts.bodies * (facts.bodies - 1)) / 2;
      if (pairs > 1e8) {
        const minutes = Math.ceil(pairs / (engine.kind === 'fused' ? 1.2e10 : 1.8e9));
        this.say(`This takes about ${minutes} min here.`);
        this.panel.classList.add('asking');
        await new Promise((answer) => (go.onclick = stop.signal.onabort = answer));
        this.panel.classList.remove('asking');
      }
      engine.begin(facts, state);
      const done = await engine.run(facts, moments, {
        signal: stop.signal,
        onMoment: (k) => onMoment(k, engine),
        onProgress: (share, pairs) => {
          bar.value = share;
          rate.textContent = `${digits(Math.round(pairs / 1e6))} million pairs a second`;
        },
      });
      if (done === facts.steps) return engine;
      this.say('Cancelled.');
    } catch (error) {
      this.say(String(error), 'bad');
    } finally {
      this.panel.classList.remove('busy', 'asking');
    }
  }

  /** The run as it is: the same bits? @param {string} kind of the engine @returns {Promise<void>} */
  async repeat(kind) {
    const { facts, stage } = this;
    const { steps, frameSteps, hash } = facts;
    const stored = facts.checked
      ? new BigUint64Array(bytesIn(`checksums-${stage.index}`).buffer)
      : [];
    const begin = performance.now();
    let parted = -1;
    const engine = await this.through(facts, this.firstState(), frameSteps, kind, (k, at) => {
      const same = !facts.checked || at.checksum(facts.single, facts.velocities) === stored[k];
      if (!same && parted < 0) parted = k;
    });
    if (!engine) return;
    const found = engine.hash();
    if (found !== hash && engine.kind === 'fused') return this.repeat('exact');
    const seconds = digits((performance.now() - begin) / 1000);
    const words = `${steps} steps in ${seconds} s end at the state ${found}`;
    const where =
      parted < 0 ? '' : ` They part before frame ${parted}, step ${frameSteps[parted]}.`;
    if (found === hash) this.say(`The same bits: ${words}, as the program’s did.`, 'good');
    else this.say(`Not the same bits: ${words}, the program’s at ${hash}.${where}`, 'bad');
  }

  /** A changed run, beside the run. @param {Float64Array} state @param {number} dt */
  async vary(state, dt) {
    const { facts, stage } = this;
    const { run, track: main } = stage;
    if (!main || !(dt > 0)) return this.say('dt must be greater than 0.', 'bad');
    /** @type {(steps: number) => number} */
    const scaled = (steps) => Math.round((steps * facts.dt) / dt);
    const steps = [...new Set(facts.frameSteps.map(scaled))];
    // Where bodies are in the middle between two frames tells whether their ways are known.
    const middles = steps.map((s, k) => Math.floor((s + (steps[k + 1] ?? s)) / 2));
    const times = steps.map((s) => main.times[0] + (s - steps[0]) * dt * run.timeScale);
    const row = 3 * run.bodies;
    const [at, between, velocity] = [1, 2, 3].map(() => new Float32Array(row * steps.length));
    /** @type {(to: Float32Array, k: number, vectors: Float64Array[], centre: number[], unit: number) => void} */
    const keep = (to, k, vectors, centre, unit) => {
      for (let i = 0; i < row; ++i) {
        const axis = Math.floor(i / run.bodies);
        to[k * row + i] = (vectors[axis][stage.idOf(i % run.bodies)] - centre[axis]) / unit;
      }
    };
    /** @type {number[]} */
    const energies = [];
    const changed = { ...facts, dt, steps: Math.max(1, scaled(facts.steps)) };
    const moments = steps.flatMap((s, k) => [s, middles[k]]);
    const engine = await this.through(changed, state, moments, 'auto', (i, engine) => {
      const k = i >> 1;
      keep(i & 1 ? between : at, k, engine.vectors(0), run.position.centre, 1);
      if (i & 1) return;
      keep(velocity, k, engine.vectors(1), [0, 0, 0], run.timeScale);
      energies[k] = engine.energy();
    });
    if (!engine) return;
    const places = steps.map((s, k) => k + (middles[k] - s) / (steps[k + 1] - s));
    const none = new Uint8Array(0);
    const unknown = new Track(run, times, at, velocity, none).astray(between, places);
    const track = new Track(run, times, at, velocity, unknown);
    stage.offer('the changed run', async () => track);
    stage.choose('the changed run');
    track.seek(track.last);
    main.seek(main.placeOf(times[track.last]));
    const apart = Math.max(...main.now.map((x, i) => Math.abs(x - track.now[i])));
    const length = measured(digits(apart), run.units.length);
    const gaps = unknown.some(Boolean) ? ' It has no path where frames are too far apart.' : '';
    this.say(
      `The changed run is on the stage, dashed. At the end they are up to ${length} apart.${gaps}`,
    );
    const error = energies.map((e) => (e - energies[0]) / run.energy.scale);
    this.chart([run.energy, { time: times, error }]);
  }

  /** Energy errors over time, on a logarithmic scale. @param {{time: number[], error: number[]}[]} curves */
  chart(curves) {
    const figure = find(this.panel, '.energy');
    const times = curves.flatMap(({ time }) => time);
    const sizes = curves.flatMap(({ error }) => error.map(Math.abs)).filter((e) => e > 0);
    const [low, high] = [Math.min(1e-16, ...sizes), Math.max(1e-15, ...sizes)].map(Math.log10);
    const [from, to] = [Math.min(...times), Math.max(...times)];
    curves.forEach(({ time, error }, k) => {
      const points = time.map((t, i) => {
        const e = clamp(Math.log10(Math.abs(error[i])), low, high);
        return `${(600 * (t - from)) / (to - from)},${(150 * (high - e)) / (high - low)}`;
      });
      figure.querySelectorAll('polyline')[k].setAttribute('points', points.join(' '));
    });
    const { time } = this.stage.run.units;
    const labels = [10 ** high, 10 ** low, from, to].map(digits);
    [...figure.querySelectorAll('span')].forEach((span, k) => {
      span.textContent = k < 2 ? labels[k] : `t = ${measured(labels[k], time)}`;
    });
    figure.hidden = false;
  }
}
