import { describe, expect, test } from 'vitest';
import { ENTITY_ID, openTestPool } from '../conductor/open-test-pool.ts';

const pool = openTestPool();
type Row = [
  name: string,
  source: string,
  kind: string,
  line: number | null,
  column: number | null,
  message?: RegExp,
];

const faults: Row[] = [
  ['an unexpected token', 'let x = ;', 'syntax', 1, 9, /unexpected token.*;/],
  ['an unexpected token on line 3', '\n\n  foo bar', 'syntax', 3, 7],
  ['an unexpected token after a return', 'return 1;\nlet y = ;', 'syntax', 2, 9],
  ['an unexpected token after a return on one line', 'return 1; let y = ;', 'syntax', 1, 19],
  ['a bracket that is not closed', 'if (context) {\n  api.log(1)\n', 'syntax', 3, 1, /unexpected end/],
  [
    'a bracket that is not closed after a return',
    'if (!context) return\nif (context) {\n  api.log(1)\n\n',
    'syntax',
    3,
    13,
    /unexpected end/,
  ],
  ['a bracket that was not opened', 'api.log(1)\n}', 'syntax', 2, 1],
  ['text that is not closed', 'const a = "x\n', 'syntax', 1, 11],
  ['a template that is not closed', 'const a = `x\n', 'syntax', 1, 11],
  ['a comment that is not closed', 'api.log(1)\n/* x', 'syntax', 2, 1],
  ['a bad regular expression', 'return /(/', 'syntax', 1, 8],
  ['the same name twice', 'let a\nlet a', 'syntax', 2, 6],
  ['an unknown private name', 'class A {\n  m() { this.#z }\n}', 'syntax', 2, 14],
  ['a strict mode error', 'with ({}) {}', 'syntax', 1, 1],
  ['two units in one character before it', 'const s = "😀😀"; let x = ;', 'syntax', 1, 27],
  ['U+0000', 'let a\nlet \0', 'syntax', 2, 5],

  ['a property of null', 'const e = null\n\ne.x', 'runtime', 3, 2, /cannot read property 'x' of null/],
  ['on line 1, right after the wrapper', 'null.x', 'runtime', 1, 5],
  ['an unknown name', '  nowhere()', 'runtime', 1, 3],
  ['characters outside the BMP', '"😀"; null.x', 'runtime', 1, 11],
  ['characters outside the BMP on line 2', '\n"😀😀"; null.x', 'runtime', 2, 13],
  ['tabs', 'if (true) {\n\tnull.x\n}', 'runtime', 2, 6],
  ['Windows line ends', 'let a\r\nlet b\r\nnull.x', 'runtime', 3, 5],
  ['old Macintosh line ends', 'let a\rlet b\rnull.x', 'runtime', 3, 5],
  ['Unicode line ends', 'let a\u2028let b\u2029null.x', 'runtime', 3, 5],
  ['line ends of all kinds', 'let a\r\n"\u{1f600}"\rlet b\u2028\n  null.x', 'runtime', 5, 7],
  ['a syntax error behind old Macintosh line ends', 'let a\r\rlet x = ;', 'syntax', 3, 9],
  ['U+0000 behind Unicode line ends', 'let a\u2028let \0', 'syntax', 2, 5],
  ['in a function', 'const f = () => {\n  throw new TypeError("no")\n}\nf()', 'runtime', 2, 22],
  ['in a callback of a built-in', '[1].map(() => {\n  null.x\n})', 'runtime', 2, 7],
  ['after an await', 'await null\nawait null\nnull.x', 'runtime', 3, 5],
  ['in an async function', 'const f = async () => {\n  await null\n  null.x\n}\nawait f()', 'runtime', 3, 7],
  ['by JSON.parse, whose line is of another text', '\nJSON.parse("\\n\\n\\n{x")', 'runtime', 2, 11],
  ['in eval, whose line is of another text', '\neval("\\n\\n\\n1 +")', 'runtime', 2, 5],
  ['by new RegExp', '\nnew RegExp("(")', 'runtime', 2, 11],
  ['thrown text', '\nthrow "text"', 'runtime', null, null, /^text$/],
  ['a stack overflow', '\nconst f = () => 1 + f()\nf()', 'runtime', 2, 22, /stack overflow/],

  ['a refused call', `\nconst e = await api.getEntity(5)`, 'api', 2, 30, /getEntity: argument 1/],
  [
    'a refused call in a function',
    `const get = async (id) => {\n  const e = await api.getEntity(id)\n}\nawait get(5)`,
    'api',
    2,
    32,
  ],
  // The engine puts a tail call on its statement.
  [
    'a refused call that is returned',
    `const get = (id) => {\n  return api.getEntity(id)\n}\nawait get(5)`,
    'api',
    2,
    3,
  ],
  [
    'a refused call after others',
    `await api.getUses('${ENTITY_ID}')\n\nawait api.transition('${ENTITY_ID}', '')`,
    'api',
    3,
    21,
  ],
  [
    'a refused call among several',
    `await Promise.all([\n  api.getUses('${ENTITY_ID}'),\n  api.getUses(1),\n])`,
    'api',
    3,
    14,
  ],
  [
    'a call that nobody awaits',
    `api.log(1)\n  api.getUses('${ENTITY_ID}')\nawait null\nreturn 1`,
    'api',
    2,
    14,
    /await/,
  ],
  [
    'a call that nobody awaits, though answered',
    `api.getUses(1)\nawait api.getUses('${ENTITY_ID}')\nreturn 1`,
    'api',
    1,
    12,
  ],
  [
    'a rejection that nobody awaits',
    'async function f() {\n  throw new Error("lost")\n}\nf()\nreturn 1',
    'runtime',
    2,
    18,
    /lost/,
  ],
  ['arguments that are no JSON', '\nawait api.getEntity(1n)', 'api', 2, 20],

  [
    'a promise that never settles',
    'api.log("x")\nawait new Promise(() => {})',
    'runtime',
    1,
    null,
    /near line 1/,
  ],
  [
    'a time-out, near the last line known',
    'api.log("x")\n\napi.log("y")\nfor (;;);',
    'timeout',
    3,
    null,
    /near line 3/,
  ],
  [
    'a time-out in a function, near its head',
    '\nfunction spin() {\n  for (;;);\n}\nspin()',
    'timeout',
    2,
    null,
    /near line 2/,
  ],
  ['too many log lines', '\nfor (;;) api.log("x")', 'runtime', 2, 17, /200 lines/],
];

