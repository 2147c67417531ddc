'use strict';
// What one does with a stage: its buttons, pointers and keys, and the link that keeps its view.

class Controls {
  /** @param {Stage} stage */
  constructor(stage) {
    const { root, canvas, run } = stage;
    this.stage = stage;
    const help = `help-${stage.index}`;
    this.said = make('p', { className: 'hear', role: 'status' });
    this.about = make('div', { className: 'about', hidden: true });
    this.noticed = 0; // when `about` changed last
    this.playButton = make(
      'button',
      { type: 'button', className: 'play', onclick: () => this.play(!stage.playing) },
      'Play',
    );
    this.scrub = make('input', {
      type: 'range',
      min: '0',
      max: run.frames - 1,
      step: 'any',
      value: '0',
    });
    this.scrub.setAttribute('aria-label', 'Time');
    this.scrub.oninput = () => this.seek(+this.scrub.value, true);
    this.scrub.onchange = () => this.say(stage.timeText);
    this.body = run.light
      ? make('input', { type: 'number', min: '0', max: run.bodies - 1, placeholder: 'number' })
      : make(
          'select',
          {},
          new Option('none', ''),
          ...stage.spheres.map((b) => new Option(stage.nameOf(b), String(b))),
        );
    this.body.onchange = () =>
      this.select(
        this.body.value === '' ? -1 : clamp(Math.trunc(+this.body.value), 0, run.bodies - 1),
      );
    this.followed = make('input', {
      type: 'checkbox',
      onchange: () => this.follow(this.followed.checked),
    });
    const speeds = [0.1, 0.25, 0.5, 1, 2, 4, 8].map(
      (s) => new Option(`${s}×`, String(s), s === 1, s === 1),
    );
    const speed = make('select', { onchange: () => (stage.speed = +speed.value) }, ...speeds);
    this.others = make('select', {}, new Option('none', ''));
    this.overlay = make('label', { hidden: true }, 'With ', this.others);
    /** @type {(() => Promise<Track>)[]} */
    this.tracks = [];
    this.others.onchange = () => this.choose();
    const loop = make('input', {
      type: 'checkbox',
      checked: true,
      onchange: () => (stage.loop = loop.checked),
    });
    this.toggles = Object.fromEntries(
      /** @type {(keyof Stage['show'])[]} */ (['names', 'paths', 'grid']).map((key) => [
        key,
        make('input', {
          type: 'checkbox',
          checked: stage.show[key],
          onchange: () => this.toggle(key, this.toggles[key].checked),
        }),
      ]),
    );
    /** @type {(text: string, act: () => void) => HTMLButtonElement} */
    const button = (text, act) => make('button', { type: 'button', onclick: act }, text);
    const panel = make(
      'div',
      { className: 'panel' },
      make('div', { className: 'view' }, canvas, this.about),
      make(
        'div',
        { className: 'bar', role: 'group', 'aria-label': 'Playback' },
        make(
          'div',
          { className: 'row' },
          this.playButton,
          this.scrub,
          make('label', {}, 'Speed ', speed),
        ),
        make(
          'div',
          { className: 'row' },
          make('label', {}, 'Body ', this.body),
          make('label', {}, this.followed, ' follow'),
          this.overlay,
          ...Object.entries(this.toggles).map(([key, box]) => make('label', {}, box, ` ${key}`)),
          make('label', {}, loop, ' loop'),
          make('span', { className: 'space' }),
          button('Reset view', () => this.reset()),
          button('Save picture', () => this.save()),
          button('Copy link', () => this.copyLink()),
          button('Full screen', () =>
            document.fullscreenElement ? document.exitFullscreen() : panel.requestFullscreen(),
          ),
        ),
      ),
      this.said,
    );
    const keys = [
      'Drag turns the view; Shift and drag, or two fingers, move it; a pinch zooms, and so does the wheel once the picture was clicked.',
      'A click selects a body, a double click follows it. With the picture in focus: arrow keys turn, with Shift they move, + and − zoom,',
      'Space plays, comma and full stop step a frame, Home and End go to the ends, [ and ] select a body, F follows it,',
      'N, P and G show names, paths and grid, R resets the view, Escape selects nothing.',
    ];
    const about = make('p', { id: help }, keys.join(' '));
    root.append(
      panel,
      make('details', { className: 'keys' }, make('summary', {}, 'Mouse, touch and keys'), about),
    );
    canvas.setAttribute(
      'aria-label',
      `${run.title}: ${run.bodies} bodies in space, which move over time`,
    );
    canvas.setAttribute('aria-describedby', help);
    stage.changed = () => this.update();
    this.listen();
  }

