// The house rules of `clients`: who imports whom, names, sizes, what runs in browsers; and the client is what the document says.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  documentFile,
  generateOperations,
  generateTypes,
  operationsFile,
  typesFile,
} from '../../clients/typescript/generate-client.ts';
import { circlesIn, filesOf } from '../architecture/find-circles.ts';
import { importsOf, projectFolder, readSources, type Sources } from '../architecture/scan-sources.ts';
import { clientPackageHomes, clientsMayImport, longClientFiles, nodeOnly } from './client-rules.ts';

const LINES_MAX = 300;
const sources: Sources = new Map([...readSources(['clients'])].filter(([file]) => !file.includes('/dist/')));
const unitOfClient = (file: string) => file.split('/')[1] ?? '';

function breachesOf(files: Sources): string[] {
  return [...files].flatMap(([from, text]) => {
    const unit = unitOfClient(from);
    const allowed = clientsMayImport[unit];
    if (allowed === undefined) return [`${unit} has no rule in client-rules.ts`];
    return importsOf(from, text).flatMap((one) => {
      if (one.package !== null) {
        const homes = clientPackageHomes[one.package] ?? [];
        return homes.includes(unit) ? [] : [`${from} imports the package ${one.package}`];
      }
      if (one.specifier.startsWith('node:') && unit !== 'cli' && nodeOnly[from] === undefined) {
        return [`${from} imports ${one.specifier}, which browsers do not have`];
      }
      if (one.file === null) return [];
      if (!one.file.startsWith('clients/'))
        return [`${from} imports ${one.file}, which stands outside of clients`];
      if (!files.has(one.file)) return [`${from} imports ${one.file}, which is not there`];
      const to = unitOfClient(one.file);
      return to === unit || allowed.includes(to) ? [] : [`${from} imports ${one.file}`];
    });
  });
}

describe('the client', () => {
  const document = JSON.parse(readFileSync(documentFile, 'utf8'));
  test('is what docs/openapi.json says (npm run client)', () => {
    expect(readFileSync(typesFile, 'utf8')).toBe(generateTypes(document));
    expect(readFileSync(operationsFile, 'utf8')).toBe(generateOperations(document));
  });
});

describe('the sources', () => {
  test('keep to the rules of who imports whom, without circles', () => {
    expect(breachesOf(sources)).toEqual([]);
    expect(circlesIn(filesOf(sources))).toEqual([]);
    expect(sources.size).toBeGreaterThan(40);
    for (const file of Object.keys(nodeOnly)) expect(sources.has(file), file).toBe(true);
  });

  test('begin with why they exist, and are at most 300 lines long or say why not', () => {
    expect([...sources].filter(([, text]) => !/^\/[/*]/.test(text)).map(([file]) => file)).toEqual([]);
    const long = [...sources].filter(([, text]) => text.trimEnd().split('\n').length > LINES_MAX);
    expect(long.map(([file]) => file).toSorted()).toEqual(Object.keys(longClientFiles).toSorted());
  });

  test('have names that say something, and no barrels', () => {
    const wrong = /(?:^|\/)(?:utils?|helpers?|common|misc|shared|lib|index)(?:\/|\.ts$)/;
    expect([...sources.keys()].filter((file) => wrong.test(file))).toEqual([]);
  });

  test('pin their packages to the versions of the service, and say what each is for', () => {
    const read = (file: string) => JSON.parse(readFileSync(join(projectFolder, file), 'utf8'));
    const { dependencies, devDependencies } = read('package.json');
    const cli = read('clients/cli/package.json').dependencies as Record<string, string>;
    const explained = readFileSync(join(projectFolder, 'docs/dependencies.md'), 'utf8');
    expect(Object.keys(cli).toSorted()).toEqual(Object.keys(clientPackageHomes).toSorted());
    expect(read('clients/typescript/package.json').dependencies).toBeUndefined();
    for (const [name, version] of Object.entries(cli)) {
      expect(version, name).toMatch(/^\d+\.\d+\.\d+$/);
      expect([undefined, version], name).toContain({ ...dependencies, ...devDependencies }[name]);
      expect(explained, name).toContain(`\`${name}\``);
    }
  });
});

describe('the check', () => {
  test.each([
    ['clients/readers/x.ts', '../typescript/y.ts', 'clients/readers/x.ts imports clients/typescript/y.ts'],
    ['clients/typescript/x.ts', '../../src/errors.ts', 'stands outside of clients'],
    ['clients/readers/x.ts', 'node:fs', 'which browsers do not have'],
    ['clients/typescript/x.ts', 'zod', 'imports the package zod'],
    ['clients/cli/x.ts', './absent.ts', 'which is not there'],
    ['clients/gadgets/x.ts', './y.ts', 'gadgets has no rule'],
  ])('catches %s importing %s', (from, specifier, finding) => {
    const seeded = new Map([[from, `import { y } from '${specifier}';\n`]]);
    const target = importsOf(from, `import '${specifier}';`)[0]?.file;
    if (target != null && specifier !== './absent.ts') seeded.set(target, '');
    expect(breachesOf(seeded).join('\n')).toContain(finding);
  });
});
