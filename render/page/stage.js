'use strict';
// A run in space, on a canvas.

class Stage {
  /** @param {HTMLElement} root @param {Run} run @param {number} index of the run */
  constructor(root, run, index) {
    this.root = root;
    this.run = run;
    this.index = index;
    this.canvas = make('canvas', { tabIndex: 0, role: 'application' });
    this.context = /** @type {CanvasRenderingContext2D} */ (
      this.canvas.getContext('2d', { alpha: false, willReadFrequently: true })
    );
    this.camera = new Camera(run.view);
    /** @type {Track | null} */
    this.track = null;
    /** @type {Track | null} a second history, at the same time */
    this.other = null;
    this.place = 0; // in frames
    this.speed = 1;
    this.playing = false;
    this.loop = true;
    this.selected = this.following = -1;
    const few = !run.light;
    this.show = { names: few && run.bodies <= 12, paths: true, grid: few && !run.box };
    this.light = run.light ? new Light(run) : null;
    this.exposed = ''; // for which size and distance
    this.color = run.color ? bytesOf(run.color) : null;
    this.greatest = Math.max(...run.mass.slice(0, 65536)) || 1;
    this.spheres = this.light ? this.light.heavy : [...Array(run.bodies).keys()];
    /** @type {Map<string, HTMLCanvasElement>} */
    this.sprites = new Map();
    /** @type {number[]} which side of a body its name is at */
    this.sides = [];
    this.width = this.height = this.ratio = 1;
    this.asked = 0;
    this.last = 0;
    this.drawing = 0; // milliseconds of a draw(), averaged
    this.visible = this.loading = false;
    this.titled = false;
    /** @type {() => void} */
    this.changed = () => {};
    this.look = this.theme;
  }

  /** Colours of the page's theme. */
  get theme() {
    const style = getComputedStyle(this.root);
    /** @type {(name: string) => string} */
    const of = (name) => style.getPropertyValue(`--${name}`).trim();
    const dark = of('theme') === 'dark';
    const colors = dark ? this.run.colors.dark : this.run.colors.light;
    return {
      dark,
      colors,
      ground: of('ground'),
      ink: of('ink'),
      soft: of('soft'),
      line: of('line'),
      second: of('second'),
    };
  }

  /** @param {number} body */
  colorOf(body) {
    const { colors } = this.look;
    return colors[(this.color ? this.color[body] : body) % colors.length];
  }

  /** @param {number} body */
  nameOf(body) {
    return this.run.names?.[body] || `body ${this.run.ids?.[body] ?? body}`;
  }

  /** @param {number} body */
  massOf(body) {
    return this.run.mass[body] ?? this.run.mass[0];
  }

  get timeText() {
    const { track, run } = this;
    if (!track) return '';
    const span = Math.abs(track.timeOf(track.frames - 1) - track.timeOf(0)) || 1;
    const decimals = clamp(2 - Math.floor(Math.log10(span)), 0, 12);
    const time = track.timeOf(this.place).toFixed(decimals);
    return `t = ${measured(time.replace('-', '\u2212'), run.units.time)}`;
  }

  async load() {
    this.track = await Track.unpack(this.run, this.index);
    this.resize();
  }

  resize() {
    const box = this.canvas.getBoundingClientRect();
    [this.width, this.height] = [Math.max(1, box.width), Math.max(1, box.height)];
    this.size(Math.min(devicePixelRatio, this.light ? 1.5 : 2));
    this.fit();
    this.invalidate();
  }

  /** @param {number} ratio pixels of the canvas to one of the page */
  size(ratio) {
    this.ratio = ratio;
    this.canvas.width = Math.round(this.width * ratio);
    this.canvas.height = Math.round(this.height * ratio);
    this.light?.resize(this.canvas.width, this.canvas.height);
    this.exposed = '';
  }

