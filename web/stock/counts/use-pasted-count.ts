/**
 * What was counted, pasted from a spreadsheet: one column fills down from where it is pasted, two name each item by its number. A column with
 * the heading Lot names the lot or serial number.
 */
import { call } from '../../client/request.ts';
import { quantityFault, readQuantity } from '../../components/forms/exact-quantity.ts';
import { readCells } from '../../components/forms/pasted-cells.ts';
import { notify } from '../../components/notices.tsx';
import { countText } from '../../components/words.tsx';
import { isItem, useReadCategories } from '../../entities/configuration.ts';
import type { PickedEntity } from '../../entities/entity-picker.tsx';
import type { Filled as Counted, CountLine, Sheet } from './use-count-sheet.ts';

interface Taken {
  counted: Counted[];
  left: string[];
  /** The first figure that cannot be read. */
  unread: string | undefined;
}

export function usePastedCount(sheet: Sheet): (text: string, below: readonly CountLine[]) => Promise<void> {
  const readCategories = useReadCategories();
  return async (text, below) => {
    const rows = readCells(text);
    const lotAt = rows[0]?.findIndex((cell) => /^(lot|serial( number)?)$/i.test(cell)) ?? -1;
    const byNumber = rows.slice(lotAt > 0 ? 1 : 0).filter((row) => row.length > 1 && row[0] !== '');
    try {
      const categories = await readCategories();
      const mayBeCounted = (key: string) => isItem(categories.find((category) => category.key === key));
      const { counted, left, unread } =
        byNumber.length > 0
          ? await ofNumbers(byNumber, { lines: sheet.lines, mayBeCounted, lotAt })
          : fillDown(
              rows.map(([cell = '']) => cell),
              below,
            );
      sheet.fill(counted);
      const rest =
        left.length === 0 ? '' : ` Not taken: ${left.slice(0, 5).join(', ')}${left.length > 5 ? ' …' : ''}.`;
      const why = unread === undefined ? '' : ` ${quantityFault(unread) ?? ''}`;
      notify(`${countText(counted.length, 'line')} filled in.${rest}${why}`);
    } catch (error) {
      notify(`Nothing was filled in: ${error instanceof Error ? error.message : String(error)}`);
    }
  };
}

function fillDown(cells: readonly string[], below: readonly CountLine[]): Taken {
  const counted = below.slice(0, cells.length).flatMap(({ item, location, lot }, at): Counted[] => {
    const text = cells[at] ?? '';
    return isCount(text) ? [{ item, location, lot, text }] : [];
  });
  return {
    counted,
    left: cells.filter((cell, at) => !isCount(cell) || at >= below.length),
    unread: cells.find(isUnread),
  };
}

interface Surroundings {
  lines: readonly CountLine[];
  mayBeCounted: (category: string) => boolean;
  /** The column of lots; below 1: there is none. */
  lotAt: number;
}

/** The number stands in the first cell of a row, what was counted in the last. */
async function ofNumbers(
  rows: readonly (readonly string[])[],
  { lines, mayBeCounted, lotAt }: Surroundings,
): Promise<Taken> {
  const known = new Map<string | null, PickedEntity>(lines.map(({ item }) => [item.number, item]));
  const asked = rows.flatMap(([number = '']) => (known.has(number) ? [] : [number]));
  const found = asked.length === 0 ? [] : (await call('lookUpEntities', { body: { numbers: asked } })).items;
  for (const { number, entities } of found) {
    const fitting = entities.filter(({ category }) => mayBeCounted(category));
    if (fitting.length === 1 && fitting[0] !== undefined) known.set(number, fitting[0]);
  }
  const counted: Counted[] = [];
  const left: string[] = [];
  for (const row of rows) {
    const [number = ''] = row;
    const item = known.get(number);
    const text = figureOf(row);
    const lot = lotAt > 0 ? row[lotAt] || null : null;
    if (item === undefined || !isCount(text)) left.push(number);
    else counted.push({ item, lot, text });
  }
  return { counted, left, unread: rows.map(figureOf).find(isUnread) };
}

function figureOf(row: readonly string[]): string {
  return row.findLast((cell) => cell !== '') ?? '';
}

/** Figures that are none. What has no digit is the head of a column, or a word. */
function isUnread(text: string): boolean {
  return /\d/.test(text) && quantityFault(text) !== null;
}

function isCount(text: string): boolean {
  return (readQuantity(text) ?? -1) >= 0;
}
