'use strict';
// The viewpoint, which turns about a target.

class Camera {
  /** @param {Run['view']} view */
  constructor({ radius, dimensions, flat }) {
    const [az, el] = dimensions === 2 ? [-90, 90] : [-58, flat ? 62 : 24];
    this.radius = radius;
    /** Azimuth and elevation in degrees, distance and place of the target. */
    this.start = { az, el, d: 3.5 * radius, x: 0, y: 0, z: 0 };
    this.view = { ...this.start };
    this.target = this.right = this.up = this.back = [0, 0, 0];
    this.width = this.height = this.focal = 1; // of the picture, in pixels
    this.x = this.y = this.depth = 0; // of the place last seen
  }

  /** Prepares see() for a picture of this size. @param {number} width @param {number} height */
  frame(width, height) {
    [this.width, this.height, this.focal] = [width, height, 1.5 * Math.min(width, height)];
    const { az, el, x, y, z } = this.view;
    const [a, e] = [(az * Math.PI) / 180, (el * Math.PI) / 180];
    this.target = [x, y, z];
    this.right = [-Math.sin(a), Math.cos(a), 0];
    this.up = [-Math.sin(e) * Math.cos(a), -Math.sin(e) * Math.sin(a), Math.cos(e)];
    this.back = [Math.cos(e) * Math.cos(a), Math.cos(e) * Math.sin(a), Math.sin(e)];
  }

  /** Sets x, y and depth, not numbers behind the viewer. @param {number} px @param {number} py @param {number} pz */
  see(px, py, pz) {
    const { right: r, up: u, back: b, target: t, view } = this;
    const [x, y, z] = [px - t[0], py - t[1], pz - t[2]];
    const depth = view.d - (b[0] * x + b[1] * y + b[2] * z);
    this.depth = depth > 1e-3 * view.d ? depth : NaN;
    this.x = this.width / 2 + (this.focal / this.depth) * (r[0] * x + r[1] * y + r[2] * z);
    this.y = this.height / 2 - (this.focal / this.depth) * (u[0] * x + u[1] * y + u[2] * z);
  }

  /** Goes as near as these places allow. @param {number} width @param {number} height @param {number[][]} places */
  fit(width, height, places) {
    this.frame(width, height);
    /** @type {(axis: number[], p: number[]) => number} */
    const along = (axis, p) => axis[0] * p[0] + axis[1] * p[1] + axis[2] * p[2];
    const distances = places.map((p) => {
      const across = Math.abs(along(this.right, p)) / (0.47 * width);
      const upwards = Math.abs(along(this.up, p)) / (0.43 * height);
      return along(this.back, p) + this.focal * Math.max(across, upwards);
    });
    this.view.d = this.start.d = Math.max(...distances, 0.1 * this.radius);
  }
}
