'use strict';
// A run in space, drawn on a canvas.

const looks = {
  dark: { ground: '#0d0f16', ink: '#e8eaf0', soft: '#969caa', line: '#2a3040', second: '#f6923e' },
  light: { ground: '#ffffff', ink: '#18181c', soft: '#60626a', line: '#dcdfe4', second: '#d55e00' },
};
/** @typedef {typeof looks.dark & {dark: boolean, colors: string[]}} Look */

class View {
  /** @param {HTMLElement} root @param {Run} run */
  constructor(root, run) {
    root.append(find(document, '#stage-parts').content.cloneNode(true));
    this.root = root;
    this.run = run;
    this.panel = find(root, 'fieldset');
    this.inputs = this.panel.elements; // the controls by their names
    /** @type {HTMLCanvasElement} */
    this.canvas = find(root, 'canvas');
    const context = this.canvas.getContext('2d', { alpha: false, willReadFrequently: true });
    this.context = /** @type {CanvasRenderingContext2D} */ (context);
    this.camera = new Camera(run.view);
    this.kinds = bytesOf(run.color);
    /** @type {Light | null} */
    this.light = null;
    this.greatest = Math.max(...run.spheres.map(this.massOf)) || 1;
    /** @type {Track | null} */
    this.track = null;
    /** @type {Track | null} a second history, shown at the same time */
    this.other = null;
    this.place = 0; // in frames
    this.selected = -1; // body
    /** @type {number[]} which side of a body its name is on */
    this.sides = [];
    this.width = this.height = this.fineness = 1;
    this.look = this.lookOf();
  }

  /** @returns {Look} the colours of the page's theme */
  lookOf() {
    const theme = getComputedStyle(this.root).colorScheme === 'dark' ? 'dark' : 'light';
    return { dark: theme === 'dark', colors: this.run.colors[theme], ...looks[theme] };
  }

  /** @param {number} body */
  colorOf = (body) => this.look.colors[this.kinds[body]];
  /** @param {number} body */
  massOf = (body) => this.run.mass[body] ?? this.run.mass[0];
  /** The number of a body in the run. @param {number} body */
  idOf = (body) => this.run.ids?.[body] ?? body;
  /** The body of this number, or −1. @param {number} id */
  bodyOf = (id) => (this.run.ids ? this.run.ids.indexOf(id) : id < this.run.bodies ? id : -1);
  /** @param {number} body @param {number} id */
  nameOf = (body, id = this.idOf(body)) => this.run.names?.[body] || `body ${id}`;

  get timeText() {
    const time = (this.track?.timeOf(this.place) ?? 0).toFixed(this.run.decimals);
    return `t = ${measured(time.replace('-', '\u2212'), this.run.units.time)}`;
  }

  /** Fits the canvas to the page, and the first view to the canvas. @param {number} ratio pixels of the canvas to one of the page */
  resize(ratio = Math.min(devicePixelRatio, this.run.light ? 1.5 : 2) * this.fineness) {
    const { canvas, camera, run } = this;
    const [width, height] = [canvas.clientWidth || 1, canvas.clientHeight || 1];
    [this.width, this.height] = [width, height];
    [canvas.width, canvas.height] = [Math.round(width * ratio), Math.round(height * ratio)];
    if (run.light) this.light = new Light(run, this.kinds, canvas.width, canvas.height);
    if (camera.view.d === camera.start.d) camera.fit(width, height, run.view.extremes);
  }

  /** @param {string} title: written above, for pictures @param {number} share: see Light.expose() */
  draw(title = '', share = 1) {
    const { context: c, track, other, light, camera, canvas, inputs, width, height } = this;
    if (!track) return;
    const { ground, line, soft } = (this.look = this.lookOf());
    track.seek(this.place);
    other?.seek(other.placeOf(track.timeOf(this.place)));
    const { view } = camera;
    if (inputs.follow.checked) [view.x, view.y, view.z] = track.where(this.selected);
    light?.paint(c, track, other, camera, this.look, share);
    c.setTransform(canvas.width / width, 0, 0, canvas.height / height, 0, 0);
    camera.frame(width, height);
    c.fillStyle = ground;
    if (!light) c.fillRect(0, 0, width, height);
    const { grid, walls, ends } = this.run.lines;
    for (const points of inputs.grid.checked ? grid : []) this.stroke(points, line, 1);
    for (const points of walls) this.stroke(points, soft, 0.7);
    for (const points of ends) this.stroke(points, soft, 0.7, 1, true);
    const pathed = light ? [this.selected] : this.run.spheres;
    for (const body of inputs.paths.checked ? pathed.filter((b) => b >= 0) : []) {
      this.drawPath(track, body);
      if (other) this.drawPath(other, body);
    }
    this.drawBodies(track);
    this.drawNames(track);
    this.drawNotes(title);
  }

