/** Widths of columns that a person has set: kept in this browser, for each list. */
import { useState } from 'react';
import { currentSlug } from '../../client/workspace.ts';
import type { GridColumn } from './grid-column.ts';

export const WIDTH_MIN = 48;
export const WIDTH_MAX = 1200;

export interface ColumnWidths {
  /** Pixels by the key of the column. */
  kept: Readonly<Record<string, number>>;
  /** Null gives the column its own width again. */
  set: (key: string, width: number | null) => void;
}

export function useColumnWidths(label: string): ColumnWidths {
  const [kept, setKept] = useState(() => readWidths(label));
  return {
    kept,
    set: (key, width) => {
      const { [key]: _, ...others } = kept;
      const next = width === null ? others : { ...others, [key]: bounded(width) };
      setKept(next);
      window.localStorage.setItem(placeOf(label), JSON.stringify(next));
    },
  };
}

/** Gives each column its width; one that somebody has set does not grow. */
export function withWidths<Row>(
  columns: readonly GridColumn<Row>[],
  kept: ColumnWidths['kept'],
): readonly GridColumn<Row>[] {
  return columns.map((column) => {
    const width = kept[column.key];
    if (width === undefined) return column;
    const { grow: _, ...others } = column;
    return { ...others, width };
  });
}

function bounded(width: number): number {
  return Math.round(Math.max(WIDTH_MIN, Math.min(WIDTH_MAX, width)));
}

function readWidths(label: string): ColumnWidths['kept'] {
  try {
    const kept = JSON.parse(window.localStorage.getItem(placeOf(label)) ?? '{}') as unknown;
    if (typeof kept !== 'object' || kept === null) return {};
    return Object.fromEntries(
      Object.entries(kept).flatMap(([key, width]) =>
        typeof width === 'number' ? [[key, bounded(width)]] : [],
      ),
    );
  } catch {
    return {};
  }
}

function placeOf(label: string): string {
  return `partbook.widths.${currentSlug()}.${label}`;
}