  /** Moves the first viewpoint to where the bodies fill the picture. */
  fit() {
    const { track, camera, run, width, height } = this;
    if (!track) return;
    const fitted = new Camera(run.view);
    const points = boxCorners(run);
    const moments = Math.min(16, track.frames);
    const step = Math.ceil(run.bodies / 1000);
    for (let k = 0; k < moments; ++k) {
      track.seek(Math.round((k * (track.frames - 1)) / Math.max(1, moments - 1)));
      for (let b = 0; b < run.bodies; b += step) points.push(track.where(b));
    }
    const inside = points.filter((p) => Math.hypot(...p) <= 1.001 * run.view.radius);
    for (let round = 0; round < 4; ++round) {
      fitted.look(width, height);
      const reach = Float32Array.from(inside, (p) => {
        const [x, y] = fitted.project(p);
        return Math.max(
          Math.abs(2 * x - width) / (0.92 * width),
          Math.abs(2 * y - height) / (0.86 * height),
        );
      }).sort();
      fitted.distance *= clamp(percentile(reach, this.light && !run.box ? 0.99 : 1) || 1, 0.4, 1.4);
    }
    const untouched = camera.distance === camera.start.distance;
    camera.start.distance = fitted.distance;
    if (untouched) camera.distance = fitted.distance;
  }

  invalidate() {
    if (this.asked || !this.track || !this.visible) return;
    this.asked = requestAnimationFrame((now) => {
      this.asked = 0;
      this.tick(now);
    });
  }

  /** @param {number} now in milliseconds */
  tick(now) {
    const { track } = this;
    if (!track) return;
    const passed = clamp((now - this.last) / 1000, 0, 0.1);
    this.last = now;
    if (this.playing) {
      const end = track.frames - 1;
      this.place += (passed * this.speed * track.frames) / this.run.seconds;
      if (this.place > end) {
        this.place = this.loop && end > 0 ? this.place % end : end;
        this.playing = this.loop;
      }
      this.invalidate();
    }
    const begin = performance.now();
    this.draw();
    this.drawing += 0.1 * (performance.now() - begin - this.drawing);
    this.changed();
  }

  draw() {
    const { context: c, track, camera, canvas, other, light, width, height } = this;
    if (!track) return;
    this.look = this.theme;
    const { dark, ground, colors, second } = this.look;
    track.seek(this.place);
    other?.seek(other.placeOf(track.timeOf(this.place)));
    if (this.following >= 0) camera.target = track.where(this.following);
    c.setTransform(1, 0, 0, 1, 0, 0);
    c.globalAlpha = 1;
    if (light) {
      camera.look(canvas.width, canvas.height);
      this.expose();
      light.clear();
      light.add(track, camera, colors);
      if (other) light.add(other, camera, Array(colors.length).fill(second));
      if (dark) light.spread();
      c.putImageData(light.picture(channelsOf(ground), dark), 0, 0);
    } else {
      c.fillStyle = ground;
      c.fillRect(0, 0, canvas.width, canvas.height);
    }
    c.setTransform(this.ratio, 0, 0, this.ratio, 0, 0);
    camera.look(width, height);
    c.lineJoin = 'round';
    if (this.show.grid) this.drawGrid();
    this.drawBox();
    const pathed = light ? [...new Set([this.selected, this.following])] : this.spheres;
    for (const body of this.show.paths ? pathed : []) {
      if (body >= 0) this.drawPath(track, body, false);
      if (other && body >= 0) this.drawPath(other, body, true);
    }
    this.drawBodies();
    this.drawNotes();
  }

  /** Chooses the tones for this size and distance, from five moments of the run. */
  expose() {
    const { light, track, camera, canvas, look } = this;
    if (!light || !track) return;
    const key = [
      canvas.width,
      canvas.height,
      Math.round(8 * Math.log2(camera.distance / camera.radius)),
      look.dark,
    ].join();
    if (this.exposed === key) return;
    this.exposed = key;
    const amounts = [0, 0.25, 0.5, 0.75, 1].flatMap((share) => {
      track.seek(share * (track.frames - 1));
      light.clear();
      light.add(track, camera, look.colors);
      return [...light.amounts(track, camera)];
    });
    light.expose(Float32Array.from(amounts), look.dark);
    track.seek(this.place);
  }

