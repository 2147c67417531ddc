'use strict';
// The run again, by the engine in the page, and what becomes of it if something is changed.

class Stepper {
  /** @param {HTMLElement} mount @param {Controls} controls */
  constructor(mount, controls) {
    this.controls = controls;
    this.run = controls.stage.run;
    this.facts = /** @type {EngineFacts} */ (this.run.engine);
    const { frameSteps } = this.facts;
    this.steps = Array.isArray(frameSteps)
      ? frameSteps
      : Array.from({ length: this.run.frames }, (_, k) => frameSteps.from + k * frameSteps.step);
    this.button = make(
      'button',
      { type: 'button', className: 'main', onclick: () => this.repeat() },
      'Step it here',
    );
    this.bar = make('progress', { max: 1, value: 0, 'aria-label': 'Steps done', hidden: true });
    this.rate = make('span', { className: 'soft' });
    this.cancel = make('button', { type: 'button', hidden: true }, 'Cancel');
    this.goOn = make('button', { type: 'button', hidden: true }, 'Go on');
    this.result = make('p', { role: 'status' });
    this.outcome = make('div', {});
    mount.append(
      make('p', { className: 'row' }, this.button, this.bar, this.goOn, this.cancel, this.rate),
      this.result,
      this.form(),
      this.outcome,
    );
  }

  /** The state at step 0, as the engine takes it. */
  get state() {
    return new Float64Array(bytesOf(textOf(`state-${this.controls.stage.index}`)).buffer);
  }

  /** Columns of the state. */
  get columns() {
    const names = this.facts.charged ? ['mass', 'charge', 'x', 'y', 'z'] : ['mass', 'x', 'y', 'z'];
    return [...names, 'vx', 'vy', 'vz'];
  }

  /** What may be changed of the run. */
  form() {
    const { run, facts, controls } = this;
    const bodies = Array.from({ length: facts.bodies }, (_, id) => {
      const shown = run.ids ? run.ids.indexOf(id) : id;
      return new Option(shown < 0 ? `body ${id}` : controls.stage.nameOf(shown), String(id));
    });
    const body = make('select', {}, ...bodies);
    let changed = this.state;
    /** @type {(name: string, unit: string) => HTMLInputElement[]} */
    const field = () => [make('input', { type: 'number', step: 'any' })];
    const { mass, velocity, time } = run.units;
    const rows = ['mass', 'vx', 'vy', 'vz'].map((name) => {
      const [input] = field(name, '');
      const column = this.columns.indexOf(name) * facts.bodies;
      input.onchange = () =>
        Number.isFinite(input.valueAsNumber) &&
        (changed[column + +body.value] = input.valueAsNumber);
      return {
        input,
        column,
        label: make('label', {}, measured(name, name === 'mass' ? mass : velocity), ' ', input),
      };
    });
    const dt = make('input', { type: 'number', step: 'any', value: facts.dt });
    const fill = () =>
      rows.forEach(({ input, column }) => (input.value = String(changed[column + +body.value])));
    const restore = () => {
      changed = this.state;
      dt.value = String(facts.dt);
      fill();
    };
    body.onchange = fill;
    restore();
    return make(
      'details',
      {},
      make('summary', {}, 'Change something, and see the two histories part'),
      make(
        'p',
        { className: 'row' },
        make('label', {}, 'Body ', body),
        ...rows.map((r) => r.label),
      ),
      make(
        'p',
        { className: 'row' },
        make('label', {}, `dt${run.timeScale ? '' : ` ${time}`} `, dt),
        make(
          'button',
          { type: 'button', className: 'main', onclick: () => this.vary(changed, +dt.value) },
          'Step the changed run',
        ),
        make('button', { type: 'button', onclick: restore }, 'As it was'),
      ),
    );
  }

