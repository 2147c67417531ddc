// SPDX-License-Identifier: MIT
// The data of a page, as the program writes it and the scripts read it. Nothing here goes into a page.

interface Facts {
  runs: Run[];
}

/** How numbers [3][bodies][frames] are packed: differences in time of an order, planes of bytes, multiples of a quantum. */
interface Packing {
  order: number;
  planes: number;
  quantum: number;
}

interface Run {
  title: string;
  /** in the frames of the page */
  bodies: number;
  /** one per body, "" without; absent if none has a name */
  names?: string[];
  /** indices in the run; absent if 0 … bodies − 1 */
  ids?: number[];
  /** of the frames */
  times: number[];
  /** of a time that is shown */
  decimals: number;
  /** names of the units of positions, of times (see timeScale), of masses and velocities; "" for N-body units */
  units: { length: string; time: string; mass: string; velocity: string };
  /** how many units of `times` are one unit of time of the run */
  timeScale: number;
  /** of frames-k, about the centre */
  position: Packing & { centre: number[] };
  /** of velocities-k, in units of length and of `times`; absent for many bodies and if the file has none */
  velocity?: Packing;
  /** base64 of bits [frames − 1][bodies]: whether the way to the next frame is not known; absent if all are */
  unknown?: string;
  /** of many bodies too many ways are not known to draw paths */
  points?: boolean;
  /** what is seen first: places about the centre that shall be in the picture (the farthest in some directions); a line about what it does not show */
  view: {
    centre: number[];
    radius: number;
    dimensions: number;
    flat: boolean;
    note: string;
    extremes: number[][];
  };
  /** bodies that are marked: all, or of many (see `light`) those that outweigh nearly all others */
  spheres: number[];
  /** what is drawn around bodies, each from x, y, z to x, y, z about the centre: a grid through it, walls and periodic ends of a box */
  lines: { grid: Line[]; walls: Line[]; ends: Line[] };
  /** where the box begins and ends about the centre, or 1e30 along open axes; its period or 0 */
  axes: { low: number; high: number; period: number }[];
  /** one per body, or one for all */
  mass: number[];
  /** on dark and on light ground */
  colors: { dark: string[]; light: string[] };
  /** base64 of one byte per body, an index into colors */
  color: string;
  /** what colours mean, from top to bottom: of a component, or for a colour map a title without colour and some values */
  legend: { name: string; color?: number }[];
  /** many bodies, drawn as light */
  light: boolean;
  /** how long the run plays at speed 1 */
  seconds: number;
  /** length of trails, in frames */
  trail: number;
  /** errors of the energy in the file, relative to `scale`, over times in the unit of `times`; the name of their size */
  energy: { time: number[]; error: number[]; scale: number; name: string };
  engine?: EngineFacts;
}

type Line = [number, number, number, number, number, number];

interface EngineFacts {
  /** of the run */
  bodies: number;
  charged: boolean;
  /** of the state: mass, charge if charged, x, y, z, vx, vy, vz */
  columns: string[];
  dt: number;
  steps: number;
  /** number of the integrator in the engine, and its evaluations of forces per step */
  method: number;
  evaluations: number;
  /** number of the law in the engine, length, factor, exponent, centre */
  forces: [number, number, number, number, number, number, number][];
  /** of the state after `steps`, 16 digits */
  hash: string;
  /** the step of each frame of the page */
  frameSteps: number[];
  /** frames are stored as float32 */
  single: boolean;
  /** checksums cover velocities */
  velocities: boolean;
  /** checksums-k exists */
  checked: boolean;
}
