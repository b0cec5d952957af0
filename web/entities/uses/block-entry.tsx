/** A small table to type into, or to paste a block of cells from a spreadsheet into; what is wrong with a row stands beside it. */
import { type KeyboardEvent, useRef } from 'react';
import shared from '../../components/forms/form-table.module.css';
import { isBlock } from '../../components/forms/pasted-cells.ts';
import styles from './block-entry.module.css';
import type { Block, BlockColumn } from './use-block.ts';

const INPUT_MODE = {
  quantity: 'decimal',
  item: 'text',
  location: 'text',
  day: 'text',
  text: 'text',
} as const;

export function BlockEntry({ label, block }: { label: string; block: Block }) {
  const body = useRef<HTMLTableSectionElement>(null);
  const move = (event: KeyboardEvent<HTMLInputElement>, row: number, column: number) => {
    const step = { ArrowDown: 1, ArrowUp: -1, Enter: 1 }[event.key];
    if (step === undefined) return;
    // On the empty row Enter submits, as in every dialog.
    if (event.key === 'Enter' && block.rows[row]?.isEmpty === true) return;
    event.preventDefault();
    body.current?.querySelector<HTMLInputElement>(`[data-cell="${row + step} ${column}"]`)?.focus();
  };
  return (
    <>
      <p className="muted">
        Cells from a spreadsheet can be pasted into any field; their columns are those below, in this order.
      </p>
      <div className={shared.scroller}>
        <table className={`${shared.table} ${styles.table}`} aria-label={label}>
          <thead>
            <tr>
              {block.columns.map(({ key, label: title }) => (
                <th key={key}>{title}</th>
              ))}
              <th className={styles.last}>What it is</th>
            </tr>
          </thead>
          <tbody ref={body}>
            {block.rows.map((row, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: rows stay where they are
              <tr key={at}>
                {block.columns.map((column, place) => (
                  <td key={column.key}>
                    <Cell
                      column={column}
                      place={`${at} ${place}`}
                      text={row.cells[place] ?? ''}
                      isFirst={at === 0 && place === 0}
                      row={at}
                      onType={(text) => block.type(at, place, text)}
                      onPaste={(text) => block.paste(at, place, text)}
                      onKeyDown={(event) => move(event, at, place)}
                    />
                  </td>
                ))}
                <td className={row.wrong === null ? styles.name : `${styles.name} bad`}>
                  {row.wrong ??
                    (row.doubt === null ? (
                      row.name
                    ) : (
                      <>
                        {row.name} <span className="doubt">{row.doubt}</span>
                      </>
                    ))}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {block.dropped > 0 && (
        <p className="bad" role="alert">
          {block.dropped} rows more than are taken at once were left out: do these first.
        </p>
      )}
    </>
  );
}

interface CellProps {
  column: BlockColumn;
  place: string;
  row: number;
  text: string;
  isFirst: boolean;
  onType: (text: string) => void;
  onPaste: (text: string) => void;
  onKeyDown: (event: KeyboardEvent<HTMLInputElement>) => void;
}

function Cell({ column, place, row, text, isFirst, onType, onPaste, onKeyDown }: CellProps) {
  return (
    <input
      className={column.kind === 'quantity' ? `${styles.cell} end` : styles.cell}
      data-cell={place}
      data-autofocus={isFirst ? '' : undefined}
      aria-label={`${column.label}, row ${row + 1}`}
      inputMode={INPUT_MODE[column.kind]}
      autoComplete="off"
      spellCheck={false}
      value={text}
      onChange={(event) => onType(event.currentTarget.value)}
      onPaste={(event) => {
        const pasted = event.clipboardData.getData('text');
        if (!isBlock(pasted)) return;
        event.preventDefault();
        onPaste(pasted);
      }}
      onKeyDown={onKeyDown}
    />
  );
}