  /**
   * Adds points of a path to the canvas, less those within a pixel. @param {ArrayLike<number>} points, three numbers each
   * @param {number} from @param {number} to @param {number[]} jump: greater changes of a coordinate are gaps
   */
  trace(points, from, to, jump = [Infinity, Infinity, Infinity]) {
    const { context: c, camera, width, height } = this;
    const { right: r, up: u, back: k, target: t, focal, distance } = camera;
    let pen = false;
    let [lastX, lastY] = [0, 0];
    for (let i = 3 * from; i <= 3 * to; i += 3) {
      const [x, y, z] = [points[i] - t[0], points[i + 1] - t[1], points[i + 2] - t[2]];
      const depth = distance - (k[0] * x + k[1] * y + k[2] * z);
      if (!(depth > 1e-3 * distance)) {
        pen = false;
        continue;
      }
      const s = focal / depth;
      const px = width / 2 + s * (r[0] * x + r[1] * y + r[2] * z);
      const py = height / 2 - s * (u[0] * x + u[1] * y + u[2] * z);
      const gap =
        !pen ||
        Math.abs(points[i] - points[i - 3]) > jump[0] ||
        Math.abs(points[i + 1] - points[i - 2]) > jump[1] ||
        Math.abs(points[i + 2] - points[i - 1]) > jump[2];
      if (gap) c.moveTo(px, py);
      else if (Math.abs(px - lastX) + Math.abs(py - lastY) < 1 && i < 3 * to) continue;
      else c.lineTo(px, py);
      [pen, lastX, lastY] = [true, px, py];
    }
  }

  /** @param {number[][]} lines, six numbers each */
  strokeLines(lines) {
    this.context.beginPath();
    for (const line of lines) this.trace(line, 0, 1);
    this.context.stroke();
  }

  drawGrid() {
    const { context: c, run, look } = this;
    const step = roundLength(run.view.radius / 2.5);
    const reach = Math.ceil(run.view.radius / step) * step;
    const lines = [];
    for (let k = -Math.round(reach / step); k * step <= reach * 1.0001; ++k) {
      lines.push(
        [k * step, -reach, 0, k * step, reach, 0],
        [-reach, k * step, 0, reach, k * step, 0],
      );
    }
    c.strokeStyle = look.line;
    c.lineWidth = 1;
    this.strokeLines(lines);
  }

  /** The edges of the box: walls as lines, periodic ends as dashes. */
  drawBox() {
    const { context: c, run, look } = this;
    if (!run.box) return;
    const { kind } = run.box;
    const corners = boxCorners(run);
    c.strokeStyle = look.soft;
    c.globalAlpha = 0.7;
    c.lineWidth = 1;
    for (let axis = 0; axis < 3; ++axis) {
      const others = kind.filter((_, k) => k !== axis);
      c.setLineDash(others.includes('reflecting') ? [] : [5, 4]);
      const pairs = corners.flatMap((p, i) =>
        i & (1 << axis) ? [] : [[...p, ...corners[i | (1 << axis)]]],
      );
      if (run.box.length[axis] > 0) this.strokeLines(pairs);
    }
    c.setLineDash([]);
    c.globalAlpha = 1;
  }

  /** @param {Track} track @param {number} body @param {boolean} second: in the style of the second history */
  drawPath(track, body, second) {
    const { context: c, run } = this;
    if (track.frames < 2) return;
    const points = track.path(body);
    const jump = track.axes.map(({ length }) => (length > 0 ? length / 2 : Infinity));
    const here = Math.floor(track.place * track.pieces);
    c.strokeStyle = this.colorOf(body);
    c.lineCap = 'butt';
    c.setLineDash(second ? [5, 4] : []);
    c.lineWidth = body === this.selected ? 1.8 : 1.3;
    c.globalAlpha = body === this.selected ? 0.45 : track.frames > 700 ? 0.16 : 0.26;
    c.beginPath();
    this.trace(points, 0, points.length / 3 - 1, jump);
    c.stroke();
    // What lies behind the body fades.
    const length = run.trail * track.pieces;
    const slices = clamp(Math.round(length / 4), 1, 16);
    c.lineWidth += 0.4;
    for (let k = 0; k < slices; ++k) {
      const [from, to] = [here - length * (1 - k / slices), here - length * (1 - (k + 1) / slices)];
      if (to < 1) continue;
      c.globalAlpha = 0.15 + (0.8 * (k + 1)) / slices;
      c.beginPath();
      this.trace(points, Math.max(0, Math.round(from)), Math.round(to), jump);
      if (k === slices - 1)
        this.trace([...points.slice(3 * here, 3 * here + 3), ...track.where(body)], 0, 1, jump);
      c.stroke();
    }
    c.setLineDash([]);
    c.globalAlpha = 1;
  }

