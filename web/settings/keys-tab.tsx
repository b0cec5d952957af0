/** API keys: one for each person and each connector, so that the ledger and the history name who did it. */
import { Button } from '@mantine/core';
import { useState } from 'react';
import type { ApiKey } from '../client/operations.ts';
import { useSession } from '../client/session.ts';
import { DeleteDialog } from '../components/delete-dialog.tsx';
import { List } from '../components/lists/list-page.tsx';
import { RowActions } from '../components/lists/row-actions.tsx';
import { EmptyState } from '../components/page-frame.tsx';
import { useAction } from '../components/use-action.ts';
import { Moment, StatusWord } from '../components/words.tsx';
import { KeyDialog } from './key-dialog.tsx';
import styles from './settings.module.css';

export function KeysTab() {
  const { keyId } = useSession();
  const [editing, setEditing] = useState<ApiKey | 'new' | null>(null);
  const [revoking, setRevoking] = useState<ApiKey | null>(null);
  const revoke = useAction('revokeApiKey', {
    changes: ['listApiKeys', 'listAudit'],
    done: 'Key revoked; its sessions have ended.',
    onDone: () => setRevoking(null),
  });
  return (
    <div className={styles.gridSheet}>
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
            key: 'permission',
            header: 'Permission',
            width: 100,
            phone: 'detail',
            cell: ({ permission }) => permission,
            text: ({ permission }) => permission,
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
            header: 'Begins with',
            width: 120,
            cell: ({ prefix }) => <span className="mono">{prefix}…</span>,
            text: ({ prefix }) => prefix,
          },
          {
            key: 'lastUsedAt',
            header: 'Last used',
            width: 120,
            cell: ({ lastUsedAt }) => <Moment at={lastUsedAt} />,
            text: ({ lastUsedAt }) => lastUsedAt,
          },
          {
            key: 'expiresAt',
            header: 'Expires',
            width: 120,
            cell: ({ expiresAt }) => <Moment at={expiresAt} />,
            text: ({ expiresAt }) => expiresAt,
          },
          {
            key: 'change',
            header: 'Change',
            width: 76,
            cell: (row) =>
              row.revokedAt === null && (
                <RowActions
                  actions={[
                    { icon: 'edit', label: `Edit ${row.name}`, onClick: () => setEditing(row) },
                    { icon: 'trash', label: `Revoke ${row.name}`, onClick: () => setRevoking(row) },
                  ]}
                />
              ),
          },
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
          consequence={`Whoever uses it is refused from the next call on, and its sessions end.${revoking.id === keyId ? ' It is your own: you will be signed out.' : ''}`}
          busy={revoke.isPending}
          error={revoke.error}
          onDelete={() => revoke.mutate({ id: revoking.id })}
          onClose={() => {
            revoke.reset();
            setRevoking(null);
          }}
        />
      )}
    </div>
  );
}

function KeyState({ apiKey }: { apiKey: ApiKey }) {
  if (apiKey.revokedAt !== null) return <StatusWord tone="quiet">revoked</StatusWord>;
  const expired = apiKey.expiresAt !== null && Date.parse(apiKey.expiresAt) <= Date.now();
  return expired ? <StatusWord tone="warn">expired</StatusWord> : <StatusWord tone="good">valid</StatusWord>;
}