describe('an error stands at its line and column', () => {
  test.for(faults)('%s', async ([, source, kind, line, column, message]) => {
    const { error } = await pool.run(source);
    expect({ kind: error?.kind, line: error?.line, column: error?.column }).toEqual({ kind, line, column });
    expect(error?.message).toMatch(message ?? /./);
  });

  test.for(faults.filter(([, , kind]) => kind === 'syntax'))(
    'the check on save says the same of %s',
    async ([, source, kind, line, column]) => {
      expect(await pool.checkSyntax(source)).toMatchObject({ kind, line, column });
    },
  );
});

test('brackets too deep for the engine are an error of the syntax', async () => {
  const source = `\n${'('.repeat(20_000)}`;
  const expected = { kind: 'syntax', line: 2, message: 'the script is nested too deeply' };
  expect((await pool.run(source)).error).toMatchObject(expected);
  expect(await pool.checkSyntax(source)).toMatchObject(expected);
});

test('the check on save passes what runs', async () => {
  expect(
    await pool.checkSyntax(
      'const e = await api.getEntity(context.entityId)\nif (!e.released) return\nreturn e.number',
    ),
  ).toBeNull();
  expect(await pool.checkSyntax('')).toBeNull();
  expect(await pool.checkSyntax('return 1 // no line end')).toBeNull();
});

test('the check on save does not run anything', async () => {
  expect(await pool.checkSyntax('for (;;);')).toBeNull();
});

test('the snippet shows the line, its neighbours and the column', async () => {
  const { error } = await pool.run('const e = null\n\te.x.y\nreturn 1');
  expect(error?.snippet).toBe(
    ['  1 | const e = null', '> 2 | \te.x.y', '    | \t ^', '  3 | return 1'].join('\n'),
  );
});

test('a long line is cut around the column', async () => {
  const { error } = await pool.run(`/*${'x'.repeat(5000)}*/ null.x /*${'y'.repeat(5000)}*/`);
  expect(error?.snippet?.length).toBeLessThan(400);
  expect(error?.snippet).toContain('null.x');
});

test('the stack has frames of the script only', async () => {
  const { error } = await pool.run('const inner = () => null.x\nconst outer = () => [1].map(inner)\nouter()');
  expect(error?.stack?.split('\n').map((frame) => frame.trim())).toEqual([
    'at inner (line 1, column 25)',
    'at map (built in)',
    'at outer (line 2, column 28)',
    'at <anonymous> (line 3, column 6)',
  ]);
});

test('logs and the trace carry the lines of the script', async () => {
  const { logs, apiCalls } = await pool.run(
    `api.log('a', { b: 1 }, [2], null, undefined)\nconsole.warn(new TypeError('no'))\n\nconst f = () =>\n  api.error(5)\nf()\nawait api.getUses('${ENTITY_ID}')`,
  );
  expect(logs).toEqual([
    { level: 'info', message: 'a {"b":1} [2] null undefined', line: 1 },
    { level: 'warn', message: 'TypeError: no', line: 2 },
    { level: 'error', message: '5', line: 5 },
  ]);
  expect(apiCalls).toMatchObject([{ method: 'getUses', line: 7, ok: true }]);
});
