/** Reads the rows of a list page by page, to a bound that it names, and saves them as a file. It says how many rows were read. */
import { useEffect, useRef, useState } from 'react';
import { downloadCsv, downloadXlsx } from '../lists/download-table.ts';
import type { GridColumn } from '../lists/grid-column.ts';
import { fillingText, isFilling } from '../lists/index-filling.ts';
import { countText } from '../words.tsx';
import { Dialog } from './dialog.tsx';

const EXPORT_ROWS_MAX = 200_000;

/** Reads from a cursor on; without one from the beginning. */
export type ReadRows<Row> = (
  cursor: string | undefined,
  signal: AbortSignal,
) => Promise<{ items: readonly Row[]; nextCursor: string | null }>;

interface ExportDialogProps<Row> {
  label: string;
  read: ReadRows<Row>;
  columns: readonly GridColumn<Row>[];
  form: 'csv' | 'xlsx';
  onClose: () => void;
}

export function ExportDialog<Row>({ label, read, columns, form, onClose }: ExportDialogProps<Row>) {
  const [state, setState] = useState<{ rows: number; error?: unknown; note?: string }>({ rows: 0 });
  // What the list was filtered by when the export began; a list that is drawn anew does not begin it again.
  const begun = useRef({ label, read, columns, form, onClose });
  useEffect(() => {
    const { label, read, columns, form, onClose } = begun.current;
    const stop = new AbortController();
    const run = async () => {
      const rows: (string | number | null)[][] = [];
      let cursor: string | undefined;
      let lacksSome = false;
      do {
        const next = await read(cursor, stop.signal);
        rows.push(...next.items.map((item) => columns.map((column) => column.text?.(item) ?? null)));
        cursor = next.nextCursor ?? undefined;
        lacksSome ||= isFilling(next);
        setState({ rows: rows.length });
      } while (cursor !== undefined && rows.length < EXPORT_ROWS_MAX);
      const table = { name: label, head: columns.map(({ header }) => header), rows };
      await (form === 'csv' ? downloadCsv(table) : downloadXlsx(table));
      const notes = [
        ...(cursor === undefined
          ? []
          : ['The list goes on: the file holds its first rows. Filter it further.']),
        ...(lacksSome ? [fillingText('rows')] : []),
      ];
      if (notes.length === 0) onClose();
      else setState({ rows: rows.length, note: notes.join(' ') });
    };
    run().catch((error) => {
      if (!stop.signal.aborted) setState(({ rows }) => ({ rows, error }));
    });
    return () => stop.abort();
  }, []);
  return (
    <Dialog
      title={`Export ${label}`}
      submit="Close"
      onClose={onClose}
      onSubmit={onClose}
      busy={state.note === undefined && state.error === undefined}
      error={state.error}
    >
      <p role="status">{state.note ?? `${countText(state.rows, 'row')} read…`}</p>
    </Dialog>
  );
}
