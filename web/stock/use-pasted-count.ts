/** What was counted, pasted from a spreadsheet: one column fills down from where it is pasted, two name each item by its number. */
import { call } from '../client/request.ts';
import { notify } from '../components/notices.tsx';
import { readCellQuantity, readCells } from '../components/pasted-cells.ts';
import { countText } from '../components/words.tsx';
import { isItem, useReadCategories } from '../entities/configuration.ts';
import type { PickedEntity } from '../entities/entity-picker.tsx';
import type { CountLine, Sheet } from './use-count-sheet.ts';

interface Counted {
  item: PickedEntity;
  text: string;
}

export function usePastedCount(sheet: Sheet): (text: string, below: readonly CountLine[]) => Promise<void> {
  const readCategories = useReadCategories();
  return async (text, below) => {
    const rows = readCells(text);
    const byNumber = rows.filter((row) => row.length > 1 && row[0] !== '');
    try {
      const categories = await readCategories();
      const mayBeCounted = (key: string) => isItem(categories.find((category) => category.key === key));
      const { counted, left } =
        byNumber.length > 0
          ? await ofNumbers(byNumber, sheet.lines, mayBeCounted)
          : fillDown(
              rows.map(([cell = '']) => cell),
              below,
            );
      sheet.fill(counted);
      const rest =
        left.length === 0 ? '' : ` Not taken: ${left.slice(0, 5).join(', ')}${left.length > 5 ? ' …' : ''}.`;
      notify(`${countText(counted.length, 'line')} filled in.${rest}`);
    } catch (error) {
      notify(`Nothing was filled in: ${error instanceof Error ? error.message : String(error)}`);
    }
  };
}

function fillDown(
  cells: readonly string[],
  below: readonly CountLine[],
): { counted: Counted[]; left: string[] } {
  const counted = below.slice(0, cells.length).flatMap(({ item }, at): Counted[] => {
    const text = cells[at] ?? '';
    return isCount(text) ? [{ item, text }] : [];
  });
  return { counted, left: cells.filter((cell, at) => !isCount(cell) || at >= below.length) };
}

/** The number stands in the first cell of a row, what was counted in the last. */
async function ofNumbers(
  rows: readonly (readonly string[])[],
  lines: readonly CountLine[],
  mayBeCounted: (category: string) => boolean,
): Promise<{ counted: Counted[]; left: string[] }> {
  const known = new Map(lines.map(({ item }) => [item.number, item]));
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
    const text = row.findLast((cell) => cell !== '') ?? '';
    if (item === undefined || !isCount(text)) left.push(number);
    else counted.push({ item, text });
  }
  return { counted, left };
}

function isCount(text: string): boolean {
  return (readCellQuantity(text) ?? -1) >= 0;
}
