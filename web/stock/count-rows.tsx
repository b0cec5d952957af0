/** The lines of a count, to be typed one below the other: Enter goes to the next. */
import type { KeyboardEvent } from 'react';
import { useRef } from 'react';
import { fromMillionths, readQuantity, toMillionths } from '../components/exact-quantity.ts';
import { isBlock } from '../components/pasted-cells.ts';
import { PartNumber, Quantity } from '../components/words.tsx';
import styles from './stock.module.css';
import { type CountLine, countFault, lineKey, type Sheet } from './use-count-sheet.ts';
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
  const fitting = sheet.lines.filter(({ item, location }) =>
    `${item.number ?? ''} ${item.name} ${location.number ?? ''} ${location.name}`
      .toLowerCase()
      .includes(words),
  );
  const isNested = sheet.lines.some(({ location }) => location.id !== locationId);
  const placeOf = ({ location }: CountLine) => location.number ?? location.name;
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    const step = { Enter: 1, ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const fields = [...(body.current?.querySelectorAll('input') ?? [])];
    fields[fields.indexOf(event.currentTarget) + step]?.focus();
  };
  const paste = usePastedCount(sheet);
  return (
    <>
      <p className={styles.hint}>
        A column of figures can be pasted from a spreadsheet, or two: numbers, and what was counted of each.
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
                <input
                  className={styles.counted}
                  inputMode="decimal"
                  autoComplete="off"
                  aria-label={`Counted of ${line.item.number ?? line.item.name}${line.location.id === locationId ? '' : ` at ${placeOf(line)}`}`}
                  aria-invalid={countFault(line) !== null}
                  placeholder="not counted"
                  value={line.text}
                  onChange={(event) => sheet.type(line, event.currentTarget.value)}
                  onFocus={(event) => event.currentTarget.select()}
                  onKeyDown={onKeyDown}
                  onPaste={(event) => {
                    const pasted = event.clipboardData.getData('text');
                    if (!isBlock(pasted)) return;
                    event.preventDefault();
                    void paste(pasted, fitting.slice(fitting.indexOf(line)));
                  }}
                />
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

function differenceOf({ text, seenOnHand }: CountLine) {
  const counted = readQuantity(text);
  if (counted === null) return '';
  return <Quantity value={fromMillionths(toMillionths(counted) - toMillionths(seenOnHand))} signed />;
}
