/** Which columns a list shows: in the address, so that a link and a saved view keep them. */
import { ActionIcon, Popover } from '@mantine/core';
import { lazy, Suspense } from 'react';
import { useAddress } from '../../navigation/address.ts';
import { Icon } from '../icons.tsx';
import type { ColumnWidths } from './column-widths.ts';
import type { GridColumn } from './grid-column.ts';
import styles from './menus.module.css';

// They are loaded when they are opened, so that the first page is small.
const ColumnChoices = lazy(async () => ({ default: (await import('./column-choices.tsx')).ColumnChoices }));

/** Those that the address names; else those that are not hidden at first. */
export function shownColumns<Row>(
  columns: readonly GridColumn<Row>[],
  chosen: string | undefined,
): GridColumn<Row>[] {
  const keys = chosen === undefined ? null : new Set(chosen.split(','));
  const shown = columns.filter(
    (column, at) => at === 0 || (keys === null ? column.hidden !== true : keys.has(column.key)),
  );
  return shown;
}

export interface ColumnMenuProps<Row> {
  columns: readonly GridColumn<Row>[];
  /** Where the address keeps them. */
  parameter: string;
  /** Columns can be resized. */
  widths?: ColumnWidths;
}

export function ColumnMenu<Row>({ columns, parameter, widths }: ColumnMenuProps<Row>) {
  const address = useAddress();
  const shown = shownColumns(columns, address.get(parameter)).map(({ key }) => key);
  const choose = (key: string, on: boolean) => {
    const next = columns
      .map((column) => column.key)
      .filter((one) => (one === key ? on : shown.includes(one)));
    address.set({ [parameter]: next.join(',') }, 'replace');
  };
  return (
    <Popover position="bottom-end" trapFocus>
      <Popover.Target>
        <ActionIcon variant="subtle" aria-label="Columns" title="Columns" className="wide-only">
          <Icon name="columns" />
        </ActionIcon>
      </Popover.Target>
      <Popover.Dropdown className={styles.menu} aria-label="Columns">
        <Suspense fallback={<span className="muted">Loading…</span>}>
          <ColumnChoices columns={columns} shown={shown} choose={choose} widths={widths} />
        </Suspense>
      </Popover.Dropdown>
    </Popover>
  );
}