  /**
   * Steps to the end, unless the visitor thinks that it takes too long. @param {EngineFacts} facts
   * @param {Float64Array} state @param {number[]} steps @param {string} kind @param {(k: number, engine: Engine) => void} onFrame
   */
  async through(facts, state, steps, kind, onFrame) {
    const { button, bar, rate, cancel, goOn } = this;
    const stop = new AbortController();
    cancel.onclick = () => stop.abort();
    button.disabled = bar.hidden = true;
    cancel.hidden = false;
    this.controls.play(false);
    try {
      const engine = await Engine.load(
        await inflated('engine-fused'),
        await inflated('engine'),
        kind,
      );
      engine.begin(facts, state);
      if ((facts.steps * facts.bodies * (facts.bodies - 1)) / 2 > 1e8) {
        const begin = performance.now();
        let done = 0;
        for (let some = 1; performance.now() - begin < 40; some *= 2) {
          engine.advance(some);
          done += some;
        }
        const seconds = ((performance.now() - begin) / 1000 / done) * facts.steps;
        this.result.textContent = `This takes about ${duration(seconds)} in this browser.`;
        goOn.hidden = false;
        await new Promise((answer) => (goOn.onclick = stop.signal.onabort = answer));
        goOn.hidden = true;
        engine.begin(facts, state);
      }
      bar.hidden = false;
      if (stop.signal.aborted) return null;
      const { seconds, done } = await stepThrough(engine, facts, steps, {
        onFrame,
        onProgress: (done, all, pairs) => {
          bar.value = done / all;
          rate.textContent =
            pairs > 0 ? `${digits(+(pairs / 1e6).toPrecision(2))} million pairs a second` : '';
        },
        signal: stop.signal,
      });
      return done < facts.steps ? null : { engine, seconds };
    } finally {
      cancel.hidden = bar.hidden = goOn.hidden = true;
      button.disabled = false;
      rate.textContent = '';
    }
  }

  /** The run as it is: the same bits? @param {string} kind of the engine */
  async repeat(kind = 'auto') {
    const { facts, result, steps, run } = this;
    const stored = facts.checked
      ? new BigUint64Array(bytesOf(textOf(`checksums-${this.controls.stage.index}`)).buffer)
      : null;
    let parted = -1;
    result.className = '';
    result.textContent = 'Stepping …';
    const found = await this.through(facts, this.state, steps, kind, (k, engine) => {
      if (stored && parted < 0 && engine.checksum(facts.single, facts.velocities) !== stored[k])
        parted = k;
    });
    if (!found) {
      result.textContent = 'Cancelled.';
      return;
    }
    const { engine, seconds } = found;
    const hash = engine.hash();
    const same = hash === facts.hash;
    if (!same && kind === 'auto' && engine.kind === 'fused') {
      await this.repeat('exact');
      return;
    }
    const time = this.controls.stage.track?.timeOf(parted);
    const where =
      parted < 0
        ? ''
        : ` They parted by frame ${parted}, ${measured(`t = ${digits(time ?? 0)}`, run.units.time)}, step ${steps[parted]}.`;
    const took = `${facts.steps.toLocaleString('en')} steps in ${duration(seconds)}`;
    result.className = same ? 'good' : 'bad';
    result.replaceChildren(
      same
        ? `The same bits, to the last one: ${took} give the state `
        : `Not the same bits: ${took} give the state `,
      make('code', {}, hash),
      same ? ', as the program does.' : `, the program’s is ${facts.hash}.${where}`,
    );
  }

  /** A run with another state or step, beside the run itself. @param {Float64Array} state @param {number} dt */
  async vary(state, dt) {
    const { run, facts, controls, outcome, result } = this;
    const main = controls.stage.track;
    if (!main || !(dt > 0)) return;
    const scale = run.timeScale ?? 1;
    const start = main.timeOf(0) - this.steps[0] * facts.dt * scale;
    const steps = [...new Set(this.steps.map((s) => Math.round((s * facts.dt) / dt)))];
    const varied = {
      ...facts,
      dt,
      steps: Math.max(steps[steps.length - 1], Math.round((facts.steps * facts.dt) / dt)),
    };
    const n = run.bodies;
    const at = new Float32Array(3 * n * steps.length);
    const every = Math.ceil(steps.length / 200);
    /** @type {{time: number[], error: number[]}} */
    const energy = { time: [], error: [] };
    let [first, size] = [0, 0];
    result.className = '';
    result.textContent = 'Stepping the changed run …';
    const found = await this.through(varied, state, steps, 'auto', (k, engine) => {
      engine.positions().forEach((x, axis) => {
        const to = (3 * k + axis) * n;
        for (let b = 0; b < n; ++b)
          at[to + b] = x[run.ids ? run.ids[b] : b] - run.position.centre[axis];
      });
      if (k % every) return;
      const { kinetic, potential, total } = engine.energy();
      const whole = kinetic + Math.abs(potential);
      if (k === 0)
        [first, size] = [total, Math.abs(total) > 1e-4 * whole ? Math.abs(total) : whole || 1];
      energy.time.push(start + steps[k] * dt * scale);
      energy.error.push((total - first) / size);
    });
    result.textContent = found ? '' : 'Cancelled.';
    if (!found) return;
    const track = new Track(
      run,
      at,
      steps.map((s) => start + s * dt * scale),
    );
    controls.offer('changed run', async () => track, true);
    const { where, last } = parting(main, track);
    const { length, time } = run.units;
    outcome.replaceChildren(
      make(
        'p',
        {},
        `The changed run is on the stage above, dashed. At the end the two are up to ${measured(digits(last), length)} apart` +
          (where === null
            ? '.'
            : `; more than a hundredth of the picture from ${measured(`t = ${digits(where)}`, time)} on.`),
      ),
      energyChart(
        [
          { name: 'the run', ...(run.energy ?? { time: [], error: [] }) },
          { name: 'changed', ...energy },
        ],
        time,
      ),
    );
  }
}