  /** @param {string} text to a screen reader */
  say(text) {
    this.said.textContent = text;
  }

  update() {
    const { stage, scrub, playButton, about } = this;
    scrub.value = String(stage.place);
    scrub.setAttribute('aria-valuetext', stage.timeText);
    const word = stage.playing ? 'Pause' : 'Play';
    if (playButton.textContent !== word) playButton.textContent = word;
    about.hidden = stage.selected < 0;
    if (stage.playing && performance.now() - this.noticed < 100) return;
    this.noticed = performance.now();
    if (!stage.playing) this.keepLink();
    if (stage.selected < 0) return;
    const rows = stage
      .describe(stage.selected)
      .map(([key, value]) => make('div', {}, make('span', {}, key), ` ${value}`));
    about.replaceChildren(make('b', {}, stage.nameOf(stage.selected)), ...rows);
  }

  /** @param {boolean} on */
  play(on) {
    const { stage } = this;
    if (on && stage.place >= stage.run.frames - 1) stage.place = 0;
    stage.playing = on && stage.run.frames > 1;
    stage.last = performance.now();
    if (!on) this.say(`Paused at ${stage.timeText}`);
    stage.invalidate();
  }

  /** @param {number} place @param {boolean} quiet */
  seek(place, quiet = false) {
    const { stage } = this;
    stage.place = clamp(place, 0, stage.run.frames - 1);
    stage.playing = false;
    if (!quiet) this.say(stage.timeText);
    stage.invalidate();
  }

  /** @param {number} body or −1 */
  select(body) {
    const { stage } = this;
    stage.selected = body;
    this.body.value = body < 0 ? '' : String(body);
    if (stage.following >= 0) this.follow(body >= 0);
    const words = stage.describe(body).map((row) => row.join(' '));
    this.say(body < 0 ? 'No body selected' : `${stage.nameOf(body)}: ${words.join(', ')}`);
    stage.invalidate();
  }

  /** Follows the selected body. @param {boolean} on */
  follow(on) {
    const { stage } = this;
    stage.following = on ? stage.selected : -1;
    this.followed.checked = stage.following >= 0;
    if (stage.following >= 0) this.say(`Following ${stage.nameOf(stage.following)}`);
    stage.invalidate();
  }

  /** @param {string} key @param {boolean} on */
  toggle(key, on) {
    Object.assign(this.stage.show, { [key]: on });
    this.toggles[key].checked = on;
    this.stage.invalidate();
  }

  reset() {
    this.select(-1);
    this.follow(false);
    this.stage.camera.reset();
    this.stage.invalidate();
  }

  /** @param {number} across @param {number} up in degrees */
  turn(across, up) {
    const { camera } = this.stage;
    camera.azimuth = (camera.azimuth - across) % 360;
    camera.elevation = clamp(camera.elevation + up, -90, 90);
    this.stage.invalidate();
  }

  /** @param {number} dx @param {number} dy in pixels */
  move(dx, dy) {
    const { camera } = this.stage;
    if (this.stage.following >= 0) this.follow(false);
    const s = camera.distance / camera.focal;
    camera.target = camera.target.map((t, k) => t - s * (dx * camera.right[k] - dy * camera.up[k]));
    this.stage.invalidate();
  }

