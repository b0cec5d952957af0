/** Lots and serial numbers in dialogs that move several lines of an order at once. */
import { type ReactNode, useState } from 'react';
import type { StockLine } from '../../client/operations.ts';
import { LotsField, lotsFault, readLots, type TypedLot, useTrackings } from '../../stock/lots/lot-fields.tsx';

type LineOf = Pick<StockLine, 'id' | 'itemEntityId' | 'itemNumber' | 'itemName'>;

interface LotsOfLines {
  /** Whether the item of any line is tracked. */
  areNeeded: boolean;
  /** Whether the item of the line is tracked. */
  isOf: (line: LineOf) => boolean;
  /** Returns the field of a line; undefined if its item is not tracked. `at` is its place among the lines, from 0. */
  fieldOf: (line: LineOf, at: number) => ReactNode | undefined;
  /** Returns what is wrong with the lots of a line for a quantity, or null. */
  faultOf: (line: LineOf, quantity: number) => string | null;
  /** Returns the lots of a line as a call takes them. */
  given: (line: LineOf, quantity: number) => { lots?: TypedLot[] };
}

export function useLotsOfLines(lines: readonly LineOf[]): LotsOfLines {
  const trackings = useTrackings(lines.map(({ itemEntityId }) => itemEntityId));
  const [texts, setTexts] = useState<Readonly<Record<string, string>>>({});
  const textOf = ({ id }: LineOf) => texts[id] ?? '';
  return {
    areNeeded: trackings.size > 0,
    isOf: ({ itemEntityId }) => trackings.has(itemEntityId),
    fieldOf: (line, at) => {
      const tracking = trackings.get(line.itemEntityId);
      if (tracking === undefined) return undefined;
      return (
        <LotsField
          tracking={tracking}
          of={`${line.itemNumber ?? line.itemName}, line ${at + 1}`}
          value={textOf(line)}
          onValue={(text) => setTexts((before) => ({ ...before, [line.id]: text }))}
        />
      );
    },
    faultOf: (line, quantity) =>
      trackings.has(line.itemEntityId) ? lotsFault(textOf(line), quantity) : null,
    given: (line, quantity) =>
      trackings.has(line.itemEntityId) ? { lots: readLots(textOf(line), quantity) ?? [] } : {},
  };
}
