/** Exports what is filtered, with the columns that are shown: read page by page, to a bound that it names. */
import { ActionIcon, Menu } from '@mantine/core';
import { lazy, Suspense, useRef, useState } from 'react';
import type { CsvTable } from '../../client/operations.ts';
import { useMay } from '../../client/session.ts';
import { Dialog } from '../dialogs/dialog.tsx';
import { Icon } from '../icons.tsx';
import { countText } from '../words.tsx';
import type { GridColumn } from './grid-column.ts';
import styles from './menus.module.css';
import { useViewName } from './saved-views.tsx';

// It is loaded when it is opened, so that the first page is small.
const CsvLinkDialog = lazy(async () => ({
  default: (await import('../dialogs/csv-link-dialog.tsx')).CsvLinkDialog,
}));

const EXPORT_ROWS_MAX = 200_000;

export interface ExportMenuProps<Row> {
  label: string;
  /** Reads from a cursor on; without one from the beginning. */
  read: (
    cursor: string | undefined,
    signal: AbortSignal,
  ) => Promise<{ items: readonly Row[]; nextCursor: string | null }>;
  columns: readonly GridColumn<Row>[];
  /** What a link for a spreadsheet would show: a table, or why there can be none. */
  linked?: () => CsvTable | string;
}

export function ExportMenu<Row>({ label, read, columns, linked }: ExportMenuProps<Row>) {
  const mayLink = useMay('admin') && linked !== undefined;
  const viewName = useViewName(label);
  const [linking, setLinking] = useState<CsvTable | null>(null);
  const [state, setState] = useState<{ rows: number; error?: unknown; note?: string } | null>(null);
  const abort = useRef<AbortController | null>(null);
  const written = columns.filter((column) => column.text !== undefined);
  const leave = () => {
    abort.current?.abort();
    setState(null);
  };
  const start = async (form: 'csv' | 'xlsx') => {
    const stop = new AbortController();
    abort.current = stop;
    setState({ rows: 0 });
    try {
      const rows: (string | number | null)[][] = [];
      let cursor: string | undefined;
      do {
        const next = await read(cursor, stop.signal);
        rows.push(...next.items.map((item) => written.map((column) => column.text?.(item) ?? null)));
        cursor = next.nextCursor ?? undefined;
        setState({ rows: rows.length });
      } while (cursor !== undefined && rows.length < EXPORT_ROWS_MAX);
      const table = { name: label, head: written.map(({ header }) => header), rows };
      const { downloadCsv, downloadXlsx } = await import('./download-table.ts');
      await (form === 'csv' ? downloadCsv(table) : downloadXlsx(table));
      if (cursor === undefined) setState(null);
      else
        setState({
          rows: rows.length,
          note: 'The list goes on: the file holds its first rows. Filter it further.',
        });
    } catch (error) {
      if (!stop.signal.aborted) setState((before) => ({ rows: before?.rows ?? 0, error }));
    }
  };
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
          <Menu.Item onClick={() => void start('csv')}>CSV</Menu.Item>
          <Menu.Item onClick={() => void start('xlsx')}>Excel (XLSX)</Menu.Item>
          {mayLink && <LinkItem linked={linked} onLink={setLinking} />}
        </Menu.Dropdown>
      </Menu>
      {linking !== null && (
        <Suspense>
          <CsvLinkDialog table={linking} name={viewName ?? label} onClose={() => setLinking(null)} />
        </Suspense>
      )}
      {state !== null && (
        <Dialog
          title={`Export ${label}`}
          submit="Close"
          onClose={leave}
          onSubmit={leave}
          busy={state.note === undefined && state.error === undefined}
          error={state.error}
        >
          <p role="status">{state.note ?? `${countText(state.rows, 'row')} read…`}</p>
        </Dialog>
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
