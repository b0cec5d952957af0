/** Fields for lots and serial numbers in the dialogs that move stock. They are shown only for items that are tracked. */
import { Autocomplete, Checkbox, TextInput } from '@mantine/core';
import { useQueries, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ask } from '../../client/ask.ts';
import { fromMillionths, readQuantity, toMillionths } from '../../components/forms/exact-quantity.ts';
import { quantityText } from '../../components/words.tsx';
import { readLabelCode } from '../../entities/scanning/label-code.ts';

/** Whether an item is tracked; null while that is not known. */
export function useTracking(itemId: string | null): 'none' | 'lot' | 'serial' | null {
  const tracking = useQuery({
    ...ask('getTracking', { itemEntityId: itemId ?? '' }),
    enabled: itemId !== null,
  });
  return tracking.data?.tracking ?? null;
}

/** Returns how those items are tracked that are. */
export function useTrackings(itemIds: readonly string[]): ReadonlyMap<string, 'lot' | 'serial'> {
  const queries = [...new Set(itemIds)].map((itemEntityId) => ask('getTracking', { itemEntityId }));
  return useQueries({
    queries,
    combine: (answers) =>
      new Map(
        answers.flatMap(({ data }) =>
          data === undefined || data.tracking === 'none' ? [] : [[data.itemEntityId, data.tracking]],
        ),
      ),
  });
}

export function isTracked(tracking: ReturnType<typeof useTracking>): tracking is 'lot' | 'serial' {
  return tracking === 'lot' || tracking === 'serial';
}

/** A movement of one lot. The lots in stock are proposed, those that expire first at the beginning. */
export function LotField({
  itemId,
  locationId,
  tracking,
  value,
  onValue,
}: {
  itemId: string;
  locationId: string | null;
  tracking: 'lot' | 'serial';
  value: string;
  onValue: (lot: string) => void;
}) {
  const proposal = useQuery({
    ...ask('proposeLots', { query: { itemEntityId: itemId, locationEntityId: locationId ?? '' } }),
    enabled: locationId !== null,
  });
  const lots = proposal.data?.lots ?? [];
  const [fault, setFault] = useState<string | null>(null);
  const readLabel = () => {
    const read = lotOfLabel(value);
    if (read === null) return false;
    setFault(read.fault);
    onValue(read.lot);
    return true;
  };
  return (
    <Autocomplete
      label={tracking === 'lot' ? 'Lot' : 'Serial number'}
      description={lots.length === 0 ? undefined : `In stock: ${lots.slice(0, 3).map(textOfLot).join(', ')}`}
      value={value}
      maxLength={500}
      data={[...new Set(lots.map(({ lot }) => lot))]}
      error={fault ?? undefined}
      onChange={(text) => {
        setFault(null);
        onValue(text);
      }}
      onBlur={readLabel}
      onKeyDown={(event) => {
        if (event.key === 'Enter' && readLabel()) event.preventDefault();
      }}
    />
  );
}

function textOfLot({
  lot,
  quantity,
  expiresOn,
}: {
  lot: string;
  quantity: number;
  expiresOn: string | null;
}) {
  return `${lot} × ${quantityText(quantity)}${expiresOn === null ? '' : ` until ${expiresOn}`}`;
}

export interface TypedLot {
  lot?: string;
  serials?: string;
  quantity?: number;
}

const form = /^(.+?)(?:\s*[×=]\s*(\S+))?$/;

/**
 * Reads lots as they are typed: `L-1 = 4, L-2 = 6`, or ranges such as `SN-0101..0150`. One lot without a quantity takes all of it.
 * Returns null if they cannot be read.
 */
export function readLots(text: string, quantity: number): TypedLot[] | null {
  const parts = text
    .split(/[,;\n]/)
    .map((part) => part.trim())
    .filter((part) => part !== '');
  const lots: TypedLot[] = [];
  for (const part of parts) {
    const [, name = '', typed] = form.exec(part) ?? [];
    if (typed === undefined && name.includes('..')) {
      lots.push({ serials: name });
      continue;
    }
    const own = typed === undefined ? (parts.length === 1 ? quantity : 1) : readQuantity(typed);
    if (name === '' || own === null || own <= 0) return null;
    lots.push({ lot: name, quantity: own });
  }
  return lots;
}

