/** Links that spreadsheets read lists from. */
import { Button } from '@mantine/core';
import { useState } from 'react';
import type { CsvLink } from '../client/operations.ts';
import { CsvLinkDialog } from '../components/dialogs/csv-link-dialog.tsx';
import { DeleteDialog } from '../components/dialogs/delete-dialog.tsx';
import { tableText } from '../components/forms/csv-table.ts';
import { momentColumn, textColumn } from '../components/lists/columns.tsx';
import { List } from '../components/lists/list-page.tsx';
import { RowActions } from '../components/lists/row-actions.tsx';
import { EmptyState, GridSheet } from '../components/page-frame.tsx';
import { StatusWord } from '../components/words.tsx';

export function CsvLinksTab() {
  const [creating, setCreating] = useState(false);
  const [revoking, setRevoking] = useState<CsvLink | null>(null);
  return (
    <GridSheet>
      <List
        label="CSV links"
        noun={['link', 'links']}
        name="listCsvLinks"
        input={{}}
        rowKey={({ id }) => id}
        heightMax={640}
        tools={<Button onClick={() => setCreating(true)}>New link</Button>}
        columns={[
          textColumn('name', 'Name', { width: 180, grow: 1, phone: 'title' }),
          {
            key: 'table',
            header: 'Shows',
            width: 220,
            grow: 2,
            phone: 'detail',
            cell: ({ table }) => tableText(table),
            text: ({ table }) => tableText(table),
          },
          {
            key: 'state',
            header: 'State',
            width: 90,
            phone: 'side',
            cell: (link) => <LinkState link={link} />,
            text: ({ revokedAt }) => (revokedAt === null ? 'valid' : 'revoked'),
          },
          {
            key: 'prefix',
            header: 'Prefix',
            width: 120,
            spare: 2,
            cell: ({ prefix }) => <span className="mono">{prefix}…</span>,
            text: ({ prefix }) => prefix,
          },
          {
            key: 'createdBy',
            header: 'By',
            width: 110,
            spare: 1,
            cell: ({ createdBy }) => createdBy.name,
            text: ({ createdBy }) => createdBy.name,
          },
          momentColumn('lastUsedAt', 'Last used', { width: 120 }),
          momentColumn('expiresAt', 'Expires', { width: 120, spare: 3 }),
          {
            key: 'change',
            header: 'Change',
            width: 76,
            phone: 'side',
            cell: (link) =>
              link.revokedAt === null && (
                <RowActions
                  actions={[
                    { icon: 'trash', label: `Revoke ${link.name}`, onClick: () => setRevoking(link) },
                  ]}
                />
              ),
          },
        ]}
        empty={
          <EmptyState
            title="No links yet"
            action={
              <Button variant="default" onClick={() => setCreating(true)}>
                New link
              </Button>
            }
          >
            A spreadsheet reads a list through a link, without an API key. To link a filtered list, use its
            Export menu.
          </EmptyState>
        }
      />
      {creating && <CsvLinkDialog name="" onClose={() => setCreating(false)} />}
      {revoking !== null && (
        <DeleteDialog
          what={`the link ${revoking.name}`}
          verb="Revoke"
          consequence="Spreadsheets that use it get no data from their next refresh on."
          operation="revokeCsvLink"
          input={{ id: revoking.id }}
          changes={['listCsvLinks', 'listAudit']}
          done="Link revoked."
          onClose={() => setRevoking(null)}
        />
      )}
    </GridSheet>
  );
}

function LinkState({ link }: { link: CsvLink }) {
  if (link.revokedAt !== null) return <StatusWord tone="quiet">revoked</StatusWord>;
  const expired = link.expiresAt !== null && Date.parse(link.expiresAt) <= Date.now();
  return expired ? <StatusWord tone="warn">expired</StatusWord> : <StatusWord tone="good">valid</StatusWord>;
}
