/** What can be checked of the house style by reading: names, sizes, places. */
import { posix } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readSources, type Sources } from './scan-sources.ts';
import {
  crowdedFolders,
  environmentReaders,
  FILES_MAX,
  LINES_MAX,
  longFiles,
  sqlElsewhere,
  TEST_LINES_MAX,
  timeBounds,
  timedTests,
  unmirrored,
  untyped,
} from './style-rules.ts';

const sources = readSources(['src', 'workers', 'migrations', 'deploy', 'test'], ['test/architecture']);

const meaningless = /(?:^|\/)(?:utils?|helpers?|common|misc|shared|lib|stuff)(?:\/|\.[\w.]*$)/;
const isBarrel = /(?:^|\/)index\.ts$/;
/** Waiting for a time: `await delay(50)`, `new Promise((resolve) => setTimeout(resolve, 50))`. */
const sleeps = /\bawait (?:delay|sleep|setTimeout)\(|\bsetTimeout\(\s*(?:resolve|done|\w+)\s*,\s*[\d_]/;
/** An upper bound on a time that passed: `expect(Date.now() - before).toBeLessThan(500)`, also of `tookMs`. */
const timeBound =
  /\bexpect\([^;]*?(?:\bDate\.now\(\)|\bhrtime\b|\b\w*(?:Ms|[mM]illis(?:econds)?|[sS]econds|[eE]lapsed\w*|[tT]ook|[dD]uration)\b(?!:))[^;]*?\.toBeLess\w*\(/;
/** A template, told from a closing backtick by what stands before it, that begins like a statement. */
const multiLineSql =
  /(?<=[=([,:?>]\s*|\breturn\s+)`\s*(?:select|insert into|update|delete from|with|create|alter|grant|revoke)\s[^`]*\n[^`]*`/;
const isTest = /^test\//;
const isSource = /^(?:src|workers)\//;

function lengthOf(text: string): number {
  return text.trimEnd().split('\n').length;
}

function named(files: Sources, wrong: RegExp): string[] {
  return [...files.keys()].filter((file) => wrong.test(file));
}

function containing(files: Sources, where: RegExp, wrong: RegExp): string[] {
  return [...files].filter(([file, text]) => where.test(file) && wrong.test(text)).map(([file]) => file);
}

/** Folders of tests, and tests outside of any, that have no counterpart in `src` at the same place. */
function withoutCounterpart(files: Sources): string[] {
  const tests = [...files.keys()].filter((file) => isTest.test(file));
  const folders = new Set(
    tests.map((file) => (posix.dirname(file) === 'test' ? file : `${posix.dirname(file)}/`)),
  );
  const sourcesAt = [...files.keys()].filter((file) => file.startsWith('src/'));
  return [...folders].filter((folder) => {
    const place = folder.replace(isTest, 'src/').replace(/(?:\.test\.ts|\/)$/, '');
    return !sourcesAt.some((file) => file === `${place}.ts` || file.startsWith(`${place}/`));
  });
}

function crowded(files: Sources): string[] {
  const folders = Map.groupBy(files.keys(), (file) => posix.dirname(file));
  return [...folders].filter(([, held]) => held.length > FILES_MAX).map(([folder]) => folder);
}

/** Findings that are not listed, and entries of the list that nothing needs. */
function unlisted(findings: readonly string[], list: Readonly<Record<string, string>>): string[] {
  const covers = (entry: string, file: string) =>
    file === entry || (entry.endsWith('/') && file.startsWith(entry));
  const entries = Object.keys(list);
  return [
    ...findings.filter((file) => !entries.some((entry) => covers(entry, file))),
    ...entries
      .filter((entry) => !findings.some((file) => covers(entry, file)))
      .map((entry) => `${entry} is listed in style-rules.ts without need`),
  ];
}

describe('the sources', () => {
  test('are all read', () => {
    expect(sources.size).toBeGreaterThan(200);
  });

  test('have names that say something, and no barrels', () => {
    expect([...named(sources, meaningless), ...named(sources, isBarrel)]).toEqual([]);
  });

  test(`are at most ${LINES_MAX} lines long (tests ${TEST_LINES_MAX}), or say why not`, () => {
    const limitOf = (file: string) => (isTest.test(file) ? TEST_LINES_MAX : LINES_MAX);
    const beyond = (share: number) =>
      [...sources].filter(([file, text]) => lengthOf(text) > share * limitOf(file)).map(([file]) => file);
    expect(beyond(1).filter((file) => longFiles[file] === undefined)).toEqual([]);
    // A listed file that has become shorter by a few lines may grow again tomorrow.
    expect(Object.keys(longFiles).filter((file) => !beyond(0.9).includes(file))).toEqual([]);
  });

  test('begin with why they exist', () => {
    const bare = [...sources].filter(([file, text]) => isSource.test(file) && !/^\/[/*]/.test(text));
    expect(bare.map(([file]) => file)).toEqual([]);
  });

  test('do not sleep in tests', () => {
    expect(unlisted(containing(sources, isTest, sleeps), timedTests)).toEqual([]);
  });

  test('assert no times in tests', () => {
    expect(unlisted(containing(sources, isTest, timeBound), timeBounds)).toEqual([]);
  });

  test('stand at most 40 in a folder', () => {
    expect(crowded(sources).filter((folder) => !(folder in crowdedFolders))).toEqual([]);
    const many = Array.from({ length: FILES_MAX + 1 }, (_, at) => [`src/x/${at}.ts`, ''] as const);
    expect(crowded(new Map(many))).toEqual(['src/x']);
    expect(crowded(new Map(many.slice(1)))).toEqual([]);
  });

  test('have their tests in the same folders', () => {
    const places = readSources(['src', 'test']);
    expect(unlisted(withoutCounterpart(places), unmirrored)).toEqual([]);
  });

  test('read nothing without its type', () => {
    expect(
      unlisted(containing(sources, /./, /biome-ignore lint\/suspicious\/noExplicitAny/), untyped),
    ).toEqual([]);
  });

  test('keep SQL of several lines in .sql.ts', () => {
    const elsewhere = containing(sources, isSource, multiLineSql).filter((file) => !file.endsWith('.sql.ts'));
    expect(unlisted(elsewhere, sqlElsewhere)).toEqual([]);
  });

  test('open transactions in two places', () => {
    expect(
      containing(
        sources,
        isSource,
        /\.transactional\(|\bem\.begin\(|\bstartTransaction\(|\.transaction\(\)|\bdb\.lease\(/,
      ),
    ).toEqual(['src/db/transaction.ts']);
  });

  test('read the environment in one place', () => {
    expect(unlisted(containing(sources, isSource, /\bprocess\.env\b/), environmentReaders)).toEqual([]);
  });
});

describe('the checks', () => {
  test('catch meaningless names and barrels', () => {
    const wrong = [
      'src/sync/utils.ts',
      'src/helpers/x.ts',
      'src/common/x.ts',
      'test/misc.test.ts',
      'src/lib/x.ts',
    ];
    const right = ['src/http/common-errors.ts', 'src/sync/batch/sync.schema.ts', 'src/stock/index-of.ts'];
    const files = new Map([...wrong, ...right, 'src/sync/index.ts'].map((file) => [file, '']));
    expect(named(files, meaningless)).toEqual(wrong);
    expect(named(files, isBarrel)).toEqual(['src/sync/index.ts']);
  });

  test.each([
    'await delay(50);',
    'await sleep(ms);',
    'await new Promise((resolve) => setTimeout(resolve, 150));',
    'await new Promise((done) => setTimeout(done, 1_000));',
  ])('catch the sleep %s', (text) => {
    expect(text).toMatch(sleeps);
  });

  test.each(['const timer = setTimeout(() => reject(error), 50);', 'clearTimeout(timer);'])(
    'let %s pass',
    (text) => {
      expect(text).not.toMatch(sleeps);
    },
  );

  test.each([
    'expect(Date.now() - startedAt).toBeLessThan(1000);',
    'expect(tookMs).toBeLessThanOrEqual(2 * aloneMs);',
    "expect(run.durationMs, 'of one run')\n    .toBeLessThan(50);",
    'expect(process.hrtime.bigint() - before).toBeLessThan(5n);',
    'expect(elapsed).toBeLessThan(250);',
  ])('catch the assertion of a time %s', (text) => {
    expect(text).toMatch(timeBound);
  });

  test.each([
    'expect(items.length).toBeLessThan(250);',
    'expect(waited.durationMs).toBeGreaterThan(240); expect(n).toBeLessThan(3);',
    'await expect.poll(() => stored, { timeoutMs: 10 }).toBe(1);\nexpect(heapBytes).toBeLessThan(5);',
    'expect(timestamp).toBeLessThanOrEqual(Math.ceil(Date.now() / 1000));',
  ])('let the bound %s pass', (text) => {
    expect(text).not.toMatch(timeBound);
  });

  test('miss a folder of tests that mirrors nothing', () => {
    const files = ['src/sync/chunk/x.ts', 'src/main.ts', 'src/quantity.ts'];
    const right = [
      'test/sync/x.test.ts',
      'test/sync/chunk/y.test.ts',
      'test/main/z.ts',
      'test/quantity.test.ts',
    ];
    const wrong = ['test/sync/chunks/x.test.ts', 'test/other.test.ts', 'test/old/x.test.ts'];
    const all = new Map([...files, ...right, ...wrong].map((file) => [file, '']));
    expect(withoutCounterpart(all)).toEqual(['test/sync/chunks/', 'test/other.test.ts', 'test/old/']);
  });

  test('tell SQL from other text', () => {
    const seeded = new Map([
      ['src/x.ts', 'const a = `\n  select id\n  from entity`;'],
      ['src/y.ts', 'const b = `update entity\n set x = 1`;'],
      ['src/z.ts', 'const c = `select 1`;\nconst d = `Select one\nof these.`;'],
      ['src/w.ts', 'const e = `\n  nothing`;\n/** The key of `x` with\n * `y`. */'],
    ]);
    expect(containing(seeded, isSource, multiLineSql)).toEqual(['src/x.ts', 'src/y.ts']);
  });

  test('fail on a list that names what needs no exception', () => {
    expect(unlisted(['a.ts', 'b.ts', 'c/d.ts'], { 'a.ts': 'why', 'c/': 'why', 'e.ts': 'why' })).toEqual([
      'b.ts',
      'e.ts is listed in style-rules.ts without need',
    ]);
  });
});
