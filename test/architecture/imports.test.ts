/** Who imports whom is held against import-rules.ts, and the check itself against breaches made up for it. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { checkImports, unusedExceptions } from './check-imports.ts';
import { belowRoutes, httpItself, mayImport, packageHomes } from './import-rules.ts';
import { importsOf, projectFolder, readSources } from './scan-sources.ts';

/** Without the checks' own tests, which hold made-up imports, and those of the web app, which has rules of its own. */
const sources = readSources(
  ['src', 'workers', 'migrations', 'bench', 'deploy', 'test', 'clients'],
  [
    'test/architecture',
    'test/web',
    'test/clients/sources.test.ts',
    'clients/cli/dist',
    'clients/typescript/dist',
  ],
);

describe('the sources', () => {
  test('keep to the rules', () => {
    const report = checkImports(sources);
    expect(report.breaches).toEqual([]);
    // A check that went over nothing would pass as well.
    expect(report.files).toBeGreaterThan(200);
    expect(report.imports).toBeGreaterThan(800);
    expect(report.units).toBeGreaterThan(15);
  });

  test('need every exception', () => {
    expect(unusedExceptions(sources)).toEqual([]);
    for (const file of [...Object.keys(belowRoutes), ...Object.keys(httpItself)]) {
      expect(sources.has(file), file).toBe(true);
    }
  });

  test.each([
    ['.routes.ts', 'src/api.ts'],
    ['.entity.ts', 'src/mapped-entities.ts'],
  ])('list every %s in %s', (ending, list) => {
    const listed = importsOf(list, sources.get(list) ?? '').map((one) => one.file);
    const present = [...sources.keys()].filter((file) => file.endsWith(ending));
    expect(present.length).toBeGreaterThan(3);
    expect(present.filter((file) => !listed.includes(file))).toEqual([]);
  });

  test('give every dependency a home', () => {
    const { dependencies } = JSON.parse(readFileSync(join(projectFolder, 'package.json'), 'utf8')) as {
      dependencies: Record<string, string>;
    };
    expect(Object.keys(packageHomes).sort()).toEqual(Object.keys(dependencies).sort());
  });
});

describe('the check', () => {
  test('reads every form of import', () => {
    const text = [
      `import 'a';`,
      `import b from 'b';`,
      `import {\n  c,\n  type D,\n} from '@scope/c/deep';`,
      `import type { E } from '../e.ts';`,
      `export { f } from './f.ts';`,
      `export * from './g.ts';`,
      `const h = await import('./h.ts');`,
      `const i = await import(path);`,
      `import { readFileSync } from 'node:fs';`,
      `/** import { nothing } from 'a comment'; */`,
    ].join('\n');
    expect(importsOf('src/sync/x.ts', text).map((one) => one.file ?? one.package ?? one.specifier)).toEqual([
      ...['a', 'b', '@scope/c', 'src/e.ts', 'src/sync/f.ts', 'src/sync/g.ts', 'node:fs', 'src/sync/h.ts', ''],
    ]);
  });

  test('misses no import that a plain search finds', () => {
    for (const [file, text] of sources) {
      const lines = text.split('\n').filter((line) => /^(import|export|\}).* from '[^']+';$/.test(line));
      expect(importsOf(file, text).length, file).toBeGreaterThanOrEqual(lines.length);
    }
  });

  test.each([
    ['src/sync/x.ts', '../automation/y.ts', 'sync may not import automation'],
    ['src/automation/x.ts', '../sync/y.ts', 'automation may not import sync'],
    ['src/automation/sandbox/x.ts', '../../sync/deep/y.ts', 'automation may not import sync'],
    ['src/db/x.ts', '../entities/y.ts', 'db may not import entities'],
    ['src/queue/x.ts', '../sync/y.ts', 'queue may not import sync'],
    ['src/events/x.ts', '../automation/y.ts', 'events may not import automation'],
    ['src/http/x.ts', '../stock/y.ts', 'http may not import stock'],
    ['src/http/x.ts', '../access/y.ts', 'http may not import access'],
    ['src/entities/x.ts', '../sync/y.ts', 'entities may not import sync'],
    ['src/stock/x.ts', '../procurement/y.ts', 'stock may not import procurement'],
    ['src/errors.ts', './http/y.ts', 'errors may not import http'],
    ['src/configuration/x.ts', '../context.ts', 'configuration may not import context'],
    ['workers/x.ts', '../src/http/y.ts', 'workers may not import http'],
    ['src/sync/x.ts', '../../test/y.ts', 'stands outside the service'],
    ['src/sync/x.ts', '../main.ts', 'stands outside the service'],
    ['src/sync/x.ts', '../http/y.ts', 'nothing of HTTP below the routes'],
    ['src/sync/x.ts', 'express', 'its home is api, http, operations'],
    ['src/stock/x.ts', 'bullmq', 'its home is queue'],
    ['src/sync/x.ts', 'left-pad', 'has no home'],
    ['src/sync/x.ts', './absent.ts', 'which is not there'],
    ['src/gadgets/x.ts', './y.ts', 'gadgets has no rule'],
  ])('catches %s importing %s', (from, specifier, finding) => {
    const absent = specifier === './absent.ts' || !specifier.startsWith('.');
    const target = importsOf(from, `import '${specifier}';`)[0]?.file ?? '';
    const seeded = new Map([[from, `import { y } from '${specifier}';\n`]]);
    if (!absent) seeded.set(target, '');
    expect(checkImports(seeded).breaches.join('\n')).toContain(finding);
  });

  test('catches an import of a type alone, and one of a computed path', () => {
    const seeded = new Map([
      ['src/sync/x.ts', `import type { Y } from '../automation/y.ts';\nconst z = await import(place);\n`],
      ['src/automation/y.ts', ''],
    ]);
    expect(checkImports(seeded).breaches).toHaveLength(2);
  });

  test('lets through what is allowed', () => {
    const seeded = new Map([
      ['src/sync/x.routes.ts', `import '../http/y.ts';\nimport { z } from 'zod';\nimport '../db/w.ts';\n`],
      ['src/http/y.ts', ''],
      ['src/db/w.ts', ''],
    ]);
    expect(checkImports(seeded).breaches).toEqual([]);
  });

  test('has rules that only name units with rules', () => {
    for (const [unit, allowed] of Object.entries(mayImport)) {
      for (const other of allowed)
        if (other !== '*') expect(mayImport, `${unit} → ${other}`).toHaveProperty(other);
    }
  });
});
