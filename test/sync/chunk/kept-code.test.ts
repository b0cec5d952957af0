import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const chunks = fileURLToPath(new URL('chunks-without-database.ts', import.meta.url));
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
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--expose-gc', '--trace-opt', '--trace-deopt', chunks],
    { maxBuffer: 64 * 1024 * 1024 },
  );
  const compiled = namesIn(stdout, /completed compiling \S+ <JSFunction (\S+) /g);
  const thrownAway = namesIn(stdout, /<SharedFunctionInfo (\S+)>\).*embedded weak objects cleared/g);
  // Of what nobody keeps it is seen: V8 says it in these words. And it had something to throw away; how much, is its own affair.
  expect([...thrownAway]).toContain('addForgotten');
  expect(functions.filter((name) => compiled.has(name)).length).toBeGreaterThan(3);
  expect(functions.filter((name) => thrownAway.has(name))).toEqual([]);
});

function namesIn(text: string, pattern: RegExp): Set<string> {
  return new Set(Array.from(text.matchAll(pattern), ([, name]) => name as string));
}
