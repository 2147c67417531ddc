// SPDX-License-Identifier: MIT
declare class Engine {
  static load(fused: Uint8Array, exact: Uint8Array, kind?: string): Promise<Engine>;
  kind: string;
  begin(facts: EngineFacts, state: Float64Array): void;
  advance(steps: number): void;
  positions(): Float64Array[];
  velocities(): Float64Array[];
  energy(): { kinetic: number; potential: number; total: number };
  hash(): string;
  checksum(single: boolean, velocities: boolean): bigint;
}
declare function stepThrough(
  engine: Engine, facts: EngineFacts, frames: number[],
  hooks: { onFrame?: (k: number, engine: Engine) => void; onProgress?: (done: number, steps: number, pairs: number) => void; signal?: AbortSignal },
): Promise<{ seconds: number; done: number }>;