  /**
   * Strokes a line in space, less points within a pixel of the one before.
   * @param {ArrayLike<number>} points, three numbers each @param {string} color @param {number} alpha @param {number} width
   * @param {boolean} dashed @param {number} from @param {number} to
   */
  stroke(points, color, alpha, width = 1, dashed = false, from = 0, to = points.length / 3 - 1) {
    const { context: c, camera } = this;
    [c.strokeStyle, c.globalAlpha, c.lineWidth] = [color, alpha, width];
    c.setLineDash(dashed ? [5, 4] : []);
    c.beginPath();
    for (let i = 3 * from, x = NaN, y = NaN; i <= 3 * to; i += 3) {
      camera.see(points[i], points[i + 1], points[i + 2]);
      const away = Math.abs(camera.x - x) + Math.abs(camera.y - y); // not a number after a gap
      if (away < 1 && i < 3 * to) continue;
      if (away >= 0) c.lineTo(camera.x, camera.y);
      else c.moveTo(camera.x, camera.y);
      if (isNaN(away) && isNaN(points[i + 3])) c.lineTo(camera.x + 2, camera.y); // alone: a point
      [x, y] = [camera.x, camera.y];
    }
    c.stroke();
    c.globalAlpha = 1;
  }

  /** The whole path, and a trail that fades. @param {Track} track @param {number} body */
  drawPath(track, body) {
    const [points, color, dashed] = [track.path(body), this.colorOf(body), track === this.other];
    const faint = (track.last > 700 ? 0.16 : 0.26) * (this.look.dark ? 1 : 1.7);
    this.stroke(points, color, body === this.selected ? 0.5 : faint, 1.4, dashed);
    const here = Math.floor(track.place * track.pieces);
    const slice = (this.run.trail * track.pieces) / 16;
    for (let k = 15; k >= 0; --k) {
      const [from, to] = [k + 1, k].map((i) => Math.max(0, here - Math.round(i * slice)));
      this.stroke(points, color, 0.95 - k / 20, 1.8, dashed, from, to);
    }
    const rest = [...points.subarray(3 * here, 3 * here + 3), ...track.where(body)];
    this.stroke(rest, color, 0.95, 1.8, dashed);
  }

  /** Where a body is in the picture, and the radius of its mark. @param {Track} track @param {number} body */
  spot(track, body) {
    this.camera.see(...track.where(body));
    const { x, y, depth, view } = this.camera;
    const fewer = clamp((12 / this.run.bodies) ** 0.25, 0.6, 1);
    const usual = fewer * clamp(Math.min(this.width, this.height) / 77, 4.5, 10);
    const share = this.light ? 0.45 : clamp(Math.cbrt(this.massOf(body) / this.greatest), 0.45, 1);
    return { body, x, y, depth, radius: usual * share * clamp(view.d / depth, 0.6, 1.8) };
  }

  /** Shaded spheres, the farthest first; rings for the second history and the selected body. @param {Track} track */
  drawBodies(track) {
    const { context: c, other, selected, look } = this;
    const { spheres } = this.run;
    const marks = spheres.map((body) => ({ ...this.spot(track, body), ring: '' }));
    for (const body of other ? spheres : []) {
      marks.push({ ...this.spot(/** @type {Track} */ (other), body), ring: this.colorOf(body) });
    }
    marks.sort((a, b) => b.depth - a.depth);
    if (selected >= 0) marks.push({ ...this.spot(track, selected), ring: look.ink });
    c.setLineDash([]);
    for (const { body, x, y, radius, ring } of marks.filter(({ depth }) => depth > 0)) {
      const shade = c.createRadialGradient(x - radius / 3, y - radius / 3, 0, x, y, radius);
      shade.addColorStop(0, `color-mix(in srgb, ${this.colorOf(body)}, white 70%)`);
      shade.addColorStop(0.45, this.colorOf(body));
      shade.addColorStop(1, `color-mix(in srgb, ${this.colorOf(body)}, black 50%)`);
      [c.fillStyle, c.strokeStyle, c.lineWidth] = [shade, ring, 1.5];
      c.beginPath();
      c.arc(x, y, ring === look.ink ? radius + 4 : radius, 0, 7);
      if (ring) c.stroke();
      else c.fill();
    }
  }

