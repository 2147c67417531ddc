'use strict';
// What one does with a view: play, turn, select; by its controls, pointers and keys, and by a link.

class Stage extends View {
  /** @param {HTMLElement} root @param {Run} run @param {number} index of the run */
  constructor(root, run, index) {
    super(root, run);
    const { inputs, panel, canvas } = this;
    this.index = index;
    this.visible = this.playing = this.touched = false; // the link keeps what the visitor has touched
    this.asked = this.before = this.drawing = this.keeping = this.noticed = 0;
    /** @type {(() => Promise<Track>)[]} second histories */
    this.others = [];
    /** @type {Map<number, PointerEvent>} */
    this.pointers = new Map();
    this.moved = this.gap = 0; // by pointers, and between two, in pixels
    root.classList.add('live');
    canvas.setAttribute('aria-label', `${run.title}: ${run.bodies} bodies in space over time`);
    inputs.time.max = run.frames - 1;
    inputs.body.max = run.bodies - 1;
    inputs.names.checked = !run.light && run.bodies <= 12;
    inputs.grid.checked = !run.light;
    root.onclick = ({ target }) => this.act(target, 'button');
    /** @type {(event: Event) => void} */
    panel.onchange = ({ target }) => this.act(target, 'select, input');
    inputs.time.oninput = () => this.act(inputs.time, 'input');
    canvas.onkeydown = (event) => {
      const arrow = event.shiftKey && event.key.startsWith('Arrow') ? 'shift ' : '';
      const control = find(root, `[data-key="${CSS.escape(arrow + event.key.toLowerCase())}"]`);
      if (!control || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      control.click();
    };
    canvas.onpointerdown = (event) => this.press(event);
    canvas.onpointermove = (event) => this.drag(event);
    canvas.onpointerup = canvas.onpointercancel = (event) => this.release(event);
    canvas.oncontextmenu = (event) => event.preventDefault();
    canvas.ondblclick = () => this.follow(1);
    canvas.onwheel = (event) => {
      if (document.activeElement !== canvas && !event.ctrlKey) return;
      event.preventDefault();
      this.zoom(Math.exp(clamp(event.deltaY * (event.deltaMode ? 16 : 1), -200, 200) / 700));
    };
    new ResizeObserver(() => {
      this.resize();
      this.invalidate();
    }).observe(canvas);
  }

  /** Does what a control says. @param {any} target of an event @param {string} kind of the control */
  act(target, kind) {
    const control = target.closest(kind);
    if (!control) return;
    const value = control.type === 'checkbox' ? control.checked : control.value || -1;
    const by = control.dataset.by?.split(',') ?? [value];
    if (control.dataset.do) /** @type {any} */ (this)[control.dataset.do](...by.map(Number));
    this.invalidate();
  }

  /** Asks for a new picture. */
  invalidate() {
    if (this.asked || !this.track || !this.visible) return;
    this.asked = requestAnimationFrame((now) => {
      this.asked = 0;
      this.advance(now);
      const begin = performance.now();
      this.draw('', this.playing ? 0.03 : 1);
      this.drawing += 0.1 * (performance.now() - begin - this.drawing); // milliseconds
      this.update();
    });
  }

  /** @param {number} now in milliseconds */
  advance(now) {
    const passed = clamp((now - this.before) / 1000, 0, 0.1);
    this.before = now;
    if (!this.playing) return;
    const last = this.run.frames - 1;
    this.place += (passed * +this.inputs.speed.value * last) / this.run.seconds;
    if (this.place > last) this.playing = this.inputs.loop.checked;
    if (this.place > last) this.place = this.playing ? this.place % last : last;
    this.invalidate();
  }

  /** The controls, after a picture. */
  update() {
    const { time, play } = this.inputs;
    time.value = this.place;
    time.setAttribute('aria-valuetext', this.timeText);
    play.textContent = this.playing ? 'Pause' : 'Play';
    if (this.playing && performance.now() < this.noticed + 100) return;
    this.noticed = performance.now();
    const about = find(this.panel, '.about');
    about.hidden = this.selected < 0;
    about.textContent = this.describe(this.selected).join('\n');
    clearTimeout(this.keeping);
    if (this.touched && !this.playing) this.keeping = setTimeout(() => this.keepLink(), 300);
  }

  /** To a screen reader. @param {string} text */
  say = (text) => (find(this.panel, '.hear').textContent = text);

  /** @param {boolean} on */
  play(on) {
    if (on && this.place >= this.run.frames - 1) this.place = 0;
    this.playing = on && this.run.frames > 1;
    this.before = performance.now();
    if (!on) this.say(`Paused at ${this.timeText}`);
    this.invalidate();
  }
  toggle = () => this.play(!this.playing);

  /** @param {number} place */
  seek(place) {
    this.place = clamp(place, 0, this.run.frames - 1);
    this.play(false);
    this.touched = true;
  }
  /** @param {number} by frames */
  step = (by) => this.seek(by + (by < 0 ? Math.ceil(this.place) : Math.floor(this.place)));

  /** @param {number} body or −1 */
  select(body) {
    this.selected = body < this.run.bodies ? Math.trunc(body) : -1;
    this.inputs.body.value = this.selected < 0 ? '' : body;
    this.follow(+(this.following >= 0));
    this.say(this.describe(this.selected).join(', ') || 'No body selected');
  }
  /** @param {number} by */
  next = (by) =>
    this.select((this.selected + by + this.run.bodies + +(this.selected < by)) % this.run.bodies);

  /** @param {number} on: 1 if the selected body stays in the middle */
  follow(on) {
    this.following = on ? this.selected : -1;
    this.inputs.follow.checked = this.following >= 0;
    if (this.following >= 0) this.say(`Following ${this.nameOf(this.following)}`);
    this.invalidate();
  }

  reset() {
    this.select(-1);
    this.camera.reset();
  }

  /** @param {number} left @param {number} up in degrees */
  turn(left, up) {
    this.camera.azimuth = (this.camera.azimuth - left) % 360;
    this.camera.elevation = clamp(this.camera.elevation + up, -90, 90);
    this.touched = true;
    this.invalidate();
  }

  /** @param {number} dx @param {number} dy in pixels */
  move(dx, dy) {
    const { target, right, up, distance, focal } = this.camera;
    const scale = distance / focal;
    this.follow(0);
    this.camera.target = target.map((t, k) => t - scale * (dx * right[k] - dy * up[k]));
    this.touched = true;
  }

  /** @param {number} factor of the distance */
  zoom(factor) {
    const { distance, radius } = this.camera;
    this.camera.distance = clamp(distance * factor, 1e-5 * radius, 1e3 * radius);
    this.touched = true;
    this.invalidate();
  }

  full = () =>
    document.fullscreenElement ? document.exitFullscreen() : this.panel.requestFullscreen();

  /** Offers a second history, and returns its number. @param {string} name @param {() => Promise<Track>} load */
  offer(name, load) {
    const { other } = this.inputs;
    const found = [...other.options].findIndex((option) => option.text === name) - 1;
    const number = found < 0 ? this.others.length : found;
    if (found < 0) other.add(new Option(name, String(number)));
    this.others[number] = load;
    other.parentElement.hidden = false;
    return number;
  }

  /** Shows a second history. @param {number} number, or −1 */
  async choose(number) {
    this.inputs.other.value = number;
    const other = (await this.others[number]?.()) ?? null;
    const { centre } = this.run.position;
    if (other) other.offset = other.run.position.centre.map((x, k) => x - centre[k]);
    this.other = other;
    this.invalidate();
  }

  /** Saves the picture, in at least twice as many pixels. */
  save() {
    this.resize(Math.max(2, devicePixelRatio));
    this.draw(this.run.title);
    this.canvas.toBlob((blob) => {
      const link = document.createElement('a');
      link.download = `${this.run.title.replace(/[^\p{L}\p{N}]+/gu, '-')}.png`;
      link.href = URL.createObjectURL(/** @type {Blob} */ (blob));
      link.click();
    });
    this.resize();
  }

  /** Keeps view and time in the address. */
  keepLink() {
    const { azimuth, elevation, distance, target } = this.camera;
    const [az, el, d, ...at] = [azimuth, elevation, distance, ...target].map(
      (x) => +x.toPrecision(6),
    );
    const t = +(this.track?.timeOf(this.place) ?? 0).toPrecision(9);
    const all = {
      run: this.index,
      t,
      az,
      el,
      d,
      at,
      body: this.selected,
      follow: +(this.following >= 0),
    };
    const words = Object.entries(all).map(([key, value]) => `${key}=${value}`);
    history.replaceState(null, '', `#${words.join('&')}`);
  }

  /** Takes view and time from the address; false if it has none for this stage. */
  useLink() {
    const view = new URLSearchParams(location.hash.slice(1));
    /** @type {(key: string, usual: number) => number} */
    const number = (key, usual) => {
      const value = parseFloat(view.get(key) ?? '');
      return Number.isFinite(value) ? value : usual;
    };
    const at = (view.get('at') ?? '').split(',').map(Number);
    if (!this.track || !view.has('t') || number('run', 0) !== this.index) return false;
    const { camera } = this;
    camera.azimuth = number('az', camera.azimuth);
    camera.elevation = number('el', camera.elevation);
    camera.distance = number('d', camera.distance);
    if (at.length === 3 && at.every(Number.isFinite)) camera.target = at;
    this.turn(0, 0);
    this.zoom(1);
    this.select(Math.max(-1, number('body', -1)));
    this.follow(number('follow', 0));
    this.seek(this.track.placeOf(number('t', 0)));
    return true;
  }

  async copy() {
    this.play(false);
    this.keepLink();
    await navigator.clipboard.writeText(location.href);
    this.say('Link copied');
  }

  /** @param {PointerEvent} event */
  press(event) {
    this.canvas.setPointerCapture(event.pointerId);
    this.canvas.focus({ preventScroll: true });
    this.pointers.set(event.pointerId, event);
    [this.moved, this.gap] = [this.pointers.size > 1 ? 99 : 0, 0];
  }

  /** @param {PointerEvent} event */
  drag(event) {
    const before = this.pointers.get(event.pointerId);
    if (!before) return;
    const [dx, dy] = [event.clientX - before.clientX, event.clientY - before.clientY];
    if (Math.abs(dx) + Math.abs(dy) + this.moved <= 4) return;
    this.moved = 99;
    this.pointers.set(event.pointerId, event);
    const [p, q] = this.pointers.values();
    if (q) {
      const wide = Math.hypot(p.clientX - q.clientX, p.clientY - q.clientY);
      this.move(dx / 2, dy / 2);
      this.zoom(this.gap > 0 ? this.gap / wide : 1);
      this.gap = wide;
    } else if (event.shiftKey || event.buttons & 6) this.move(dx, dy);
    else this.turn(0.35 * dx, 0.35 * dy);
  }

  /** @param {PointerEvent} event */
  release(event) {
    if (!this.pointers.delete(event.pointerId) || event.type === 'pointercancel' || this.moved)
      return;
    this.select(this.pick(event.offsetX, event.offsetY, event.pointerType === 'touch' ? 26 : 14));
  }
}