  /** @param {number} factor of the distance */
  zoom(factor) {
    const { camera } = this.stage;
    camera.distance = clamp(camera.distance * factor, 1e-5 * camera.radius, 1e3 * camera.radius);
    this.stage.invalidate();
  }

  /** Offers a second history. @param {string} name @param {() => Promise<Track>} load @param {boolean} now: shows it */
  offer(name, load, now = false) {
    let option = [...this.others.options].find((o) => o.text === name);
    if (!option) this.others.add((option = new Option(name, String(this.tracks.length))));
    this.tracks[+option.value] = load;
    this.overlay.hidden = false;
    if (now) this.others.value = option.value;
    if (now) this.choose();
  }

  async choose() {
    const { stage, others } = this;
    const other = others.value === '' ? null : await this.tracks[+others.value]();
    const centre = stage.run.position.centre;
    if (other) other.offset = other.run.position.centre.map((x, k) => x - centre[k]);
    stage.other = other;
    stage.invalidate();
  }

  save() {
    const { stage } = this;
    const { ratio } = stage;
    stage.titled = true;
    stage.size(Math.max(2, ratio));
    stage.draw();
    stage.canvas.toBlob((blob) => {
      if (!blob) return;
      const name =
        stage.run.title.replace(/[^\p{L}\p{N}]+/gu, '-').replace(/^-+|-+$/g, '') || 'picture';
      const href = URL.createObjectURL(blob);
      make('a', { href, download: `${name}.png` }).click();
      setTimeout(() => URL.revokeObjectURL(href), 10000);
    });
    stage.titled = false;
    stage.size(ratio);
    stage.invalidate();
    this.say('Picture saved');
  }

  /** The view and time in the address, unless nothing was changed yet. */
  keepLink() {
    const { camera, track, selected, following, index, place } = this.stage;
    if (!track || !this.touched) return;
    /** @type {(x: number) => string} */
    const brief = (x) => String(+x.toPrecision(5));
    const view = new URLSearchParams({
      run: String(index),
      t: String(+track.timeOf(place).toPrecision(9)),
    });
    view.set('az', brief(camera.azimuth));
    view.set('el', brief(camera.elevation));
    view.set('d', brief(camera.distance / camera.radius));
    if (following < 0) view.set('at', camera.target.map((x) => brief(x / camera.radius)).join());
    if (selected >= 0) view.set(following >= 0 ? 'follow' : 'body', String(selected));
    clearTimeout(this.keeping);
    this.keeping = setTimeout(() => history.replaceState(null, '', `#${view}`), 300);
  }

  /** Takes view and time from the address; false if it has none for this stage. */
  useLink() {
    const { stage } = this;
    const { camera, track, run } = stage;
    const view = new URLSearchParams(location.hash.slice(1));
    if (!track || !view.has('t') || +(view.get('run') ?? 0) !== stage.index) return false;
    /** @type {(key: string, usual: number) => number} */
    const of = (key, usual) =>
      view.has(key) && Number.isFinite(+(view.get(key) ?? '')) ? +(view.get(key) ?? '') : usual;
    camera.azimuth = of('az', camera.azimuth);
    camera.elevation = clamp(of('el', camera.elevation), -90, 90);
    camera.distance = clamp(of('d', camera.distance / camera.radius), 1e-5, 1e3) * camera.radius;
    const at = (view.get('at') ?? '').split(',').map(Number);
    if (at.length === 3 && at.every(Number.isFinite))
      camera.target = at.map((x) => x * camera.radius);
    const body = Math.trunc(of('follow', of('body', -1)));
    if (body >= 0 && body < run.bodies) this.select(body);
    if (body >= 0 && view.has('follow')) this.follow(true);
    this.seek(track.placeOf(of('t', 0)), true);
    return true;
  }

  async copyLink() {
    this.touched = true;
    this.play(false);
    this.update();
    await new Promise((done) => setTimeout(done, 400));
    await copy(location.href);
    this.say('Link copied; the address of the page has it too');
  }

