/** API keys: one for each person and each connector, so that ledger and audit name who did what. */
import { Button } from '@mantine/core';
import { useState } from 'react';
import { nameOfAreas } from '../client/areas.ts';
import type { ApiKey } from '../client/operations.ts';
import { useSession } from '../client/session.ts';
import { DeleteDialog } from '../components/dialogs/delete-dialog.tsx';
import { momentColumn } from '../components/lists/columns.tsx';
import { List } from '../components/lists/list-page.tsx';
import { EmptyState, GridSheet } from '../components/page-frame.tsx';
import { StatusWord } from '../components/words.tsx';
import { KeyDialog } from './key-dialog.tsx';
import { changeColumn } from './keyed-columns.tsx';

export function KeysTab() {
  const { keyId } = useSession();
  const [editing, setEditing] = useState<ApiKey | 'new' | null>(null);
  const [revoking, setRevoking] = useState<ApiKey | null>(null);
  return (
    <GridSheet>
      <List
        label="API keys"
        noun={['key', 'keys']}
        name="listApiKeys"
        input={{}}
        rowKey={({ id }) => id}
        heightMax={640}
        tools={<Button onClick={() => setEditing('new')}>New key</Button>}
        columns={[
          {
            key: 'name',
            header: 'Name',
            width: 180,
            grow: 1,
            phone: 'title',
            cell: ({ id, name }) => (
              <>
                {name} {id === keyId && <StatusWord tone="accent">you</StatusWord>}
              </>
            ),
            text: ({ name }) => name,
          },
          {
            key: 'areas',
            header: 'May do',
            width: 160,
            grow: 1,
            phone: 'detail',
            cell: ({ areas }) => nameOfAreas(areas),
            text: ({ areas }) => nameOfAreas(areas),
          },
          {
            key: 'state',
            header: 'State',
            width: 90,
            phone: 'side',
            cell: (key) => <KeyState apiKey={key} />,
            text: ({ revokedAt }) => (revokedAt === null ? 'valid' : 'revoked'),
          },
          {
            key: 'prefix',
            header: 'Prefix',
            width: 120,
            cell: ({ prefix }) => <span className="mono">{prefix}…</span>,
            text: ({ prefix }) => prefix,
          },
          momentColumn('lastUsedAt', 'Last used', { width: 120 }),
          momentColumn('expiresAt', 'Expires', { width: 120 }),
          changeColumn<ApiKey>({
            onEdit: setEditing,
            onDelete: setRevoking,
            verb: 'Revoke',
            phone: 'side',
            mayChange: ({ revokedAt }) => revokedAt === null,
          }),
        ]}
        empty={<EmptyState title="No keys" />}
      />
      {editing !== null && (
        <KeyDialog apiKey={editing === 'new' ? null : editing} onClose={() => setEditing(null)} />
      )}
      {revoking !== null && (
        <DeleteDialog
          what={`the key ${revoking.name}`}
          verb="Revoke"
          consequence={`Its calls are rejected from now on, and its sessions end.${revoking.id === keyId ? ' This is your own key: you will be signed out.' : ''}`}
          operation="revokeApiKey"
          input={{ id: revoking.id }}
          changes={['listApiKeys', 'listAudit']}
          done="Key revoked and its sessions ended."
          onClose={() => setRevoking(null)}
        />
      )}
    </GridSheet>
  );
}

function KeyState({ apiKey }: { apiKey: ApiKey }) {
  if (apiKey.revokedAt !== null) return <StatusWord tone="quiet">revoked</StatusWord>;
  const expired = apiKey.expiresAt !== null && Date.parse(apiKey.expiresAt) <= Date.now();
  return expired ? <StatusWord tone="warn">expired</StatusWord> : <StatusWord tone="good">valid</StatusWord>;
}
