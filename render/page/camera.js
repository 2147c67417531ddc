'use strict';
// The viewpoint: at a distance from a target, which it turns about.

class Camera {
  /** @param {Run['view']} view */
  constructor(view) {
    this.radius = view.radius;
    const azimuth = view.dimensions === 2 ? -90 : -58;
    const elevation = view.dimensions === 2 ? 90 : view.flat ? 62 : 24;
    this.start = { azimuth, elevation, distance: 3.5 * view.radius };
    this.azimuth = this.elevation = this.distance = 0;
    this.target = [0, 0, 0];
    this.width = this.height = this.focal = 1;
    this.right = this.up = this.back = [0, 0, 0];
    this.reset();
  }

  reset() {
    Object.assign(this, this.start, { target: [0, 0, 0] });
  }

  /** Prepares project() for a picture of this size. @param {number} width @param {number} height */
  look(width, height) {
    this.width = width;
    this.height = height;
    this.focal = 1.5 * Math.min(width, height);
    const [a, e] = [(this.azimuth * Math.PI) / 180, (this.elevation * Math.PI) / 180];
    this.right = [-Math.sin(a), Math.cos(a), 0];
    this.up = [-Math.sin(e) * Math.cos(a), -Math.sin(e) * Math.sin(a), Math.cos(e)];
    this.back = [Math.cos(e) * Math.cos(a), Math.cos(e) * Math.sin(a), Math.sin(e)];
  }

  /** Pixels to the right, pixels down, and depth (negative behind the viewer) of a place. @param {number[]} p */
  project([x, y, z]) {
    const { right: r, up: u, back: b, target: t } = this;
    const [dx, dy, dz] = [x - t[0], y - t[1], z - t[2]];
    const depth = this.distance - (b[0] * dx + b[1] * dy + b[2] * dz);
    const s = this.focal / depth;
    return [
      this.width / 2 + s * (r[0] * dx + r[1] * dy + r[2] * dz),
      this.height / 2 - s * (u[0] * dx + u[1] * dy + u[2] * dz),
      depth,
    ];
  }
}
