/** Scripts as files: what stands in the manifest beside them, and what the workspace has of them. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Automation } from '../../typescript/generated/types.ts';
import { listItems } from '../../typescript/list-items.ts';
import { UsageError } from '../exit-codes.ts';
import { shown } from '../output.ts';
import type { Session } from '../session.ts';
import { pathHere } from '../surroundings.ts';

export interface Kept {
  file: string;
  name: string;
  description: string;
  contextTypeId: number;
  enabled: boolean;
}

/** The defaults of the service for omitted fields, so that an omitted field is no difference. */
const absent = { description: '', enabled: true };

export const MANIFEST = 'automations.json';

export async function customOf({ partbook, signal }: Session): Promise<Automation[]> {
  const all = await Array.fromAsync(listItems(partbook, 'GET /automations', {}, { signal }));
  return all.filter(({ kind }) => kind === 'custom');
}

export function fileNameOf(name: string, taken: Set<string>): string {
  const base =
    name
      .toLowerCase()
      .replaceAll(/[^a-z0-9]+/g, '-')
      .replaceAll(/^-|-$/g, '') || 'automation';
  let file = `${base}.js`;
  for (let again = 2; taken.has(file); again++) file = `${base}-${again}.js`;
  taken.add(file);
  return file;
}

/** Each script that it names, read: what is wrong with the files is found before anything is sent. */
export function scriptsOf(folder: string): (Kept & { script: string })[] {
  const path = join(folder, MANIFEST);
  if (!existsSync(pathHere(path)))
    throw new UsageError(`There is no ${path}: "partbook automations pull" writes one.`);
  const entries = readJson(path);
  if (!Array.isArray(entries)) throw new UsageError(`${path} holds no array of scripts.`);
  const names = new Set<string>();
  return entries.map((entry: Partial<Kept> | null, at) => {
    if (typeof entry?.file !== 'string' || typeof entry.name !== 'string')
      throw new UsageError(`${path}: entry ${at + 1} has no "file" and "name".`);
    if (names.has(entry.name)) throw new UsageError(`${path} names "${shown(entry.name)}" twice.`);
    names.add(entry.name);
    return { ...absent, ...(entry as Kept), script: readText(join(folder, entry.file)) };
  });
}

export function readJson(path: string): unknown {
  try {
    return JSON.parse(readText(path));
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new UsageError(`${path} is not JSON: ${error.message}`);
  }
}

export function readText(path: string): string {
  if (!existsSync(pathHere(path))) throw new UsageError(`There is no file ${path}.`);
  return readFileSync(pathHere(path), 'utf8');
}
