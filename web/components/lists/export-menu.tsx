/** Exports what is filtered, with the columns that are shown: read page by page, to a bound that it names. */
import { ActionIcon, Menu } from '@mantine/core';
import { lazy, Suspense, useState } from 'react';
import type { CsvTable } from '../../client/operations.ts';
import { useMay } from '../../client/session.ts';
import type { ExportDialog as ExportDialogOf, ReadRows } from '../dialogs/export-dialog.tsx';
import { Icon } from '../icons.tsx';
import type { GridColumn } from './grid-column.ts';
import styles from './menus.module.css';
import { useViewName } from './saved-views.tsx';

// They are loaded when they are opened, so that the first page is small.
const CsvLinkDialog = lazy(async () => ({
  default: (await import('../dialogs/csv-link-dialog.tsx')).CsvLinkDialog,
}));
const ExportDialog = lazy(async () => ({
  default: (await import('../dialogs/export-dialog.tsx')).ExportDialog,
})) as unknown as typeof ExportDialogOf;

export interface ExportMenuProps<Row> {
  label: string;
  read: ReadRows<Row>;
  columns: readonly GridColumn<Row>[];
  /** What a link for a spreadsheet would show: a table, or why there can be none. */
  linked?: () => CsvTable | string;
}

export function ExportMenu<Row>({ label, read, columns, linked }: ExportMenuProps<Row>) {
  const mayLink = useMay('admin') && linked !== undefined;
  const viewName = useViewName(label);
  const [linking, setLinking] = useState<CsvTable | null>(null);
  const [form, setForm] = useState<'csv' | 'xlsx' | null>(null);
  const written = columns.filter((column) => column.text !== undefined);
  if (written.length === 0) return null;
  return (
    <>
      <Menu position="bottom-end" withInitialFocusPlaceholder={false}>
        <Menu.Target>
          <ActionIcon variant="subtle" aria-label="Export" title="Export what is filtered">
            <Icon name="download" />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={() => setForm('csv')}>CSV</Menu.Item>
          <Menu.Item onClick={() => setForm('xlsx')}>Excel (XLSX)</Menu.Item>
          {mayLink && <LinkItem linked={linked} onLink={setLinking} />}
        </Menu.Dropdown>
      </Menu>
      {linking !== null && (
        <Suspense>
          <CsvLinkDialog table={linking} name={viewName ?? label} onClose={() => setLinking(null)} />
        </Suspense>
      )}
      {form !== null && (
        <Suspense>
          <ExportDialog
            label={label}
            read={read}
            columns={written}
            form={form}
            onClose={() => setForm(null)}
          />
        </Suspense>
      )}
    </>
  );
}

/** The table is made when the menu is open, of what is filtered then. */
function LinkItem({
  linked,
  onLink,
}: {
  linked: () => CsvTable | string;
  onLink: (table: CsvTable) => void;
}) {
  const table = linked();
  const refused = typeof table === 'string' ? table : null;
  return (
    <Menu.Item
      aria-disabled={refused !== null}
      closeMenuOnClick={refused === null}
      onClick={() => typeof table !== 'string' && onLink(table)}
    >
      Link for a spreadsheet…
      {refused !== null && <small className={styles.why}>{refused}</small>}
    </Menu.Item>
  );
}