  listen() {
    const { stage } = this;
    const { canvas } = stage;
    /** @type {Map<number, PointerEvent>} */
    const pointers = new Map();
    let moved = 0;
    let gap = 0;
    canvas.onpointerdown = (e) => {
      canvas.setPointerCapture(e.pointerId);
      canvas.focus({ preventScroll: true });
      pointers.set(e.pointerId, e);
      [moved, gap] = [pointers.size > 1 ? 99 : 0, 0];
      this.touched = true;
    };
    canvas.onpointermove = (e) => {
      const before = pointers.get(e.pointerId);
      if (!before) return;
      const [dx, dy] = [e.clientX - before.clientX, e.clientY - before.clientY];
      pointers.set(e.pointerId, e);
      moved += Math.abs(dx) + Math.abs(dy);
      if (pointers.size === 2) {
        const [p, q] = [...pointers.values()];
        const wide = Math.hypot(p.clientX - q.clientX, p.clientY - q.clientY);
        if (gap > 0 && wide > 0) this.zoom(gap / wide);
        gap = wide;
        this.move(dx / 2, dy / 2);
      } else if (moved > 4) {
        if (e.shiftKey || e.buttons & 6) this.move(dx, dy);
        else this.turn(0.35 * dx, 0.35 * dy);
      }
    };
    canvas.onpointerup = canvas.onpointercancel = (e) => {
      if (!pointers.delete(e.pointerId) || e.type === 'pointercancel' || moved > 4) return;
      const box = canvas.getBoundingClientRect();
      this.select(
        stage.pick(e.clientX - box.left, e.clientY - box.top, e.pointerType === 'touch' ? 26 : 14),
      );
    };
    canvas.oncontextmenu = (e) => e.preventDefault();
    canvas.ondblclick = () => (stage.selected >= 0 ? this.follow(true) : this.reset());
    canvas.addEventListener('wheel', (e) => {
      if (document.activeElement !== canvas && !e.ctrlKey) return;
      e.preventDefault();
      this.zoom(Math.exp(0.0015 * clamp(e.deltaY * (e.deltaMode ? 16 : 1), -200, 200)));
    });
    const count = stage.run.bodies;
    /** @type {Record<string, () => void>} */
    const keys = {
      ArrowLeft: () => this.turn(5, 0),
      ArrowRight: () => this.turn(-5, 0),
      ArrowUp: () => this.turn(0, 4),
      ArrowDown: () => this.turn(0, -4),
      'Shift ArrowLeft': () => this.move(30, 0),
      'Shift ArrowRight': () => this.move(-30, 0),
      'Shift ArrowUp': () => this.move(0, 30),
      'Shift ArrowDown': () => this.move(0, -30),
      '+': () => this.zoom(0.85),
      '=': () => this.zoom(0.85),
      '-': () => this.zoom(1 / 0.85),
      ' ': () => this.play(!stage.playing),
      ',': () => this.seek(Math.ceil(stage.place) - 1),
      '.': () => this.seek(Math.floor(stage.place) + 1),
      Home: () => this.seek(0),
      End: () => this.seek(stage.run.frames - 1),
      ']': () => this.select((stage.selected + 1) % count),
      '[': () => this.select((Math.max(stage.selected, 0) + count - 1) % count),
      f: () => this.follow(stage.following < 0),
      n: () => this.toggle('names', !stage.show.names),
      p: () => this.toggle('paths', !stage.show.paths),
      g: () => this.toggle('grid', !stage.show.grid),
      r: () => this.reset(),
      Escape: () => this.select(-1),
    };
    canvas.onkeydown = (e) => {
      const act =
        (e.shiftKey && keys[`Shift ${e.key}`]) || keys[e.key] || keys[e.key.toLowerCase()];
      if (!act || e.ctrlKey || e.metaKey || e.altKey) return;
      e.preventDefault();
      this.touched = true;
      act();
    };
    new ResizeObserver(() => stage.resize()).observe(canvas);
  }
}
