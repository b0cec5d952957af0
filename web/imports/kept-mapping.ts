/**
 * What a person said the columns of a table mean, for as long as the tab lives: a file cannot be kept over a reload or the way back
 * from its dry run, and is chosen again, but nobody should have to say a second time what its columns are.
 */
import type { ImportDefinition, ImportMapping } from '../client/operations.ts';
import { currentSlug } from '../client/workspace.ts';
import type { Choice } from './choose-definition.ts';
import { isSame, titlesOf } from './mapping.ts';
import type { FileLook } from './read-file.ts';

interface Kept {
  titles: string[];
  /** Of the definition that was changed, if it was one. */
  name: string | null;
  mapping: ImportMapping;
}

/** Beyond that it is no mapping that somebody made by hand. */
const CHARACTERS_MAX = 200_000;

function place(): string {
  return `partbook.mapping.${currentSlug()}`;
}

export function keepMapping({ name, mapping, table, headerAt }: Choice): void {
  const titles = titlesOf(table?.rows[headerAt] ?? []);
  const text = JSON.stringify({ titles, name, mapping } satisfies Kept);
  if (titles.length > 0 && text.length <= CHARACTERS_MAX) window.sessionStorage.setItem(place(), text);
}

export function forgetMapping(): void {
  window.sessionStorage.removeItem(place());
}

/** Of a file with the same columns in the same order; null where there is none, or nothing was kept. */
export function keptChoice(look: FileLook, definitions: readonly ImportDefinition[]): Choice | null {
  const kept = read();
  if (kept === null) return null;
  for (const table of look.tables) {
    const headerAt = table.rows.findIndex((row) => hasTitles(row, kept.titles));
    if (headerAt === -1) continue;
    // A definition that is gone, or has another name now, is none to go back to.
    const name = definitions.some((one) => one.name === kept.name) ? kept.name : null;
    return { name, mapping: { ...kept.mapping, ...table.about }, table, headerAt, missing: [], isKept: true };
  }
  return null;
}

function hasTitles(row: readonly string[], titles: readonly string[]): boolean {
  const found = titlesOf(row);
  return found.length === titles.length && found.every((title, at) => isSame(titles[at], title));
}

function read(): Kept | null {
  try {
    return JSON.parse(window.sessionStorage.getItem(place()) ?? 'null') as Kept | null;
  } catch {
    return null;
  }
}
