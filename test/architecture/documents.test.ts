/** The documents name files, commands, settings and packages; what they name is there. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { projectFolder } from './scan-sources.ts';

const read = (file: string) => readFileSync(join(projectFolder, file), 'utf8');

const documents = [
  ...readdirSync(projectFolder).filter((file) => file.endsWith('.md')),
  ...readdirSync(join(projectFolder, 'docs'), { recursive: true })
    .map((file) => `docs/${file}`)
    .filter((file) => file.endsWith('.md')),
];
const manifest = JSON.parse(read('package.json')) as {
  scripts: Record<string, string>;
  dependencies: Record<string, string>;
  optionalDependencies: Record<string, string>;
  devDependencies: Record<string, string>;
};

/** Settings that are not the service's own: the tests' and those of other programs. */
const otherSettings = [
  'TEST_DATABASE_URL',
  'TEST_REDIS_URL',
  'TEST_REDIS_REQUIRED',
  'PAGES_PICTURES',
  'NODE_COMPILE_CACHE',
  'NODE_OPTIONS',
  'MALLOC_ARENA_MAX',
  'MALLOC_MMAP_THRESHOLD_',
  'POSTGRES_PASSWORD',
  'SERVICE_PASSWORD',
  'PARTBOOK_URL',
  'PARTBOOK_WORKSPACE',
  'PARTBOOK_API_KEY',
  'PARTBOOK_PROFILE',
  'PARTBOOK_OPERATOR_TOKEN',
  'HAPROXY_SOCKET',
  'HAPROXY_CELLS',
  'NODE_EXTRA_CA_CERTS',
];

/** All matches of the first group in a document. */
function named(file: string, form: RegExp): string[] {
  return [...read(file).matchAll(form)].map((match) => match[1] as string);
}

test('the documents that a project has are there', () => {
  for (const file of [
    'README.md',
    'ARCHITECTURE.md',
    'CONTRIBUTING.md',
    'CHANGELOG.md',
    'docs/glossary.md',
  ]) {
    expect(documents).toContain(file);
  }
});

test.each(documents)('%s names only files that are there', (file) => {
  const links = named(file, /\]\((?!https?:|#)([^)#\s]+)/g).map((link) => join(dirname(file), link));
  const paths = named(file, /`((?:src|test|workers|bench|migrations|docs|\.ci)\/[\w./-]*)`/g).filter(
    (path) => !path.includes('YYYY'),
  );
  expect([...links, ...paths].filter((path) => !existsSync(join(projectFolder, path)))).toEqual([]);
});

test.each(documents)('%s names only commands and settings that are there', (file) => {
  const commands = named(file, /\bnpm run ([\w:-]+)/g);
  expect(commands.filter((command) => manifest.scripts[command] === undefined)).toEqual([]);
  const settings = named(file, /`([A-Z]+(?:_[A-Z]+)+)(?:=[^`]*)?`/g).filter(
    (name) => !otherSettings.includes(name),
  );
  const config = read('src/config.ts');
  expect(settings.filter((name) => !config.includes(`${name}:`))).toEqual([]);
});

test('docs/dependencies.md says of every dependency what it is for', () => {
  const explained = named('docs/dependencies.md', /^\| (`.*?) \|/gm).flatMap((cell) =>
    [...cell.matchAll(/`([^`]+)`/g)].map((match) => match[1] as string),
  );
  const { dependencies, optionalDependencies, devDependencies } = manifest;
  const cli = JSON.parse(read('clients/cli/package.json')).dependencies as Record<string, string>;
  const all = { ...dependencies, ...optionalDependencies, ...devDependencies, ...cli };
  const present = Object.keys(all);
  expect(explained.sort()).toEqual(present.sort());
});

test('the map of ARCHITECTURE.md names every folder of src', () => {
  const folders = readdirSync(join(projectFolder, 'src'), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => `src/${name}`);
  const mapped = named('ARCHITECTURE.md', /^\| (.*?) \|/gm).flatMap((cell) =>
    [...cell.matchAll(/`(src\/[\w-]+)`/g)].map((match) => match[1] as string),
  );
  expect(folders.filter((folder) => !mapped.includes(folder))).toEqual([]);
});

test('docs/adr/README.md lists every decision', () => {
  const records = readdirSync(join(projectFolder, 'docs/adr')).filter((file) => /^\d{4}-/.test(file));
  expect(records.length).toBeGreaterThan(5);
  expect([...new Set(named('docs/adr/README.md', /\((\d{4}-[^)]+)\)/g))]).toEqual(records.sort());
});

test('.env.example names only settings that are there', () => {
  const config = read('src/config.ts');
  const settings = named('.env.example', /^(?:# )?([A-Z_]+)=/gm);
  expect(settings.length).toBeGreaterThan(3);
  expect(settings.filter((name) => !config.includes(`${name}:`) && !otherSettings.includes(name))).toEqual(
    [],
  );
});

test('scripts, image, Procfile and manifests start the service without flags: the launcher has them', () => {
  for (const script of ['start', 'web', 'worker'])
    expect(manifest.scripts[script]).toBe(`exec node src/main.ts ${script === 'start' ? 'all' : script}`);
  for (const file of ['Dockerfile', 'Procfile', 'docker-compose.yml', 'deploy/kubernetes/partbook.json'])
    expect(read(file)).not.toMatch(/--v8-|semi-space|MALLOC_|NODE_OPTIONS|NODE_COMPILE_CACHE/);
});
