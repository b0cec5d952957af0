// The house rules of `web`: who imports whom, names, sizes; and the client is what the document says.
import { readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { describe, expect, test } from 'vitest';
import { circlesIn, filesOf } from '../architecture/find-circles.ts';
import { importsOf, projectFolder, type Sources } from '../architecture/scan-sources.ts';
import { longWebFiles, webExceptions, webMayImport, webPackageHomes } from './web-rules.ts';

const LINES_MAX = 300;
const sources = readWeb();
const styleSheets = [...readWeb('.css')];

function readWeb(ending = '.ts'): Sources {
  const found = new Map<string, string>();
  for (const entry of readdirSync(join(projectFolder, 'web'), { recursive: true, withFileTypes: true })) {
    const path = posix.join(entry.parentPath, entry.name).slice(projectFolder.length);
    const isScript = ending === '.ts' && path.endsWith('.tsx');
    if (!entry.isFile() || path.startsWith('web/dist/') || !(path.endsWith(ending) || isScript)) continue;
    found.set(path, readFileSync(join(projectFolder, path), 'utf8'));
  }
  return found;
}

function webUnitOf(file: string): string {
  const [, second = ''] = file.split('/');
  return second.replace(/\.tsx?$/, '');
}

type WebException = (typeof webExceptions)[number];

/** Returns the exception that covers an import. */
function exceptionFor(from: string, to: string): WebException | undefined {
  const covers = (entry: string, name: string) =>
    entry === name || (entry.endsWith('/') && name.startsWith(entry));
  return webExceptions.find((one) => covers(one.from, from) && covers(one.to, to));
}

function checkWeb(files: Sources): { breaches: string[]; unused: string[] } {
  const used = new Set<WebException>();
  const breaches = [...files].flatMap(([from, text]) =>
    importsOf(from, text).flatMap((one) => {
      const unit = webUnitOf(from);
      if (one.package !== null) {
        const homes = webPackageHomes[one.package];
        if (homes === undefined) return [`${from} imports ${one.package}, which has no home in web-rules.ts`];
        const isHome = homes.some((home) => home === '*' || home === unit || home === from);
        return isHome ? [] : [`${from} imports ${one.package}: its home is ${homes.join(', ')}`];
      }
      if (one.file === null || /\.(css|svg)(\?\w+)?$/.test(one.file)) return [];
      const file = one.file.replace(/\?\w+$/, '');
      if (!file.startsWith('web/')) {
        const exception = exceptionFor(from, file);
        if (exception === undefined) return [`${from} imports ${file}, which stands outside of web`];
        used.add(exception);
        return [];
      }
      if (!files.has(file)) return [`${from} imports ${one.specifier}, which is not there`];
      const to = webUnitOf(file);
      const allowed = webMayImport[unit];
      if (allowed === undefined) return [`${unit} has no rule in web-rules.ts`];
      if (to === unit || allowed.includes('*') || allowed.includes(to)) return [];
      const exception = exceptionFor(from, to);
      if (exception === undefined) return [`${from} imports ${file}: ${unit} may not import ${to}`];
      used.add(exception);
      return [];
    }),
  );
  const unused = webExceptions.filter((one) => !used.has(one)).map(({ from, to }) => `${from} ${to}`);
  return { breaches, unused };
}

describe('the sources', () => {
  test('keep to the rules of who imports whom', () => {
    const { breaches, unused } = checkWeb(sources);
    expect(breaches).toEqual([]);
    expect(unused).toEqual([]);
    expect(sources.size).toBeGreaterThan(50);
  });

  test('have no circle of files', () => {
    expect(circlesIn(filesOf(sources))).toEqual([]);
  });

  test('begin with why they exist, and are at most 300 lines long or say why not', () => {
    expect([...sources].filter(([, text]) => !/^\/[/*]/.test(text)).map(([file]) => file)).toEqual([]);
    const long = [...sources, ...styleSheets].filter(
      ([, text]) => text.trimEnd().split('\n').length > LINES_MAX,
    );
    expect(long.map(([file]) => file).toSorted()).toEqual(Object.keys(longWebFiles).toSorted());
  });

  test('have names that say something, and no barrels', () => {
    const wrong = /(?:^|\/)(?:utils?|helpers?|common|misc|shared|lib|index)(?:\/|\.tsx?$)/;
    expect([...sources.keys()].filter((file) => wrong.test(file))).toEqual([]);
  });

  test('say why something cannot be pressed where it can be read, and not in a title that only a pointer finds', () => {
    const titled = /<\w+(?=(?:[^<]|<[ =])*\sdisabled=)(?=(?:[^<]|<[ =])*\stitle=\{[^}]*\? )/;
    expect([...sources].filter(([, text]) => titled.test(text)).map(([file]) => file)).toEqual([]);
  });

  test('take their colours from the tokens', () => {
    const colour = /#[0-9a-f]{3,8}\b|\brgba?\(/i;
    const files = styleSheets.filter(([file, text]) => file !== 'web/tokens.css' && colour.test(text));
    expect(files.map(([file]) => file)).toEqual([]);
  });

  test('import the style sheet of every component of Mantine that they use', () => {
    const imported = /import \{([^}]*)\} from '@mantine\/core'/g;
    const used = new Set(
      [...sources.values()].flatMap((text) =>
        [...text.matchAll(imported)].flatMap(([, names = '']) => names.match(/\b[A-Z]\w+/g) ?? []),
      ),
    );
    // These are made of parts that have style sheets.
    const parts = {
      MultiSelect: ['Pill', 'PillsInput'],
      SegmentedControl: ['FloatingIndicator'],
      TagsInput: ['Pill', 'PillsInput'],
    };
    for (const [whole, its] of Object.entries(parts))
      if (used.has(whole)) for (const part of its) used.add(part);
    const sheets = readdirSync(join(projectFolder, 'node_modules/@mantine/core/styles'));
    const ours = readFileSync(join(projectFolder, 'web/shell/mantine.css'), 'utf8');
    const missing = [...used].filter(
      (name) => sheets.includes(`${name}.css`) && !ours.includes(`/styles/${name}.css"`),
    );
    expect(missing).toEqual([]);
  });

  test('name every package that the build takes in docs/dependencies.md, and pin it', () => {
    const { devDependencies, dependencies } = JSON.parse(
      readFileSync(join(projectFolder, 'package.json'), 'utf8'),
    );
    const document = readFileSync(join(projectFolder, 'docs/dependencies.md'), 'utf8');
    for (const name of Object.keys(webPackageHomes)) {
      expect(dependencies, name).not.toHaveProperty([name]);
      expect(devDependencies[name], name).toMatch(/^(?:npm:typescript@)?\d+\.\d+\.\d+$/);
      expect(document, name).toContain(`\`${name}\``);
    }
  });
});

describe('the check', () => {
  test.each([
    ['web/stock/x.ts', '../procurement/y.ts', 'stock may not import procurement'],
    ['web/components/x.tsx', '../entities/y.ts', 'components may not import entities'],
    ['web/client/x.ts', '../navigation/y.ts', 'client may not import navigation'],
    ['web/stock/x.ts', '../../src/errors.ts', 'stands outside of web'],
    ['web/stock/x.ts', 'left-pad', 'has no home'],
    ['web/stock/x.ts', '@dagrejs/dagre', 'its home is components'],
    ['web/stock/x.ts', './absent.ts', 'which is not there'],
  ])('catches %s importing %s', (from, specifier, finding) => {
    const seeded = new Map([[from, `import { y } from '${specifier}';\n`]]);
    const target = importsOf(from, `import '${specifier}';`)[0]?.file;
    if (target != null && specifier !== './absent.ts') seeded.set(target, '');
    expect(checkWeb(seeded).breaches.join('\n')).toContain(finding);
  });
});
