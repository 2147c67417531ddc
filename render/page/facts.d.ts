// SPDX-License-Identifier: MIT
// The data of a page, as the program writes it and the scripts read it. Nothing here goes into a page.

interface Facts {
  runs: Run[];
}

interface Run {
  title: string;
  /** in the frames of the page */
  bodies: number;
  /** one per body, "" without; absent if none has a name */
  names?: string[];
  /** indices in the run; absent if 0 … bodies − 1 */
  ids?: number[];
  frames: number;
  times: { from: number; step: number } | number[];
  /** names of the units of positions, of times (see timeScale), of masses and velocities; "" for N-body units */
  units: { length: string; time: string; mass: string; velocity: string };
  /** how many units of `times` are one unit of time of the run; 1 if absent */
  timeScale?: number;
  /** packing of frames-k */
  position: { order: number; planes: number; quantum: number; centre: number[] };
  /** what is seen first: places about the centre that shall be in the picture (the farthest in some directions); a line about bodies that leave it */
  view: {
    centre: number[];
    radius: number;
    dimensions: number;
    flat: boolean;
    note?: string;
    extremes: number[][];
  };
  /** bodies that are marked in spite of `light`, since they outweigh nearly all others; absent without `light` */
  discs?: number[];
  /** what is drawn around bodies, each from x, y, z to x, y, z about the centre: a grid through it, walls and periodic ends of a box */
  lines: { grid: Line[]; walls: Line[]; ends: Line[] };
  /** length 0 along open axes */
  box?: { low: number[]; length: number[]; kind: ('open' | 'periodic' | 'reflecting')[] } | null;
  /** one per body, or one for all */
  mass: number[];
  /** on dark and on light ground */
  colors: { dark: string[]; light: string[] };
  /** base64 of one byte per body, an index into colors; absent: the body's number modulo their count */
  color?: string;
  /** what colours mean, from top to bottom: of a component, or for a colour map a title without colour and some values */
  legend?: { name: string; color?: number }[];
  /** many bodies, drawn as light */
  light: boolean;
  /** how long the run plays at speed 1 */
  seconds: number;
  /** length of trails, in frames */
  trail: number;
  /** relative error of the energy in the file, over times in the unit of `times` */
  energy?: { time: number[]; error: number[] };
  engine?: EngineFacts;
}

type Line = [number, number, number, number, number, number];

interface EngineFacts {
  /** of the run */
  bodies: number;
  charged: boolean;
  dt: number;
  steps: number;
  integrator: string;
  parameters: Record<string, number>;
  G: number;
  forces: { kind: string; [key: string]: string | number | number[] }[];
  /** of the state after `steps`, 16 digits */
  hash: string;
  /** the step of each frame of the page */
  frameSteps: { from: number; step: number } | number[];
  /** frames are stored as float32 */
  single: boolean;
  /** checksums cover velocities */
  velocities: boolean;
  /** checksums-k exists */
  checked: boolean;
}
