/** The sheet of a count: a line for each item, what the book said when the line was written, and what was typed. */
import { useEffect, useState } from 'react';
import type { StockPosition } from '../client/operations.ts';
import { currentSlug } from '../client/workspace.ts';
import { quantityFault, readQuantity } from '../components/exact-quantity.ts';
import type { PickedEntity } from '../entities/entity-picker.tsx';

export interface CountLine {
  item: PickedEntity;
  /** On hand by the book when the line came onto the sheet. */
  seenOnHand: number;
  /** Empty: not counted. That is not zero. */
  text: string;
}

export interface Sheet {
  lines: readonly CountLine[];
  type: (itemId: string, text: string) => void;
  add: (item: PickedEntity) => void;
  /** What was counted of many, at once. */
  fill: (counted: readonly { item: PickedEntity; text: string }[]) => void;
  /** Answers with the way back. */
  clear: () => () => void;
}

/** Why what was typed is no count; null where it is one, or nothing. */
export function countFault({ text }: CountLine): string | null {
  if (text.trim() === '') return null;
  return quantityFault(text) ?? ((readQuantity(text) ?? 0) < 0 ? 'A count cannot be below 0.' : null);
}

type Typed = Record<string, { text: string; seenOnHand: number; item: PickedEntity }>;

export function useCountSheet(locationId: string, positions: readonly StockPosition[] | undefined): Sheet {
  const place = `partbook.count.${currentSlug()}.${locationId}`;
  const [typed, setTyped] = useState<Typed>(() => read(place));
  useEffect(() => {
    if (Object.keys(typed).length === 0) window.sessionStorage.removeItem(place);
    else window.sessionStorage.setItem(place, JSON.stringify(typed));
  }, [place, typed]);
  const known: CountLine[] = (positions ?? [])
    .filter(({ onHand, itemEntityId }) => onHand !== 0 || typed[itemEntityId] !== undefined)
    .map(({ itemEntityId, itemNumber, itemName, onHand }) => ({
      item: { id: itemEntityId, number: itemNumber, name: itemName },
      // What was seen when the figure was typed stays: a movement since then must be noticed, not taken for seen.
      seenOnHand: typed[itemEntityId]?.seenOnHand ?? onHand,
      text: typed[itemEntityId]?.text ?? '',
    }));
  const added = Object.values(typed).filter(({ item }) => !known.some((line) => line.item.id === item.id));
  const lines = [...known, ...added].toSorted((a, b) =>
    (a.item.number ?? a.item.name).localeCompare(b.item.number ?? b.item.name, 'en', { numeric: true }),
  );
  const set = (line: CountLine, text: string) =>
    setTyped((before) => ({
      ...before,
      [line.item.id]: {
        item: line.item,
        seenOnHand: before[line.item.id]?.seenOnHand ?? line.seenOnHand,
        text,
      },
    }));
  return {
    lines,
    type: (itemId, text) => {
      const line = lines.find(({ item }) => item.id === itemId);
      if (line !== undefined) set(line, text);
    },
    add: (item) => {
      if (!lines.some((line) => line.item.id === item.id)) set({ item, seenOnHand: 0, text: '' }, '');
    },
    fill: (counted) =>
      setTyped((before) => {
        const next = { ...before };
        for (const { item, text } of counted) {
          const line = lines.find((one) => one.item.id === item.id) ?? { item, seenOnHand: 0, text: '' };
          next[item.id] = { item: line.item, seenOnHand: line.seenOnHand, text };
        }
        return next;
      }),
    clear: () => {
      setTyped({});
      return () => setTyped(typed);
    },
  };
}

function read(place: string): Typed {
  try {
    return JSON.parse(window.sessionStorage.getItem(place) ?? '{}') as Typed;
  } catch {
    return {};
  }
}
