/** Import mappings: how the columns of a file are read by the app, the command line and the API. */
import { Modal } from '@mantine/core';
import { useState } from 'react';
import type { ImportDefinition } from '../client/operations.ts';
import { useMay } from '../client/session.ts';
import { DeleteDialog } from '../components/dialogs/delete-dialog.tsx';
import { ReturnFocus } from '../components/dialogs/use-return-focus.ts';
import { momentColumn, textColumn } from '../components/lists/columns.tsx';
import { List } from '../components/lists/list-page.tsx';
import { RowActions } from '../components/lists/row-actions.tsx';
import { EmptyState, GridSheet } from '../components/page-frame.tsx';
import { Link } from '../navigation/link.tsx';
import { paths } from '../navigation/paths.ts';
import styles from './settings.module.css';

export function ImportsTab() {
  const mayConfigure = useMay('configuration');
  const [shown, setShown] = useState<ImportDefinition | null>(null);
  const [deleting, setDeleting] = useState<ImportDefinition | null>(null);
  return (
    <GridSheet>
      <List
        label="Import mappings"
        noun={['mapping', 'mappings']}
        name="listImportDefinitions"
        input={{}}
        rowKey={({ name }) => name}
        heightMax={640}
        columns={[
          textColumn('name', 'Name', { width: 220, grow: 1, phone: 'title' }),
          {
            key: 'columns',
            header: 'Columns',
            width: 260,
            grow: 1,
            spare: 1,
            cell: (row) => columnsText(row),
            text: (row) => columnsText(row),
          },
          {
            key: 'version',
            header: 'Version',
            width: 80,
            align: 'end',
            cell: ({ version }) => version,
            text: ({ version }) => version,
          },
          momentColumn('updatedAt', 'Changed', { width: 120, phone: 'detail' }),
          {
            key: 'change',
            header: 'Change',
            width: 76,
            phone: 'side',
            cell: (row) => (
              <RowActions
                actions={[
                  { icon: 'search', label: `Show ${row.name}`, onClick: () => setShown(row) },
                  ...(mayConfigure
                    ? [
                        {
                          icon: 'trash' as const,
                          label: `Delete ${row.name}`,
                          onClick: () => setDeleting(row),
                        },
                      ]
                    : []),
                ]}
              />
            ),
          },
        ]}
        empty={
          <EmptyState title="No import mappings yet">
            <Link href={paths.imports()}>Import a file</Link>: its mapping is proposed, and you can save it.
          </EmptyState>
        }
      />
      {shown !== null && (
        <Modal opened onClose={() => setShown(null)} title={`Import mapping ${shown.name}`} size="xl">
          <ReturnFocus />
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls */}
          <pre className={styles.json} tabIndex={0}>
            {JSON.stringify(shown.mapping, null, 2)}
          </pre>
        </Modal>
      )}
      {deleting !== null && (
        <DeleteDialog
          what={`the import mapping ${deleting.name}`}
          consequence="Earlier imports stay as they are; the audit trail keeps the mapping."
          operation="deleteImportDefinition"
          input={{ name: deleting.name }}
          changes={['listImportDefinitions', 'listAudit']}
          done="Mapping deleted."
          onClose={() => setDeleting(null)}
        />
      )}
    </GridSheet>
  );
}

function columnsText({ mapping: { columns = {} } }: ImportDefinition): string {
  return [...new Set(Object.values(columns).flat())].join(', ');
}
