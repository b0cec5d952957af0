/** Reads the project's sources and their imports: what the checks of the architecture go over. */
import { readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';

export const projectFolder = fileURLToPath(new URL('../../', import.meta.url));

/** Path from the project's folder, with slashes, to text. */
export type Sources = ReadonlyMap<string, string>;

export interface Import {
  from: string;
  /** As it is written. */
  specifier: string;
  /** The imported file of the project; null for a package or a module of Node. */
  file: string | null;
  /** The imported package; null for the others. */
  package: string | null;
}

/** The TypeScript files below some folders, but for some of them, or those below others. */
export function readSources(folders: readonly string[], without: readonly string[] = []): Sources {
  const sources = new Map<string, string>();
  for (const folder of folders) {
    for (const entry of readdirSync(join(projectFolder, folder), { recursive: true, withFileTypes: true })) {
      if (!entry.isFile() || !entry.name.endsWith('.ts')) continue;
      const path = join(entry.parentPath, entry.name);
      const file = path.slice(projectFolder.length);
      if (without.some((skipped) => file === skipped || file.startsWith(`${skipped}/`))) continue;
      sources.set(file, readFileSync(path, 'utf8'));
    }
  }
  return sources;
}

const declared = /^(?:import|export)\s(?:[^'";]*?\sfrom\s)?'([^']+)'/gm;
const dynamic = /\bimport\(\s*('([^']+)'|[^)]*)/g;

/** All imports and re-exports of a file; a dynamic one of a computed path has an empty specifier. */
export function importsOf(from: string, text: string): Import[] {
  const specifiers = [
    ...[...text.matchAll(declared)].map((match) => match[1] as string),
    ...[...text.matchAll(dynamic)].map((match) => match[2] ?? ''),
  ];
  return specifiers.map((specifier) => {
    const relative = specifier.startsWith('.');
    const other = specifier === '' || relative || specifier.startsWith('node:');
    return {
      from,
      specifier,
      file: relative ? posix.join(posix.dirname(from), specifier) : null,
      package: other ? null : packageOf(specifier),
    };
  });
}

function packageOf(specifier: string): string {
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
}

/** `src/sync/intake/x.ts` is of the unit `sync`, `src/api.ts` of `api`, `workers/web.ts` of `workers`. */
export function unitOf(file: string): string {
  const [top = '', second = ''] = file.split('/');
  return top === 'src' ? second.replace(/\.ts$/, '') : top;
}
