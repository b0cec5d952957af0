/** The check boxes behind the button *Columns* of a list. */
import { Checkbox } from '@mantine/core';
import { useEffect, useRef } from 'react';
import styles from './menus.module.css';

export interface ColumnChoicesProps {
  columns: readonly { key: string; header: string }[];
  /** Keys of the columns that are shown. */
  shown: readonly string[];
  choose: (key: string, on: boolean) => void;
}

export function ColumnChoices({ columns, shown, choose }: ColumnChoicesProps) {
  const here = useRef<HTMLDivElement>(null);
  // The popover had nothing to put the focus on while they were loaded.
  useEffect(() => here.current?.querySelector('input')?.focus(), []);
  return (
    <div ref={here} className={styles.fields}>
      {columns.map(({ key, header }) => (
        <Checkbox
          key={key}
          label={header}
          checked={shown.includes(key)}
          onChange={(event) => choose(key, event.currentTarget.checked)}
        />
      ))}
    </div>
  );
}
