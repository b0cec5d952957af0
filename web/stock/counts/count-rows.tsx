/** The lines of a count, to be typed one below the other: Enter goes to the next. */
import { Button } from '@mantine/core';
import type { KeyboardEvent } from 'react';
import { useRef, useState } from 'react';
import { call } from '../../client/request.ts';
import { exactDifference, readQuantity } from '../../components/forms/exact-quantity.ts';
import { isBlock } from '../../components/forms/pasted-cells.ts';
import { notify } from '../../components/notices.tsx';
import { PartNumber, Quantity } from '../../components/words.tsx';
import styles from '../stock.module.css';
import { UnitField, useUnits } from '../unit-field.tsx';
import {
  type CountLine,
  countedOf,
  countFault,
  isOnlyInLots,
  lineKey,
  type Sheet,
} from './use-count-sheet.ts';
import { usePastedCount } from './use-pasted-count.ts';

/** Lines drawn at once; the field above finds the others. */
const SHOWN_MAX = 300;

export interface CountRowsProps {
  sheet: Sheet;
  find: string;
  blind: boolean;
  /** The location that is counted: lines of other locations say where they are. */
  locationId: string;
}

export function CountRows({ sheet, find, blind, locationId }: CountRowsProps) {
  const body = useRef<HTMLTableSectionElement>(null);
  const words = find.trim().toLowerCase();
  const fitting = sheet.lines.filter(({ item, location, lot }) =>
    `${item.number ?? ''} ${item.name} ${lot ?? ''} ${location.number ?? ''} ${location.name}`
      .toLowerCase()
      .includes(words),
  );
  const isNested = sheet.lines.some(({ location }) => location.id !== locationId);
  const placeOf = ({ location }: CountLine) => location.number ?? location.name;
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    const step = { Enter: 1, ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const fields = [...(body.current?.querySelectorAll<HTMLInputElement>(`input.${styles.counted}`) ?? [])];
    fields[fields.indexOf(event.currentTarget) + step]?.focus();
  };
  const paste = usePastedCount(sheet);
  const [focused, setFocused] = useState<string | null>(null);
  return (
    <>
      <p className={styles.hint}>
        You can paste from a spreadsheet: a column of counted quantities, or item numbers and counted
        quantities. A column between them with the heading Lot names lots or serial numbers.
      </p>
      <table className={styles.countTable}>
        <thead>
          <tr>
            {isNested && <th className={styles.countName}>Location</th>}
            <th>Item</th>
            <th className={styles.countName}>Name</th>
            {!blind && <th className="end">Recorded</th>}
            <th>Counted</th>
            {!blind && <th className={`end ${styles.countDifference}`}>Difference</th>}
          </tr>
        </thead>
        <tbody ref={body}>
          {fitting.slice(0, SHOWN_MAX).map((line) => (
            <tr key={lineKey(line)}>
              {isNested && (
                <td className={styles.countName}>
                  <PartNumber number={line.location.number} /> {line.location.name}
                </td>
              )}
              <td>
                <PartNumber number={line.item.number} />
                {line.lot !== null && <span className="muted"> {line.lot}</span>}
                <span className={styles.phoneName}>{line.item.name}</span>
                {isNested && (
                  <span className={styles.phoneName}>
                    {line.location.number ?? ''} {line.location.name}
                  </span>
                )}
              </td>
              <td className={styles.countName}>{line.item.name}</td>
              {!blind && (
                <td className="end">
                  <Quantity value={line.seenOnHand} />
                </td>
              )}
              <td>
                {line.isTracked && line.lot === null && <LotsToCount line={line} sheet={sheet} />}
                {!isOnlyInLots(line) && (
                  <input
                    className={styles.counted}
                    inputMode="decimal"
                    autoComplete="off"
                    aria-label={`Counted of ${nameOf(line)}${line.location.id === locationId ? '' : ` at ${placeOf(line)}`}`}
                    aria-invalid={countFault(line) !== null}
                    placeholder="not counted"
                    value={line.text}
                    onChange={(event) => sheet.type(line, event.currentTarget.value)}
                    onFocus={(event) => {
                      setFocused(lineKey(line));
                      event.currentTarget.select();
                    }}
                    onKeyDown={onKeyDown}
                    onPaste={(event) => {
                      const pasted = event.clipboardData.getData('text');
                      if (!isBlock(pasted)) return;
                      event.preventDefault();
                      void paste(pasted, fitting.slice(fitting.indexOf(line)));
                    }}
                  />
                )}
                {!isOnlyInLots(line) && (focused === lineKey(line) || line.unit !== undefined) && (
                  <LineUnit line={line} sheet={sheet} />
                )}
                {countFault(line) !== null && (
                  <p className={`bad ${styles.countFault}`}>{countFault(line)}</p>
                )}
              </td>
              {!blind && <td className={`end ${styles.countDifference}`}>{differenceOf(line)}</td>}
            </tr>
          ))}
        </tbody>
      </table>
      {fitting.length > SHOWN_MAX && (
        <p className="muted">{fitting.length - SHOWN_MAX} more lines: find them by the field above.</p>
      )}
    </>
  );
}

function nameOf({ item, lot, isTracked }: CountLine): string {
  const name = item.number ?? item.name;
  return lot === null ? `${name}${isTracked ? ' in no lot' : ''}` : `${name}, ${lot}`;
}

/** Puts the lots of a line on the sheet: those of the book, and those that are found. */
function LotsToCount({ line, sheet }: { line: CountLine; sheet: Sheet }) {
  const [found, setFound] = useState('');
  const name = line.item.number ?? line.item.name;
  const list = async () => {
    try {
      const query = { itemEntityId: line.item.id, locationEntityId: line.location.id, all: 'true' as const };
      const { lots } = await call('proposeLots', { query });
      sheet.addLots(line, lots);
      if (lots.length === 0) notify(`The book has no lot of ${name} here.`);
    } catch (error) {
      notify(`The lots were not read: ${error instanceof Error ? error.message : String(error)}`);
    }
  };
  return (
    <span className={styles.countLots}>
      <Button size="xs" variant="default" aria-label={`Lots of ${name}`} onClick={() => void list()}>
        Lots
      </Button>
      <input
        className={styles.foundLot}
        aria-label={`Another lot of ${name}`}
        placeholder="another lot"
        maxLength={100}
        value={found}
        onChange={(event) => setFound(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || found.trim() === '') return;
          event.preventDefault();
          sheet.addLots(line, [{ lot: found.trim(), quantity: 0 }]);
          setFound('');
        }}
      />
    </span>
  );
}

/** The unit of what is counted. Only the line that is being typed asks for the units of its item. */
function LineUnit({ line, sheet }: { line: CountLine; sheet: Sheet }) {
  const units = useUnits(line.item.id);
  const pick = (name: string) => {
    const factor = units.factors.get(name);
    sheet.setUnit(
      line,
      factor && {
        name,
        numerator: String(factor.numerator),
        denominator: String(factor.denominator),
      },
    );
  };
  return (
    <div className={styles.countUnit}>
      <UnitField
        units={units}
        label={`Unit of ${nameOf(line)}`}
        value={line.unit?.name ?? ''}
        onValue={pick}
        quantity={readQuantity(line.text)}
      />
    </div>
  );
}

function differenceOf(line: CountLine) {
  const counted = countedOf(line);
  if (counted === null) return '';
  return <Quantity value={exactDifference(counted, line.seenOnHand)} signed />;
}
