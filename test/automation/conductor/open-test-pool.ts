/** A pool and runs in short. Its limits leave time to scripts that end, on a busy machine too. */
import { afterAll } from 'vitest';
import type { HostCalls } from '../../../src/automation/conductor/answer-host-call.ts';
import { type ScriptPool, ThreadedScriptPool } from '../../../src/automation/conductor/script-pool.ts';
import { defaultScriptLimits, type ScriptLimits } from '../../../src/automation/sandbox/script-limits.ts';
import type { ScriptResult } from '../../../src/automation/sandbox/script-result.ts';

export const testLimits: ScriptLimits = {
  ...defaultScriptLimits,
  cpuMs: 1000,
  wallMs: 60_000,
  killGraceMs: 100,
};
export const ENTITY_ID = '01990000-0000-7000-8000-000000000000';
export const NOW = new Date('2026-11-20T12:00:00.000Z');

export interface TestPool extends ScriptPool {
  run(
    source: string,
    more?: { context?: unknown; hostCalls?: HostCalls; limits?: Partial<ScriptLimits>; seed?: string },
  ): Promise<ScriptResult>;
}

/** Closed after the tests of the file. */
export function openTestPool(threads = 1, limits: Partial<ScriptLimits> = {}): TestPool {
  const pool = new ThreadedScriptPool({ threads, limits: { ...testLimits, ...limits } });
  afterAll(() => pool.close());
  const run: TestPool['run'] = (
    source,
    { context = { toState: 'Released' }, hostCalls = echo, limits: own = {}, seed = 'seed' } = {},
  ) => pool.runScript({ source, context, now: NOW, seed, hostCalls, limits: own });
  return Object.assign(pool, { run });
}

const echo: HostCalls = async (method, args) => ({ method, args });
