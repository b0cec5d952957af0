/** What holds after every hostile script: it ended, as it should, and the next one does not notice. */
import { expect } from 'vitest';
import { ENTITY_ID, type TestPool, testLimits } from '../conductor/open-test-pool.ts';
import type { HostileScript } from './hostile-scripts.ts';

/** The pool's own are for scripts that never end. */
const innocentLimits = { limits: { cpuMs: 60_000, wallMs: 120_000 } };

export async function expectContained(pool: TestPool, { source, ends }: HostileScript): Promise<void> {
  const { ok, error, logs, apiCalls } = await pool.run(source);
  expect(ends).toContain(error?.kind ?? 'ok');
  expect(ok).toBe(error === null);
  expect(logs.length).toBeLessThanOrEqual(testLimits.logLines);
  expect(apiCalls.length).toBeLessThanOrEqual(testLimits.hostCalls);
  if (error !== null) {
    expect(error.message.length).toBeLessThan(5000);
    expect(error.line ?? 1).toBeLessThanOrEqual(source.split('\n').length);
  }
  const innocent = await pool.run(
    `const { method } = await api.getEntity('${ENTITY_ID}')
    return [method, context.toState, [3, 1, 2].sort().join(), JSON.stringify({ a: 1 })]`,
    innocentLimits,
  );
  expect(innocent).toMatchObject({ ok: true, result: ['getEntity', 'Released', '1,2,3', '{"a":1}'] });
}