/** How far two histories are apart at the end, and from when on that is visible. @param {Track} main @param {Track} other */
function parting(main, other) {
  /** @type {number | null} */
  let where = null;
  let last = 0;
  for (let k = 0; k < other.frames; ++k) {
    other.seek(k);
    main.seek(main.placeOf(other.timeOf(k)));
    last = 0;
    for (let b = 0; b < main.bodies; ++b) {
      const p = main.where(b);
      last = Math.max(last, Math.hypot(...other.where(b).map((x, axis) => x - p[axis])));
    }
    if (last <= 0.01 * main.run.view.radius) where = null;
    else where ??= other.timeOf(k);
  }
  return { where, last };
}

/** @param {number} seconds */
function duration(seconds) {
  if (seconds < 100) return `${+seconds.toPrecision(2)} s`;
  return seconds < 5400
    ? `${Math.round(seconds / 60)} minutes`
    : `${+(seconds / 3600).toPrecision(2)} hours`;
}

/** @param {string} tag @param {Record<string, unknown>} attributes @param {(Node | string)[]} children */
function drawn(tag, attributes, ...children) {
  const node = document.createElementNS('http://www.w3.org/2000/svg', tag);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, String(value));
  node.append(...children);
  return node;
}

/**
 * Errors of the energy on a logarithmic scale.
 * @param {{name: string, time: number[], error: number[]}[]} curves @param {string} unit of time
 */
function energyChart(curves, unit) {
  const [wide, high, left, top] = [620, 190, 64, 26];
  const sizes = curves.flatMap((c) => c.error.map(Math.abs)).filter((e) => e > 0);
  const times = curves.flatMap((c) => c.time);
  const low = Math.floor(Math.log10(Math.max(1e-18, Math.min(...sizes, 1e-9))));
  const up = Math.max(low + 1, Math.ceil(Math.log10(Math.max(...sizes, 1e-12))));
  const [from, to] = [Math.min(...times), Math.max(...times)];
  /** @type {(t: number) => number} */
  const x = (t) => left + (wide * (t - from)) / (to - from || 1);
  /** @type {(e: number) => number} */
  const y = (e) => top + (high * (up - Math.log10(Math.max(e, 10 ** low)))) / (up - low);
  const chart = drawn('svg', {
    viewBox: `0 0 ${left + wide + 20} ${top + high + 46}`,
    role: 'img',
    class: 'energy',
  });
  chart.append(
    drawn('title', {}, 'Relative error of the energy of the run and of the changed run over time'),
  );
  const decades = Math.ceil((up - low) / 5);
  for (let k = low; k <= up; k += decades) {
    chart.append(
      drawn('line', { x1: left, x2: left + wide, y1: y(10 ** k), y2: y(10 ** k), class: 'grid' }),
    );
    chart.append(
      drawn(
        'text',
        { x: left - 8, y: y(10 ** k) + 4, 'text-anchor': 'end' },
        digits(10 ** k).replace('1.00·', ''),
      ),
    );
  }
  const step = roundLength((to - from) / 3 || 1);
  for (let t = Math.ceil(from / step) * step; t <= to + 1e-9 * step; t += step) {
    chart.append(
      drawn('text', { x: x(t), y: top + high + 18, 'text-anchor': 'middle' }, digits(t)),
    );
  }
  const label = unit ? `t / ${unit}` : 't';
  chart.append(
    drawn('text', { x: left + wide / 2, y: top + high + 38, 'text-anchor': 'middle' }, label),
  );
  chart.append(drawn('text', { x: 4, y: 14 }, '|ΔE/E₀|'));
  curves.forEach(({ name, time, error }, k) => {
    const points = error.map((e, i) => `${x(time[i]).toFixed(1)},${y(Math.abs(e)).toFixed(1)}`);
    chart.append(drawn('polyline', { points: points.join(' '), class: `curve-${k}` }));
    chart.append(drawn('text', { x: left + 110 + 110 * k, y: 14, class: `curve-${k}` }, name));
  });
  return chart;
}
