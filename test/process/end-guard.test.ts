/** What kills a process that hangs where it ends, and leaves nothing where it does not. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { identifyProcess } from '../../src/embedded/process-identity.ts';
import { patience } from '../setup/patience.ts';

const guard = new URL('../../src/process/end-guard.ts', import.meta.url);

/** A process that says who guards it, with what it does then. */
function guarded(seconds: number, rest: string) {
  const script = `import { guardEnd } from '${guard}';
    process.stdout.write(String(guardEnd(${seconds})), () => { ${rest} });`;
  return spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}

test('a process that hangs where it ends is killed', { timeout: patience.timeout }, async () => {
  const hanging = guarded(1, 'Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);');
  expect(await once(hanging, 'exit')).toEqual([null, 'SIGKILL']);
});

test('one that ends does so as it wants, and its guard with it', { timeout: patience.timeout }, async () => {
  const ending = guarded(3600, 'process.exit(7);');
  const [[code], pid] = await Promise.all([once(ending, 'exit'), text(ending.stdout)]);
  expect(code).toBe(7);
  await expect.poll(() => identifyProcess(Number(pid))).toBeNull();
});