/** What is wrong with lots for a quantity, or null. Ranges are counted by the service. */
export function lotsFault(text: string, quantity: number): string | null {
  const lots = readLots(text, quantity);
  if (lots === null) return 'Write the lots as L-1 = 4, L-2 = 6.';
  if (lots.length === 0) return 'Name the lots or serial numbers.';
  if (lots.some(({ serials }) => serials !== undefined)) return null;
  const sum = lots.reduce((total, one) => total + toMillionths(one.quantity ?? 0), toMillionths(0));
  return fromMillionths(sum) === quantity
    ? null
    : `The lots add up to ${quantityText(fromMillionths(sum))}, not ${quantityText(quantity)}.`;
}

const labelStart = /\]C1|\]d2|\]Q3|>?\[\)>|\(\d{2,4}\)|(?<![^,;\s])01\d{14}/;

/** Returns the one lot or serial number of a label that was read; null if no label was. */
function lotOfLabel(text: string): { lot: string; fault: string | null } | null {
  const at = text.search(labelStart);
  const label = at === -1 ? null : readLabelCode(text.slice(at));
  if (label === null) return null;
  if ('fault' in label) return { lot: '', fault: label.fault };
  const lot = label.serial ?? label.lot;
  return lot === null
    ? { lot: '', fault: 'The label has no lot and no serial number.' }
    : { lot, fault: null };
}

/** Returns the lots with the one of a label that was read behind them; null if no label was. */
function lotsOfLabel(text: string): { lots: string; fault: string | null } | null {
  const at = text.search(labelStart);
  const label = at === -1 ? null : readLabelCode(text.slice(at));
  if (label === null) return null;
  const before = text.slice(0, at).trim().replace(/[,;]$/, '');
  if ('fault' in label) return { lots: before, fault: label.fault };
  const { serial, lot, quantity } = label;
  const number = serial ?? lot;
  if (number === null) return { lots: before, fault: 'The label has no lot and no serial number.' };
  if (/[,;=×]|\.\./.test(number))
    return { lots: before, fault: `${number} has characters that separate lots here.` };
  const own = serial !== null || quantity === null ? number : `${number} = ${quantity}`;
  return { lots: before === '' ? own : `${before}, ${own}`, fault: null };
}

/** Several lots in one field; what leaves may be chosen by expiry. */
export function LotsField({
  tracking,
  of,
  value,
  onValue,
  firstExpired,
  onFirstExpired,
}: {
  tracking: 'lot' | 'serial';
  /** Of what, where a dialog has several such fields. */
  of?: string;
  value: string;
  onValue: (text: string) => void;
  firstExpired?: boolean;
  onFirstExpired?: (chosen: boolean) => void;
}) {
  const [fault, setFault] = useState<string | null>(null);
  const readLabel = () => {
    const read = lotsOfLabel(value);
    if (read === null) return false;
    setFault(read.fault);
    onValue(read.lots);
    return true;
  };
  return (
    <>
      {onFirstExpired !== undefined && (
        <Checkbox
          label="Take the lots that expire first"
          checked={firstExpired === true}
          onChange={(event) => onFirstExpired(event.currentTarget.checked)}
        />
      )}
      {firstExpired !== true && (
        <TextInput
          label={`${tracking === 'lot' ? 'Lots' : 'Serial numbers'}${of === undefined ? '' : ` of ${of}`}`}
          description={
            tracking === 'lot' ? 'For example L-1 = 4, L-2 = 6' : 'For example SN-0101..0150, SN-0160'
          }
          value={value}
          error={fault ?? undefined}
          onChange={(event) => {
            setFault(null);
            onValue(event.currentTarget.value);
          }}
          // A scanner that does not send Enter leaves the text of the label: it must not become a lot.
          onBlur={readLabel}
          onKeyDown={(event) => {
            // A scanner ends with Enter. What it read may be the label of a supplier, alone or behind lots that were read before.
            if (event.key === 'Enter' && readLabel()) event.preventDefault();
          }}
        />
      )}
    </>
  );
}