  /** The radius of a body in pixels: a symbol, greater for more mass and nearer ones. @param {number} body @param {number} depth */
  radiusOf(body, depth) {
    const usual = clamp(0.013 * Math.min(this.width, this.height), 4.5, 10);
    const share = clamp(Math.cbrt(this.massOf(body) / this.greatest), 0.45, 1);
    return usual * share * clamp(this.camera.distance / depth, 0.6, 1.8);
  }

  /** A shaded sphere. @param {string} color @param {number} radius in pixels of the canvas */
  sprite(color, radius) {
    const key = color + radius;
    const found = this.sprites.get(key);
    if (found) return found;
    const canvas = make('canvas', { width: 2 * radius + 2, height: 2 * radius + 2 });
    const c = /** @type {CanvasRenderingContext2D} */ (canvas.getContext('2d'));
    const middle = radius + 1;
    const shade = c.createRadialGradient(
      middle - 0.35 * radius,
      middle - 0.4 * radius,
      0,
      middle,
      middle,
      radius,
    );
    /** @type {(to: number, share: number) => string} */
    const mixed = (to, share) =>
      `rgb(${channelsOf(color).map((v) => Math.round(v + share * (to - v)))})`;
    shade.addColorStop(0, mixed(255, 0.7));
    shade.addColorStop(0.35, mixed(255, 0.12));
    shade.addColorStop(0.75, mixed(0, 0.12));
    shade.addColorStop(1, mixed(0, 0.5));
    c.fillStyle = shade;
    c.beginPath();
    c.arc(middle, middle, radius, 0, 7);
    c.fill();
    this.sprites.set(key, canvas);
    return canvas;
  }

  drawBodies() {
    const { context: c, camera, track, other, ratio, look } = this;
    const all = [];
    for (const from of [track, other]) {
      for (const body of from ? this.spheres : []) {
        const [x, y, depth] = camera.project(/** @type {Track} */ (from).where(body));
        if (depth > 0) all.push({ body, x, y, depth, second: from === other });
      }
    }
    all.sort((a, b) => b.depth - a.depth);
    for (const { body, x, y, depth, second } of all) {
      const radius = this.radiusOf(body, depth);
      if (second) {
        c.strokeStyle = this.colorOf(body);
        c.lineWidth = 1.6;
        c.beginPath();
        c.arc(x, y, radius, 0, 7);
        c.stroke();
        continue;
      }
      const sprite = this.sprite(this.colorOf(body), Math.ceil(radius * ratio));
      const side = (2 * radius * sprite.width) / (sprite.width - 2);
      c.drawImage(sprite, x - side / 2, y - side / 2, side, side);
    }
    if (this.selected < 0 || !track) return;
    const [x, y, depth] = camera.project(track.where(this.selected));
    c.strokeStyle = look.ink;
    c.lineWidth = 1.5;
    c.beginPath();
    if (depth > 0) c.arc(x, y, (this.light ? 4 : this.radiusOf(this.selected, depth)) + 5, 0, 7);
    c.stroke();
  }

  /** Text with a rim of the ground. @param {string} text @param {number} x @param {number} y @param {string} color */
  write(text, x, y, color) {
    const { context: c, look } = this;
    c.strokeStyle = look.ground;
    c.lineWidth = 3;
    c.strokeText(text, x, y);
    c.fillStyle = color;
    c.fillText(text, x, y);
  }

