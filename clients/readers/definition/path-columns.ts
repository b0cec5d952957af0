/** Recognises columns with the way down to each line, such as `A/B/C`. */
import { FileFault } from '../findings.ts';
import { depthReader, pathSigns } from '../table/line-depth.ts';
import type { ColumnFacts } from './column-facts.ts';
import type { Roles } from './column-roles.ts';
import type { KeyColumns } from './suggest-key.ts';

/** The steps of a path; one for any other text. */
export function stepsOf(text: string): string[] {
  const sign = pathSigns.find((one) => text.includes(one));
  return (sign === undefined ? [text] : text.split(sign)).map((step) => step.trim()).filter(Boolean);
}

/** Whether a path of the column ends in the key or the name of a line, and goes through another one. */
export function namesLines(column: ColumnFacts, roles: Roles, key: KeyColumns): boolean {
  const keys = [key.key ?? key.number ?? []].flat();
  const lines = new Set(
    [...keys, roles.title('name')].flatMap(
      (title) => roles.table.find((one) => one.title === title)?.texts ?? [],
    ),
  );
  return column.texts.some((text) => {
    const steps = stepsOf(text);
    return steps.length > 1 && !lines.has(text) && steps.every((step) => lines.has(step));
  });
}

/** Whether the texts are ways down from the top: each step is a line above, and one goes down. */
export function areWaysDown(column: ColumnFacts, roles: Roles, key: KeyColumns): boolean {
  const texts = [[key.key ?? key.number ?? []].flat(), roles.title('number'), roles.title('name')].map(
    (titles) => textsOf(roles, [titles ?? []].flat()),
  );
  const depthOf = depthReader('paths');
  let deepest = 0;
  try {
    for (const [line, text] of column.all.entries()) {
      const own = texts.flatMap((at) => at(line) || []);
      if (own.length > 0) deepest = Math.max(deepest, depthOf(text, {}, own));
    }
  } catch (error) {
    if (error instanceof FileFault) return false;
    throw error;
  }
  return deepest > 0;
}

/** The texts of these columns in a line, joined as a key of several columns is. */
export function textsOf({ table }: Roles, titles: readonly string[]): (line: number) => string {
  const columns = table.filter(({ title }) => titles.includes(title));
  return (line) =>
    columns
      .map(({ all }) => all[line]?.trim() ?? '')
      .filter(Boolean)
      .join(' ');
}
