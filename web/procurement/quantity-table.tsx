/** Items one below the other, with a quantity to be typed for each: what is received, what is ordered. Arrow keys go from one to the next. */
import { Button } from '@mantine/core';
import { Fragment, type KeyboardEvent, type ReactNode, useId, useRef } from 'react';
import shared from '../components/forms/form-table.module.css';
import { PartNumber } from '../components/words.tsx';
import styles from './quantity-table.module.css';

export interface QuantityRow {
  id: string;
  itemNumber: string | null;
  itemName: string;
  text: string;
  wrong: string | null;
  /** What stands before the field and behind it, in the order of the heads. */
  before: readonly ReactNode[];
  after: ReactNode;
  /** What more is asked of it, in a row of its own. */
  more?: ReactNode;
}

export interface QuantityHead {
  header: string;
  isFigure?: boolean;
  isAside?: boolean;
}

export interface QuantityTableProps {
  label: string;
  /**
   * Figures among the heads before the field stand at the end of their column. On a phone those stand beside the field that it is
   * read from, and those aside above it.
   */
  before: readonly QuantityHead[];
  field: string;
  after: string;
  rows: readonly QuantityRow[];
  onType: (id: string, text: string) => void;
  onClear: () => void;
  onFill: () => void;
  /** What the button that fills the fields says; "Use open quantities" if absent. */
  fill?: string;
  /** Whether the fields and their buttons are only shown, not changed. */
  isReadOnly?: boolean;
  /** What the quantities are, above the table. */
  children: ReactNode;
}

export function QuantityTable(props: QuantityTableProps) {
  const { before, field, after, rows, isReadOnly = false } = props;
  const id = useId();
  const body = useRef<HTMLTableSectionElement>(null);
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const fields = [...(body.current?.querySelectorAll<HTMLInputElement>(`input.${styles.now}`) ?? [])];
    fields[fields.indexOf(event.currentTarget) + step]?.focus();
  };
  return (
    <div className={styles.whole}>
      <div className={styles.head}>
        <p className="muted">{props.children}</p>
        {!isReadOnly && (
          <span className={styles.fill}>
            <Button size="xs" variant="default" onClick={props.onClear}>
              Clear all
            </Button>
            <Button size="xs" variant="default" onClick={props.onFill}>
              {props.fill ?? 'Use open quantities'}
            </Button>
          </span>
        )}
      </div>
      <div className={shared.scroller}>
        <table className={classes(shared.table, styles.table)} aria-label={props.label}>
          <thead>
            <tr>
              <th>Item</th>
              {before.map(({ header, isFigure }) => (
                <th key={header} className={isFigure === true ? 'end' : undefined}>
                  {header}
                </th>
              ))}
              <th className="end">{field}</th>
              <th className="end">{after}</th>
            </tr>
          </thead>
          <tbody ref={body}>
            {rows.map((row, at) => (
              <Fragment key={row.id}>
                <tr>
                  <td className={styles.item}>
                    <PartNumber number={row.itemNumber} /> <span className="muted">{row.itemName}</span>
                  </td>
                  {before.map(({ header, isFigure, isAside }, place) => (
                    <td
                      key={header}
                      className={classes(isFigure === true && 'end', isAside === true && styles.aside)}
                      data-label={header}
                    >
                      {row.before[place]}
                    </td>
                  ))}
                  <td className={classes('end', row.wrong !== null && styles.fault)} data-label={field}>
                    <input
                      className={styles.now}
                      data-autofocus={at === 0 ? '' : undefined}
                      inputMode="decimal"
                      autoComplete="off"
                      aria-label={`${field} of ${row.itemNumber ?? row.itemName}, line ${at + 1}`}
                      aria-invalid={row.wrong !== null}
                      aria-describedby={row.wrong === null ? undefined : `${id}-${row.id}`}
                      placeholder="nothing"
                      readOnly={isReadOnly}
                      value={row.text}
                      onChange={(event) => props.onType(row.id, event.currentTarget.value)}
                      onFocus={(event) => event.currentTarget.select()}
                      onKeyDown={onKeyDown}
                    />
                    {row.wrong !== null && (
                      <span id={`${id}-${row.id}`} className={`bad ${styles.wrong}`}>
                        {row.wrong}
                      </span>
                    )}
                  </td>
                  <td className="end" data-label={after}>
                    {row.wrong === null && row.after}
                  </td>
                </tr>
                {row.more !== undefined && (
                  <tr className={styles.more}>
                    <td colSpan={before.length + 3}>{row.more}</td>
                  </tr>
                )}
              </Fragment>
            ))}
          </tbody>
        </table>
      </div>
    </div>
  );
}

function classes(...names: readonly (string | false | undefined)[]): string | undefined {
  return names.filter(Boolean).join(' ') || undefined;
}