  /** Names where they meet no other name, the time, a scale, and what colours mean. */
  drawNotes() {
    const { context: c, run, camera, track, width, height, look, selected } = this;
    if (!track) return;
    c.globalAlpha = 1;
    c.textBaseline = 'middle';
    c.textAlign = 'left';
    c.font = '12.5px system-ui, "DejaVu Sans", sans-serif';
    const named = this.show.names ? this.spheres : [];
    const order = [...new Set([selected, this.following, ...named])].filter((b) => b >= 0);
    const taken = [[0, 0, 150, 50]];
    for (const body of order) {
      const [x, y, depth] = camera.project(track.where(body));
      if (!(depth > 0) || x < 0 || y < 0 || x > width || y > height) continue;
      const name = this.nameOf(body);
      const wide = Math.min(c.measureText(name).width, 160);
      const away = (this.light ? 4 : this.radiusOf(body, depth)) + 5;
      const sides = [
        [x + away, y],
        [x - away - wide, y],
        [x - wide / 2, y - away - 8],
        [x - wide / 2, y + away + 8],
      ];
      const tried = [this.sides[body] ?? 0, 0, 1, 2, 3];
      const side = tried.find((s) => {
        const [left, middle] = sides[s];
        const [l, t, r, b] = [left - 2, middle - 8, left + wide + 2, middle + 8];
        if (taken.some((o) => l < o[2] && r > o[0] && t < o[3] && b > o[1])) return false;
        taken.push([l, t, r, b]);
        return true;
      });
      if (side === undefined) continue;
      this.sides[body] = side;
      c.fillStyle = look.ink;
      this.write(name, sides[side][0], sides[side][1], this.colorOf(body));
    }
    this.write(this.timeText, 16, 22, look.ink);
    const { outside } = run.view;
    if (outside > 0)
      this.write(
        outside === 1 ? '1 body leaves the view' : `${outside} bodies leave the view`,
        16,
        42,
        look.soft,
      );
    // A scale at the distance of the target.
    const length = roundLength((0.22 * width * camera.distance) / camera.focal);
    const long = (length * camera.focal) / camera.distance;
    c.strokeStyle = c.fillStyle = look.soft;
    c.lineWidth = 1.5;
    c.beginPath();
    c.moveTo(16, height - 22);
    c.lineTo(16, height - 16);
    c.lineTo(16 + long, height - 16);
    c.lineTo(16 + long, height - 22);
    c.stroke();
    this.write(measured(digits(length), run.units.length), 22, height - 27, look.soft);
    this.drawLegend();
    if (!this.titled) return;
    c.font = 'bold 15px system-ui, "DejaVu Sans", sans-serif';
    c.textAlign = 'center';
    this.write(run.title, width / 2, 22, look.ink);
  }

  drawLegend() {
    const { context: c, run, width, look } = this;
    c.textAlign = 'right';
    run.legend?.forEach(({ name, color }, k) => {
      this.write(name, width - 32, 22 + 20 * k, look.ink);
      c.fillStyle = look.colors[color % look.colors.length];
      c.beginPath();
      c.arc(width - 21, 22 + 20 * k, 4.5, 0, 7);
      c.fill();
    });
    if (!run.scale) return;
    const { name, unit, low, high } = run.scale;
    const [left, wide] = [width - 156, 140];
    look.colors.forEach((color, k) => {
      c.fillStyle = color;
      c.fillRect(left + (k * wide) / look.colors.length, 34, wide / look.colors.length + 1, 7);
    });
    this.write(unit ? `${name} / ${unit}` : name, width - 16, 22, look.ink);
    this.write(digits(high), width - 16, 52, look.soft);
    c.textAlign = 'left';
    this.write(digits(low), left, 52, look.soft);
  }

  /** The nearest body within `reach` pixels of a point, or −1. @param {number} x @param {number} y @param {number} reach */
  pick(x, y, reach) {
    const { track, camera } = this;
    let [best, least] = [-1, reach];
    for (let body = 0; track && body < track.bodies; ++body) {
      const [px, py, depth] = camera.project(track.where(body));
      const away = Math.hypot(px - x, py - y);
      if (depth > 0 && away < least) [best, least] = [body, away];
    }
    return best;
  }

  /** A body in words. @param {number} body */
  describe(body) {
    const { run, track } = this;
    if (!track || body < 0) return [];
    const { centre } = run.position;
    const place = track.where(body).map((x, axis) => digits(x + centre[axis]));
    if (run.view.dimensions === 2) place.pop();
    const rows = [
      ['mass', measured(digits(this.massOf(body)), run.units.mass)],
      ['position', measured(`(${place.join(', ')})`, run.units.length)],
      ['speed', measured(digits(track.speed(body)), run.units.velocity)],
    ];
    return track.frames > 1 ? rows : rows.slice(0, 2);
  }
}

/** The corners of a box about the centre of the view, or none; bit k of an index is the end along axis k. @param {Run} run */
function boxCorners({ box, position }) {
  if (!box) return [];
  return [...Array(8).keys()].map((i) =>
    box.low.map((low, k) =>
      box.length[k] > 0 ? low + (i & (1 << k) ? box.length[k] : 0) - position.centre[k] : 0,
    ),
  );
}
