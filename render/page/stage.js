'use strict';
// What one does with a view: play, turn, select; by its controls, pointers and keys, and by a link.

class Stage extends View {
  /** @param {HTMLElement} root @param {Run} run @param {number} index of the run */
  constructor(root, run, index) {
    super(root, run);
    const { inputs, panel, canvas } = this;
    this.index = index;
    this.visible = this.playing = false;
    this.asked = this.before = 0; // an animation frame, and when it was
    this.drawing = 0; // milliseconds of a picture
    /** @type {Map<string, () => Promise<Track>>} second histories by their names */
    this.others = new Map();
    /** @type {Map<number, PointerEvent>} */
    this.pointers = new Map();
    this.still = true; // whether pointers have not moved
    canvas.setAttribute('aria-label', `${run.title}: ${run.bodies} bodies in space over time`);
    this.last = inputs.time.max = run.times.length - 1; // frame
    inputs.names.checked = !run.light && run.bodies <= 12;
    inputs.grid.checked = !run.light;
    root.onclick = (event) => this.act(event.target, 'button');
    root.onchange = (event) => this.act(event.target, 'select, input');
    inputs.time.oninput = root.onchange;
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
      this.zoom(Math.exp(clamp(event.deltaY, -200, 200) / 700));
      this.invalidate();
    };
    new ResizeObserver(() => {
      this.resize();
      this.invalidate();
    }).observe(canvas);
  }

  /** Draws only while it is seen, and unpacks the frames then. @param {boolean} visible */
  async show(visible) {
    this.visible = visible;
    this.invalidate();
    if (!visible || this.loading) return;
    this.loading = Track.load(this.run, this.index);
    this.track = await this.loading;
    this.root.classList.add('live');
    this.resize();
    if (!this.useLink()) this.play(!matchMedia('(prefers-reduced-motion: reduce)').matches);
    this.root.dataset.ready = String(Math.round(performance.now()));
  }

  /** Does what a control says. @param {any} target of an event @param {string} kind of the control */
  act(target, kind) {
    const control = target.closest(kind);
    if (!control) return;
    const value = control.type === 'checkbox' ? +control.checked : control.value;
    const by = control.dataset.by?.split(',').map(Number) ?? [value];
    if (control.dataset.do) /** @type {any} */ (this)[control.dataset.do](...by);
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
      this.drawing += 0.05 * (performance.now() - begin - this.drawing);
      if (this.drawing > 25 && this.light && this.fineness > 0.5) {
        [this.fineness, this.drawing] = [0.8 * this.fineness, 0]; // fewer pixels
        this.resize();
      }
      this.update();
    });
  }

  /** @param {number} now in milliseconds */
  advance(now) {
    const passed = clamp((now - this.before) / 1000, 0, 0.1);
    this.before = now;
    if (!this.playing) return;
    const { last, inputs } = this;
    this.place += (passed * inputs.speed.value * last) / this.run.seconds;
    if (this.place > last) this.playing = inputs.loop.checked;
    if (this.place > last) this.place = this.playing ? this.place % last : last;
    this.invalidate();
  }

  /** The controls, after a picture. */
  update() {
    const { time, play } = this.inputs;
    time.value = this.place;
    time.setAttribute('aria-valuetext', this.timeText);
    put(play, this.playing ? 'Pause' : 'Play');
    put(find(this.panel, '.about'), this.describe(this.selected).join('\n'));
  }

  /** To a screen reader. @param {string} text */
  say = (text) => (find(this.panel, '.hear').textContent = text);

  /** @param {boolean} on */
  play(on) {
    if (on && this.place >= this.last) this.place = 0;
    this.playing = on && this.last > 0;
    this.before = performance.now();
    if (!on) this.say(`Paused at ${this.timeText}`);
    this.invalidate();
  }
  toggle = () => this.play(!this.playing);

  /** @param {number} place */
  seek(place) {
    this.place = clamp(+place, 0, this.last);
    this.play(false);
  }

  /** @param {number} by frames */
  step = (by) => this.seek(by + (by < 0 ? Math.ceil(this.place) : Math.floor(this.place)));

  /** @param {string} id of the body in the run, or "" */
  find = (id) => this.select(id === '' ? -1 : this.bodyOf(Math.trunc(+id)));

  /** @param {number} body or −1 */
  select(body) {
    this.selected = clamp(Math.trunc(body), -1, this.run.bodies - 1);
    this.inputs.body.value = body < 0 ? '' : this.idOf(body);
    if (body < 0) this.follow(0);
    this.say(this.describe(body).join(', ') || 'No body selected');
    this.invalidate();
  }

  /** The body before or after the selected one. @param {number} by −1 or 1 */
  next = (by, n = this.run.bodies) =>
    this.select((Math.max(this.selected, by < 0 ? 0 : -1) + by + n) % n);

  /** @param {number} on: 1 if the selected body stays in the middle */
  follow(on) {
    const follows = (this.inputs.follow.checked = on > 0 && this.selected >= 0);
    if (follows) this.say(`Following ${this.nameOf(this.selected)}`);
  }

  reset() {
    this.select(-1);
    this.camera.view = { ...this.camera.start };
  }

  /** @param {number} left @param {number} up in degrees */
  turn(left, up) {
    const { view } = this.camera;
    view.az = (view.az - left) % 360;
    view.el = clamp(view.el + up, -90, 90);
  }

  /** @param {number} dx @param {number} dy in pixels */
  move(dx, dy) {
    const { view, target, right, up, focal } = this.camera;
    const [x, y, z] = target.map((t, k) => t - (view.d / focal) * (dx * right[k] - dy * up[k]));
    this.follow(0);
    Object.assign(view, { x, y, z });
  }

  /** @param {number} factor of the distance */
  zoom(factor) {
    const { view, radius } = this.camera;
    view.d = clamp(view.d * factor, 1e-5 * radius, 1e3 * radius);
  }

  full() {
    if (document.fullscreenElement) document.exitFullscreen();
    else this.panel.requestFullscreen();
  }

  /** Offers a second history. @param {string} name @param {() => Promise<Track>} load */
  offer(name, load) {
    const { other } = this.inputs;
    if (!this.others.has(name)) other.add(new Option(name));
    this.others.set(name, load);
    other.parentElement.hidden = false;
  }

  /** Shows a second history. @param {string} name */
  async choose(name) {
    this.inputs.other.value = name;
    const other = (await this.others.get(name)?.()) ?? null;
    const { centre } = this.run.position;
    if (other) other.offset = other.run.position.centre.map((x, k) => x - centre[k]);
    this.other = other;
    this.invalidate();
  }

  /** Saves the picture, in at least twice as many pixels. */
  save() {
    this.resize(Math.max(2, devicePixelRatio));
    this.draw(this.run.title);
    const download = `${this.run.title.replace(/[^\p{L}\p{N}]+/gu, '-')}.png`;
    const link = document.createElement('a');
    Object.assign(link, { download, href: this.canvas.toDataURL() }).click();
    this.resize();
  }

  /** View and time as numbers. @returns {Record<string, number>} */
  get state() {
    const [t, follow] = [this.track?.timeOf(this.place) ?? 0, +this.inputs.follow.checked];
    return { run: this.index, t, ...this.camera.view, body: this.selected, follow };
  }

  /** Copies an address that keeps them. */
  link() {
    const words = Object.entries(this.state).map(([key, x]) => `${key}=${+x.toPrecision(9)}`);
    history.replaceState(null, '', `#${words.join('&')}`);
    navigator.clipboard?.writeText(location.href);
    this.say('The link is copied');
  }

  /** Takes them from the address; false if it has none for this stage. */
  useLink() {
    const words = [...new URLSearchParams(location.hash.slice(1))];
    /** @type {Record<string, number>} */
    const given = Object.fromEntries(words.map(([key, value]) => [key, parseFloat(value)]));
    const { run, t, body, follow, ...view } = Object.assign(this.state, { run: 0 }, given);
    const valid = 't' in given && run === this.index && Object.values(given).every(Number.isFinite);
    if (!valid || !this.track) return false;
    Object.assign(this.camera.view, view);
    this.turn(0, 0);
    this.zoom(1);
    this.select(body);
    this.follow(follow);
    this.seek(this.track.placeOf(t));
    return true;
  }

  /** @param {PointerEvent} event */
  press(event) {
    this.canvas.setPointerCapture(event.pointerId);
    this.canvas.focus({ preventScroll: true });
    this.pointers.set(event.pointerId, event);
    this.still = this.pointers.size === 1;
  }

  /** @param {PointerEvent} event */
  drag(event) {
    const before = this.pointers.get(event.pointerId);
    if (!before) return;
    const [dx, dy] = [event.clientX - before.clientX, event.clientY - before.clientY];
    if (this.still && Math.abs(dx) + Math.abs(dy) < 4) return;
    const gap = this.gap();
    this.still = false;
    this.pointers.set(event.pointerId, event);
    this.invalidate();
    if (gap > 0) this.zoom(gap / this.gap());
    if (gap > 0) this.move(dx / 2, dy / 2);
    else if (event.shiftKey || event.buttons & 6) this.move(dx, dy);
    else this.turn(0.35 * dx, 0.35 * dy);
  }

  /** The distance of two fingers, or 0. */
  gap() {
    const [p, q] = this.pointers.values();
    return q ? Math.hypot(p.clientX - q.clientX, p.clientY - q.clientY) || 1 : 0;
  }

  /** @param {PointerEvent} event */
  release(event) {
    if (!this.pointers.delete(event.pointerId) || event.type === 'pointercancel' || !this.still)
      return;
    this.select(this.pick(event.offsetX, event.offsetY, event.pointerType === 'touch' ? 26 : 14));
  }
}
