/** The thread that knows types: TypeScript's own language service over the script and what a script has. */
import ts from 'typescript-web';
import declarations from '../../src/automation/conductor/api.d.ts?raw';
import { scriptDeclarations } from './script-declarations.ts';
import type { TypesAnswer, TypesQuestion } from './script-types.ts';

const libraries = import.meta.glob<string>(
  '../../node_modules/typescript-web/lib/lib.{es5,es20*,decorators*}.d.ts',
  {
    query: '?raw',
    import: 'default',
    eager: true,
  },
);
const OPTIONS_MAX = 200;
const SCRIPT = '/script.js';
const LIBRARY = '/lib.es2023.d.ts';
const files = new Map<string, string>(
  Object.entries(libraries).map(([path, text]) => [path.replace(/^.*\//, '/'), text]),
);
let version = 0;

const service = ts.createLanguageService({
  getScriptFileNames: () => ['/api.d.ts', SCRIPT],
  getScriptVersion: (name) => (name === SCRIPT || name === '/api.d.ts' ? String(version) : '1'),
  getScriptSnapshot: (name) => {
    const text = files.get(name);
    return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text);
  },
  getCurrentDirectory: () => '/',
  getCompilationSettings: () => ({
    allowJs: true,
    noEmit: true,
    target: ts.ScriptTarget.ES2023,
    lib: ['lib.es2023.d.ts'],
  }),
  getDefaultLibFileName: () => LIBRARY,
  fileExists: (name) => files.has(name),
  readFile: (name) => files.get(name),
});

self.onmessage = ({ data: { id, script, position, contextTypeId } }: MessageEvent<TypesQuestion>) => {
  // A script is the body of an async function.
  const head = 'async function script() {\n';
  version++;
  files.set('/api.d.ts', scriptDeclarations(declarations, contextTypeId));
  files.set(SCRIPT, `${head}${script}\n}`);
  const found = service.getCompletionsAtPosition(SCRIPT, head.length + position, {});
  const options = (found?.entries ?? [])
    // Keywords and globals of the language sort behind what the script has.
    .filter(
      ({ kind, name }) =>
        kind !== ts.ScriptElementKind.keyword && kind !== ts.ScriptElementKind.warning && name !== 'script',
    )
    .toSorted((a, b) => (a.sortText < b.sortText ? -1 : a.sortText > b.sortText ? 1 : 0))
    .slice(0, OPTIONS_MAX)
    .map(({ name, kind }, at) => ({
      label: name,
      kind,
      detail: at < 40 ? detailOf(head.length + position, name) : '',
    }));
  self.postMessage({ id, options } satisfies TypesAnswer);
};

function detailOf(position: number, name: string): string {
  const details = service.getCompletionEntryDetails(
    SCRIPT,
    position,
    name,
    undefined,
    undefined,
    undefined,
    undefined,
  );
  const text = ts
    .displayPartsToString(details?.displayParts ?? [])
    .replace(/^\(\w+\) /, '')
    .replace(/^[\w.]+?\.(?=\w+\()/, '');
  return text.length > 80 ? `${text.slice(0, 80)}…` : text;
}
