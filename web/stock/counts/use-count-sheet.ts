/** The sheet of a count: a line for each item at each location, what the book said when the line was written, and what was typed. */
import { useEffect, useState } from 'react';
import type { ListedStockPosition } from '../../client/operations.ts';
import { currentSlug } from '../../client/workspace.ts';
import { exactDifference, quantityFault, readQuantity } from '../../components/forms/exact-quantity.ts';
import type { PickedEntity } from '../../entities/entity-picker.tsx';
import { byFactor } from '../unit-field.tsx';

export interface CountLine {
  item: PickedEntity;
  /** The location that is counted, or one that lies in it. */
  location: PickedEntity;
  /** The lot or serial number that is counted; null: the stock that is in no lot, all of it for an item that is not tracked. */
  lot: string | null;
  isTracked: boolean;
  /** On hand by the book when the line came onto the sheet. */
  seenOnHand: number;
  /** Empty: not counted. That is not zero. */
  text: string;
  /** The unit of what was typed; absent for the base unit. The factor is kept as text, as the sheet is stored in the tab. */
  unit?: { name: string; numerator: string; denominator: string } | undefined;
}

export interface Sheet {
  lines: readonly CountLine[];
  type: (line: CountLine, text: string) => void;
  setUnit: (line: CountLine, unit: CountLine['unit']) => void;
  /** Adds an item that was found at the location that is counted. */
  add: (item: PickedEntity, isTracked: boolean) => void;
  /** Adds lots of a line to the sheet; those that are on it stay as they are. */
  addLots: (line: CountLine, lots: readonly { lot: string; quantity: number }[]) => void;
  /** What was counted of many, at once. */
  fill: (counted: readonly Filled[]) => void;
  /** Answers with the way back. */
  clear: () => () => void;
}

/** A figure for an item; without a location, for the only line of the item or that of the location that is counted. */
export interface Filled {
  item: PickedEntity;
  location?: PickedEntity;
  lot?: string | null;
  text: string;
}

export function lineKey({ item, location, lot }: Pick<CountLine, 'item' | 'location' | 'lot'>): string {
  return `${item.id} ${location.id}${lot === null ? '' : ` ${lot}`}`;
}

/** Whether only the lots of a line are counted: nothing of it is outside of lots. */
export function isOnlyInLots({ isTracked, lot, seenOnHand, text }: CountLine): boolean {
  return isTracked && lot === null && seenOnHand === 0 && text === '';
}

/** Returns what was counted in the base unit; null where nothing was, or what was typed is no count. */
export function countedOf({ text, unit }: CountLine): number | null {
  const typed = readQuantity(text);
  if (typed === null || unit === undefined) return typed;
  const factor = { numerator: BigInt(unit.numerator), denominator: BigInt(unit.denominator) };
  return byFactor(typed, factor);
}

/** Why what was typed is no count; null where it is one, or nothing. */
export function countFault(line: CountLine): string | null {
  const { text, unit } = line;
  if (text.trim() === '') return null;
  const fault = quantityFault(text);
  if (fault !== null) return fault;
  if ((readQuantity(text) ?? 0) < 0) return 'A count cannot be below 0.';
  return countedOf(line) === null ? `That many ${unit?.name} cannot be stored exactly.` : null;
}

type Typed = Record<string, CountLine>;

export function useCountSheet(
  location: PickedEntity,
  positions: readonly ListedStockPosition[] | undefined,
): Sheet {
  const place = `partbook.count.${currentSlug()}.${location.id}`;
  const [typed, setTyped] = useState<Typed>(() => read(place));
  useEffect(() => {
    if (Object.keys(typed).length === 0) window.sessionStorage.removeItem(place);
    else window.sessionStorage.setItem(place, JSON.stringify(typed));
  }, [place, typed]);
  const known = (positions ?? []).flatMap((position): CountLine[] => {
    const ends = endsOf(position);
    const before = typed[lineKey({ ...ends, lot: null })];
    if (position.onHand === 0 && before === undefined) return [];
    // The figure that was seen when a count was typed stays: a movement since then must be noticed.
    const { onHand, inLots } = position;
    const seenOnHand = before?.seenOnHand ?? exactDifference(onHand, inLots ?? 0);
    const own = { seenOnHand, text: before?.text ?? '', unit: before?.unit };
    return [{ ...ends, lot: null, isTracked: inLots !== null, ...own }];
  });
  const keys = new Set(known.map(lineKey));
  const added = Object.values(typed).filter((line) => !keys.has(lineKey(line)));
  const lines = [...known, ...added].toSorted(
    (a, b) =>
      order(a.location, b.location) || order(a.item, b.item) || (a.lot ?? '').localeCompare(b.lot ?? ''),
  );
  const here = (item: PickedEntity, isTracked: boolean, lot: string | null = null): CountLine => ({
    item,
    location,
    lot,
    isTracked,
    seenOnHand: 0,
    text: '',
  });
  const change = (line: CountLine, changed: Partial<CountLine>) =>
    setTyped((before) => ({
      ...before,
      [lineKey(line)]: { ...(before[lineKey(line)] ?? line), ...changed },
    }));
  const set = (line: CountLine, text: string) => change(line, { text });
  const lineOf = ({ item, location: at, lot = null }: Filled): CountLine => {
    const own = lines.filter((line) => line.item.id === item.id && line.lot === lot);
    const [only, second] = own;
    if (at === undefined && only !== undefined && second === undefined) return only;
    return own.find((line) => line.location.id === (at ?? location).id) ?? here(item, lot !== null, lot);
  };
  return {
    lines,
    type: set,
    setUnit: (line, unit) => change(line, { unit }),
    add: (item, isTracked) => {
      const line = here(item, isTracked);
      if (!lines.some((one) => lineKey(one) === lineKey(line))) set(line, '');
    },
    addLots: (of, lots) =>
      setTyped((before) => {
        const added = lots.map(({ lot, quantity }) => ({ ...of, lot, seenOnHand: quantity, text: '' }));
        return { ...Object.fromEntries(added.map((line) => [lineKey(line), line])), ...before };
      }),
    fill: (counted) =>
      setTyped((before) => {
        const next = { ...before };
        for (const filled of counted) {
          const line = lineOf(filled);
          next[lineKey(line)] = { ...line, text: filled.text, unit: undefined };
        }
        return next;
      }),
    clear: () => {
      setTyped({});
      return () => setTyped(typed);
    },
  };
}

function endsOf(position: ListedStockPosition): Pick<CountLine, 'item' | 'location'> {
  return {
    item: { id: position.itemEntityId, number: position.itemNumber, name: position.itemName },
    location: {
      id: position.locationEntityId,
      number: position.locationNumber,
      name: position.locationName,
    },
  };
}

/** By number, or name where there is none. */
function order(a: PickedEntity, b: PickedEntity): number {
  return (a.number ?? a.name).localeCompare(b.number ?? b.name, 'en', { numeric: true });
}

function read(place: string): Typed {
  try {
    const kept = JSON.parse(window.sessionStorage.getItem(place) ?? '{}') as Typed;
    // Earlier versions of the app kept lines without their location, or without a lot.
    return Object.fromEntries(
      Object.entries(kept)
        .filter(([, line]) => line.location !== undefined)
        .map(([key, line]) => [key, { ...line, lot: line.lot ?? null, isTracked: line.isTracked ?? false }]),
    );
  } catch {
    return {};
  }
}
