import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const scriptOf = (name: string) => fileURLToPath(new URL(name, import.meta.url));
const run = promisify(execFile);
/** Each is met by every element of a chunk. */
const functions = [
  '#take',
  'readElement',
  'coerce',
  'read',
  'entityResults',
  'countResults',
  'factsOf',
  'push',
  'add',
];

test('what V8 has compiled for the elements of a chunk stays when nothing of the chunk is left', async () => {
  const chunks = scriptOf('chunks-without-database.ts');
  const { stdout } = await run(process.execPath, ['--expose-gc', '--trace-opt', '--trace-deopt', chunks], {
    maxBuffer: 64 * 1024 * 1024,
  });
  const compiled = namesIn(stdout, /completed compiling \S+ <JSFunction (\S+) /g);
  const thrownAway = namesIn(stdout, /<SharedFunctionInfo (\S+)>\).*embedded weak objects cleared/g);
  // Of what nobody keeps it is seen: V8 says it in these words. And it had something to throw away; how much, is its own affair.
  expect([...thrownAway]).toContain('addForgotten');
  expect(functions.filter((name) => compiled.has(name)).length).toBeGreaterThan(3);
  expect(functions.filter((name) => thrownAway.has(name))).toEqual([]);
});

test('of a large chunk nothing large stays: neither an element nor an answer, of which a short text may be a piece', async () => {
  const large = scriptOf('large-chunk-without-database.ts');
  const { stdout } = await run(process.execPath, ['--expose-gc', large]);
  const { left, ofOne } = JSON.parse(stdout) as { left: number; ofOne: number };
  expect(left).toBeLessThan(ofOne / 2);
});

function namesIn(text: string, pattern: RegExp): Set<string> {
  return new Set(Array.from(text.matchAll(pattern), ([, name]) => name as string));
}