  /** Text with a rim of the ground. @param {string} text @param {number} x @param {number} y @param {string} color @param {CanvasTextAlign} align */
  write(text, x, y, color, align = 'left', font = '12.5px') {
    const { context: c } = this;
    c.font = `${font} system-ui, "DejaVu Sans", sans-serif`;
    [c.textAlign, c.textBaseline, c.lineWidth] = [align, 'middle', 3];
    [c.strokeStyle, c.fillStyle] = [this.look.ground, color];
    c.strokeText(text, x, y);
    c.fillText(text, x, y);
  }

  /** Names, each on a side of its body where it meets no other one. @param {Track} track */
  drawNames(track) {
    const named = this.inputs.names.checked ? this.run.spheres : [];
    const order = [...new Set([this.selected, ...named])].filter((b) => b >= 0);
    const spots = order.map((body) => this.spot(track, body)).filter(({ depth }) => depth > 0);
    const taken = [[0, 0, 150, 50], ...spots.map(({ x, y }) => [x - 4, y - 4, x + 4, y + 4])];
    for (const { body, x, y, radius } of spots) {
      const name = this.nameOf(body);
      const wide = this.context.measureText(name).width;
      const lefts = [x + radius + 5, x - radius - 5 - wide, x - wide / 2, x - wide / 2];
      const tops = [y - 8, y - 8, y - 21 - radius, y + 5 + radius];
      const side = [this.sides[body] ?? 0, 0, 1, 2, 3].find((k) => {
        const [l, t, r, b] = [lefts[k], tops[k], lefts[k] + wide, tops[k] + 16];
        const meets = taken.some((o) => l < o[2] && r > o[0] && t < o[3] && b > o[1]);
        return !meets && l > 0 && r < this.width && taken.push([l, t, r, b]);
      });
      if (side === undefined) continue;
      this.sides[body] = side;
      this.write(name, lefts[side], tops[side] + 8, this.colorOf(body));
    }
  }

  /** The time, a scale, what colours mean. @param {string} title */
  drawNotes(title) {
    const { context: c, run, camera, width, height, look } = this;
    this.write(title, width / 2, 22, look.ink, 'center', 'bold 15px');
    this.write(this.timeText, 16, 22, look.ink);
    this.write(run.view.note, 16, 42, look.soft);
    const scale = camera.focal / camera.view.d; // at the target
    const length = roundLength((0.22 * width) / scale);
    this.write(measured(digits(length), run.units.length), 16, height - 28, look.soft);
    c.fillRect(16, height - 18, length * scale, 2);
    run.legend.forEach(({ name, color = -1 }, k) => {
      this.write(name, width - (color < 0 ? 16 : 32), 22 + 20 * k, look.ink, 'right');
      if (color >= 0) this.write('●', width - 16, 22 + 20 * k, look.colors[color], 'right');
    });
  }

  /** The nearest body within `reach` pixels, or −1. @param {number} x @param {number} y @param {number} reach */
  pick(x, y, reach) {
    let [best, least] = [-1, reach];
    for (let body = 0; this.track && body < this.run.bodies; ++body) {
      this.camera.see(...this.track.where(body));
      const away = Math.hypot(this.camera.x - x, this.camera.y - y);
      if (away < least) [best, least] = [body, away];
    }
    return best;
  }

  /** A body in lines of text. @param {number} body */
  describe(body) {
    const { run, track } = this;
    if (!track || body < 0) return [];
    const place = track.where(body).map((x, axis) => digits(x + run.position.centre[axis]));
    const { mass, length, velocity } = run.units;
    const speed = track.speed(body);
    return [
      this.nameOf(body),
      `mass ${measured(digits(this.massOf(body)), mass)}`,
      `position ${measured(`(${place.slice(0, run.view.dimensions).join(', ')})`, length)}`,
      ...(speed === undefined ? [] : [`speed ${measured(digits(speed), velocity)}`]),
    ];
  }
}
