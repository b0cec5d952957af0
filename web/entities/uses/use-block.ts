/** Rows of cells that are typed or pasted from a spreadsheet: parts and locations by their numbers, quantities, days. */
import { useQuery } from '@tanstack/react-query';
import { useDeferredValue, useState } from 'react';
import { ask } from '../../client/ask.ts';
import type { LookedUpEntities } from '../../client/operations.ts';
import { notAsked } from '../../components/dialogs/asked.tsx';
import { quantityFault, readQuantity } from '../../components/forms/exact-quantity.ts';
import { readCellDay, readCells } from '../../components/forms/pasted-cells.ts';
import { isPast } from '../../components/words.tsx';
import { isItem, isLocation, useAskedCategories } from '../configuration.ts';

export interface BlockColumn {
  key: string;
  label: string;
  kind: 'item' | 'location' | 'quantity' | 'day' | 'text';
  /** May stay empty. */
  optional?: boolean;
  /** A quantity below zero means something. */
  signed?: boolean;
}

export interface BlockRow {
  cells: readonly string[];
  /** The name of what the number in the first column means. */
  name: string;
  /** Why it cannot be taken; null where it can, or where nothing stands in it. */
  wrong: string | null;
  /** What is doubtful of one that can be taken; null where nothing is. */
  doubt: string | null;
  isEmpty: boolean;
  /** By the column's key: an entity's id, a quantity, a day, a text. */
  values: Readonly<Record<string, string | number | undefined>>;
}

export interface Block {
  columns: readonly BlockColumn[];
  /** The last one is empty, to be typed into, as long as there may be more. */
  rows: readonly BlockRow[];
  /** Those that can be taken. */
  ready: readonly BlockRow[];
  wrong: number;
  /** Numbers are still being looked up. */
  isLooking: boolean;
  /** What was pasted beyond the rows that there may be. */
  dropped: number;
  type: (row: number, column: number, text: string) => void;
  paste: (row: number, column: number, text: string) => void;
  /** Where the service refused rows, by their place among those that were ready. */
  mark: (refusals: ReadonlyMap<number, string>) => void;
}

type Found = LookedUpEntities['items'][number]['entities'];

export function useBlock(columns: readonly BlockColumn[], rowsMax: number): Block {
  const [cells, setCells] = useState<readonly (readonly string[])[]>([]);
  const [dropped, setDropped] = useState(0);
  const [refused, setRefused] = useState<ReadonlyMap<number, string>>(new Map());
  const asking = useAskedCategories();
  const categories = asking.data ?? [];
  // As one text, so that the same numbers are the same value.
  const asked = useDeferredValue(numbersOf(columns, cells).join('\n')).split('\n').filter(Boolean);
  const looked = useQuery({
    ...ask('lookUpEntities', { body: { numbers: asked } }),
    enabled: asked.length > 0,
    placeholderData: (before) => before,
  });
  const found = new Map<string, Found>(
    (looked.data?.items ?? []).map(({ number, entities }) => [number, entities]),
  );
  const fits = { item: isItem, location: isLocation };
  const read = (row: readonly string[], at: number): BlockRow => {
    const values: Record<string, string | number | undefined> = {};
    let wrong: string | null = null;
    let doubt: string | null = null;
    let name = '';
    const isEmpty = row.every((cell) => cell.trim() === '');
    for (const [place, { key, label, kind, optional = false, signed = false }] of columns.entries()) {
      const text = (row[place] ?? '').trim();
      const say = (what: string) => {
        wrong ??= what;
      };
      if (text === '') {
        if (!optional) say(`${label} is missing.`);
      } else if (kind === 'item' || kind === 'location') {
        const known = found.get(text);
        const fitting = (known ?? []).filter((entity) =>
          fits[kind](categories.find((category) => category.key === entity.category)),
        );
        const unasked = known === undefined ? { ...looked, data: undefined } : asking;
        const notKnown = notAsked(unasked);
        if (notKnown !== null) say(notKnown);
        else if (fitting.length !== 1)
          say(
            fitting.length === 0 ? `No ${kind} has the number ${text}.` : `Several have the number ${text}.`,
          );
        else {
          values[key] = fitting[0]?.id;
          if (place === 0) name = fitting[0]?.name ?? '';
        }
      } else if (kind === 'quantity') {
        const quantity = readQuantity(text);
        if (quantity === null) say(quantityFault(text) ?? '');
        else if (quantity === 0 || (quantity < 0 && !signed))
          say(`${label} must ${signed ? 'not be' : 'be above'} zero.`);
        else values[key] = quantity;
      } else if (kind === 'day') {
        const day = readCellDay(text);
        if (day === null) say(`“${text}” is no day: write it as 2026-12-24.`);
        else {
          values[key] = day;
          if (isPast(day)) doubt = `${label}: this day is in the past.`;
        }
      } else values[key] = text;
    }
    return {
      cells: row,
      name,
      isEmpty,
      values,
      wrong: isEmpty ? null : (wrong ?? refused.get(at) ?? null),
      doubt,
    };
  };
  const change = (next: readonly (readonly string[])[]) => {
    setRefused(new Map());
    setDropped(Math.max(0, next.length - rowsMax));
    setCells(next.slice(0, rowsMax));
  };
  const put = (at: number, column: number, block: readonly (readonly string[])[]) => {
    const length = Math.max(cells.length, at + block.length);
    change(
      Array.from({ length }, (_, index) => {
        const row = columns.map((_column, place) => cells[index]?.[place] ?? '');
        for (const [place, cell] of (block[index - at] ?? []).entries()) {
          if (column + place < row.length) row[column + place] = cell;
        }
        return row;
      }),
    );
  };
  const rows = cells.map(read);
  const last = rows.at(-1);
  if (rows.length < rowsMax && last?.isEmpty !== true) rows.push(read([], rows.length));
  const filled = rows.filter(({ isEmpty }) => !isEmpty);
  return {
    columns,
    rows,
    ready: filled.filter(({ wrong }) => wrong === null),
    wrong: filled.filter(({ wrong }) => wrong !== null).length,
    isLooking: looked.isFetching,
    dropped,
    type: (row, column, text) => put(row, column, [[text]]),
    paste: (row, column, text) => {
      const block = readCells(text);
      put(row, column, block.slice(isHead(columns, block[0] ?? [], column) ? 1 : 0));
    },
    mark: (refusals) => {
      const places = rows.flatMap((row, at) => (row.isEmpty ? [] : [at]));
      setRefused(new Map([...refusals].map(([at, why]) => [places[at] ?? at, why])));
    },
  };
}

/** The first line of a pasted block names its columns where a quantity should stand. */
function isHead(columns: readonly BlockColumn[], row: readonly string[], column: number): boolean {
  const quantity = columns.findIndex(({ kind }) => kind === 'quantity') - column;
  return quantity >= 0 && /^[^\d]+$/.test(row[quantity] ?? '');
}

function numbersOf(columns: readonly BlockColumn[], cells: readonly (readonly string[])[]): string[] {
  const places = columns.flatMap(({ kind }, at) => (kind === 'item' || kind === 'location' ? [at] : []));
  const numbers = cells.flatMap((row) => places.map((at) => (row[at] ?? '').trim()));
  return [...new Set(numbers)].filter(Boolean).toSorted();
}
