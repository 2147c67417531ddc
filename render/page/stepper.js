'use strict';
// The run again by the engine in the page, and what becomes of it if something is changed.

class Stepper {
  /** @param {HTMLElement} mount @param {Stage} stage */
  constructor(mount, stage) {
    mount.append(find(document, '#stepper-parts').content.cloneNode(true));
    this.stage = stage;
    this.panel = find(mount, 'fieldset');
    this.facts = /** @type {EngineFacts} */ (stage.run.engine);
    const { frameSteps, bodies, charged, dt } = this.facts;
    this.steps = listed(frameSteps, stage.run.frames);
    this.seconds = 0; // that it took last
    const inputs = this.panel.elements; // the controls by their names
    const columns = ['mass', ...(charged ? ['charge'] : []), 'x', 'y', 'z', 'vx', 'vy', 'vz'];
    const fields = ['mass', 'vx', 'vy', 'vz'].map((name) => inputs[name]);
    /** @type {(field: any) => number} */
    const place = ({ name }) => columns.indexOf(name) * bodies + +inputs.body.value;
    const state = this.firstState();
    const show = () => fields.forEach((field) => (field.value = state[place(field)]));
    for (let id = 0; id < bodies; ++id) {
      const shown = stage.run.ids ? stage.run.ids.indexOf(id) : id;
      inputs.body.add(new Option(shown < 0 ? `body ${id}` : stage.nameOf(shown), String(id)));
    }
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
   * @param {EngineFacts} facts @param {Float64Array} state @param {number[]} steps @param {string} kind
   * @param {(k: number, engine: Engine) => void} onFrame
   */
  async through(facts, state, steps, kind, onFrame) {
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
      engine.begin(facts, state);
      if ((facts.steps * facts.bodies * (facts.bodies - 1)) / 2 > 1e8) {
        const begin = performance.now();
        let done = 0;
        for (; performance.now() < begin + 50; ++done) engine.advance(1);
        const minutes = ((performance.now() - begin) * facts.steps) / done / 60000;
        this.say(`This takes about ${Math.ceil(minutes)} min here.`);
        this.panel.classList.add('asking');
        await new Promise((answer) => (go.onclick = stop.signal.onabort = answer));
        engine.begin(facts, state);
      }
      this.panel.classList.remove('asking');
      /** @type {(done: number, all: number, pairs: number) => void} */
      const onProgress = (done, all, pairs) => {
        bar.value = done / all;
        rate.textContent = `${digits(Math.round(pairs / 1e6))} million pairs a second`;
      };
      const hooks = { onFrame, onProgress, signal: stop.signal };
      const { done, seconds } = await stepThrough(engine, facts, steps, hooks);
      this.seconds = seconds;
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
    const { facts, steps, stage } = this;
    const stored = facts.checked
      ? new BigUint64Array(bytesIn(`checksums-${stage.index}`).buffer)
      : [];
    let parted = -1;
    const engine = await this.through(facts, this.firstState(), steps, kind, (k, at) => {
      const same = !facts.checked || at.checksum(facts.single, facts.velocities) === stored[k];
      if (!same && parted < 0) parted = k;
    });
    if (!engine) return;
    const hash = engine.hash();
    if (hash !== facts.hash && engine.kind === 'fused') return this.repeat('exact');
    const words = `${facts.steps} steps in ${digits(this.seconds)} s end at the state ${hash}`;
    const where = parted < 0 ? '' : ` They part before frame ${parted}, step ${steps[parted]}.`;
    if (hash === facts.hash) this.say(`The same bits: ${words}, as the program’s did.`, 'good');
    else this.say(`Not the same bits: ${words}, the program’s at ${facts.hash}.${where}`, 'bad');
  }

  /** A changed run, beside the run. @param {Float64Array} state @param {number} dt */
  async vary(state, dt) {
    const { facts, stage } = this;
    const { run, track: main } = stage;
    if (!main || !(dt > 0)) return this.say('dt must be greater than 0.', 'bad');
    const steps = [...new Set(this.steps.map((s) => Math.round((s * facts.dt) / dt)))];
    const unit = dt * (run.timeScale ?? 1);
    const times = steps.map((s) => main.times[0] + (s - steps[0]) * unit);
    const at = new Float32Array(3 * run.bodies * steps.length);
    const energies = new Float64Array(steps.length);
    const changed = { ...facts, dt, steps: Math.max(1, Math.round((facts.steps * facts.dt) / dt)) };
    const engine = await this.through(changed, state, steps, 'auto', (k, engine) => {
      engine.positions().forEach((x, axis) => {
        for (let b = 0; b < run.bodies; ++b)
          at[(3 * k + axis) * run.bodies + b] = x[stage.idOf(b)] - run.position.centre[axis];
      });
      energies[k] = engine.energy().total;
    });
    if (!engine) return;
    const track = new Track(run, at, times);
    stage.offer('the changed run', async () => track);
    stage.choose('the changed run');
    track.seek(track.last);
    main.seek(main.placeOf(times[track.last]));
    const apart = main.now
      .map((x, i) => Math.abs(x - track.now[i]))
      .reduce((a, b) => Math.max(a, b));
    const length = measured(digits(apart), run.units.length);
    this.say(`The changed run is on the stage, dashed. At the end they are up to ${length} apart.`);
    const errors = [...energies].map((e) => (e - energies[0]) / Math.abs(energies[0]));
    this.chart([run.energy ?? { time: [], error: [] }, { time: times, error: errors }]);
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
