/** The check boxes behind the button *Columns* of a list, and the widths of the columns that are shown. */
import { Checkbox } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { type ColumnWidths, WIDTH_MAX, WIDTH_MIN } from './column-widths.ts';
import styles from './menus.module.css';

export interface ColumnChoicesProps {
  /** The first one is always shown. */
  columns: readonly { key: string; header: string }[];
  /** Keys of the columns that are shown. */
  shown: readonly string[];
  choose: (key: string, on: boolean) => void;
  widths: ColumnWidths | undefined;
}

export function ColumnChoices({ columns, shown, choose, widths }: ColumnChoicesProps) {
  const here = useRef<HTMLDivElement>(null);
  // The popover had nothing to put the focus on while they were loaded.
  useEffect(() => here.current?.querySelector<HTMLInputElement>('input:enabled')?.focus(), []);
  return (
    <div ref={here} className={styles.fields}>
      {columns.map(({ key, header }, at) => (
        <div key={key} className={styles.choice}>
          <Checkbox
            label={header}
            checked={shown.includes(key)}
            disabled={at === 0}
            onChange={(event) => choose(key, event.currentTarget.checked)}
          />
          {widths !== undefined && shown.includes(key) && (
            <input
              type="number"
              aria-label={`Width of ${header} in pixels`}
              title="Width in pixels; empty for its own"
              placeholder="auto"
              min={WIDTH_MIN}
              max={WIDTH_MAX}
              step={10}
              // Shown as it is kept when the field is left: a width of one digit is on its way to a wider one.
              key={widths.kept[key] ?? ''}
              defaultValue={widths.kept[key] ?? ''}
              onBlur={(event) => {
                const { value } = event.currentTarget;
                if (value !== String(widths.kept[key] ?? ''))
                  widths.set(key, value === '' ? null : Number(value));
              }}
              onKeyDown={(event) => event.key === 'Enter' && event.currentTarget.blur()}
            />
          )}
        </div>
      ))}
    </div>
  );
}
