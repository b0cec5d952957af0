/** Comments and documents cite the specification by section; what they cite is there. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { projectFolder, readSources } from './scan-sources.ts';

const read = (file: string) => readFileSync(join(projectFolder, file), 'utf8');
const documents = ['ARCHITECTURE.md', 'CONTRIBUTING.md', 'CHANGELOG.md', 'docs/glossary.md'];

/** Every source and document, a comment of several lines on one: a citation may be broken over two. */
const texts = [
  ...readSources(['src', 'workers', 'migrations', 'bench', 'test'], ['test/architecture']),
  ...documents.map((file) => [file, read(file)] as const),
].map(([file, text]) => [file, text.replaceAll(/\n\s*(?:\*(?!\/)|\/\/)?\s*/g, ' ')] as const);

interface Citation {
  file: string;
  section: string;
}

function cited(form: RegExp, sectionsOf: (match: RegExpMatchArray) => string[]): Citation[] {
  return texts.flatMap(([file, text]) =>
    [...text.matchAll(form)].flatMap((match) => sectionsOf(match).map((section) => ({ file, section }))),
  );
}

/** `contract §2.4`, `contract §2.1, §2.6`. */
const ofContract = cited(/contract (§[\d.]*\d(?:, §[\d.]*\d)*)/g, (match) => [
  ...(match[1] as string).split(', ').map((section) => section.slice(1)),
]);
/** `(interface, Events)`, `(interface, Stock; contract §4)`. */
const ofInterface = cited(/\(interface, ([^;)]+)[;)]/g, (match) => [match[1] as string]);

test('what is cited of the contract is a section of it', () => {
  const sections = [...read('docs/specification/contract.md').matchAll(/^#{2,3} (\d+(?:\.\d+)?)\.? /gm)];
  const numbers = sections.map((match) => match[1] as string);
  expect(new Set(numbers).size).toBe(numbers.length);
  expect(ofContract.length).toBeGreaterThan(40);
  expect(ofContract.filter(({ section }) => !numbers.includes(section))).toEqual([]);
});

test('sections of the contract that the contract itself names are there', () => {
  const contract = read('docs/specification/contract.md');
  const numbers = [...contract.matchAll(/^#{2,3} (\d+(?:\.\d+)?)\.? /gm)].map((match) => match[1] as string);
  const named = [...contract.matchAll(/§(\d+(?:\.\d+)?)/g)].map((match) => match[1] as string);
  expect(named.length).toBeGreaterThan(3);
  expect(named.filter((section) => !numbers.includes(section))).toEqual([]);
});

test('what is cited of the interface is a heading or the beginning of a list there', () => {
  const interfaceText = read('docs/specification/interface.md');
  const begins = [...interfaceText.matchAll(/^(?:#+ (.+)|([A-Z].*):)$/gm)].map(
    (match) => (match[1] ?? match[2]) as string,
  );
  expect(ofInterface.length).toBeGreaterThan(15);
  expect(
    ofInterface.filter(
      ({ section }) =>
        !begins.some(
          (begin) =>
            begin === section || (/^[ (]/.test(begin.slice(section.length)) && begin.startsWith(section)),
        ),
    ),
  ).toEqual([]);
});

test('the specification is cited in these two forms and no other', () => {
  const sources = texts.filter(([file]) => file.endsWith('.ts'));
  const others = sources.flatMap(([file, text]) =>
    [
      ...text.matchAll(
        /interface\.md|contract\.md|contract \(§|the contract §|contract §(?!\d)|[a-z] interface, [A-Z]/g,
      ),
    ].map(([form]) => `${file}: ${form}`),
  );
  expect(others).toEqual([]);
});
