/** API keys that a member makes for programs of its own. */
import { Button, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { nameOfAreas } from '../client/areas.ts';
import { ask } from '../client/ask.ts';
import type { ApiKey } from '../client/operations.ts';
import type { Area } from '../client/session.ts';
import { DeleteDialog } from '../components/dialogs/delete-dialog.tsx';
import { Dialog } from '../components/dialogs/dialog.tsx';
import { SecretOnce } from '../components/dialogs/secret-once.tsx';
import { AreaBoxes } from '../components/forms/area-boxes.tsx';
import { Sheet, Waiting } from '../components/page-frame.tsx';
import { ProblemPanel } from '../components/problem-panel.tsx';
import { RowList } from '../components/row-list.tsx';
import { useAction } from '../components/use-action.ts';
import { Moment } from '../components/words.tsx';

export function MyKeys() {
  const [isNew, setIsNew] = useState(false);
  const [revoking, setRevoking] = useState<ApiKey | null>(null);
  const keys = useQuery(ask('listMyApiKeys', {}));
  return (
    <Sheet
      title="Your API keys"
      actions={
        <Button variant="default" onClick={() => setIsNew(true)}>
          New key
        </Button>
      }
    >
      <p className="muted">
        For programs of your own. Ledger and history name you with the key; it never does more than you may,
        and ends when you leave.
      </p>
      {keys.data === undefined ? (
        keys.isError ? (
          <ProblemPanel error={keys.error} />
        ) : (
          <Waiting lines={2} />
        )
      ) : (
        <RowList
          label="Your API keys"
          none="You have no keys."
          rows={keys.data.items.map((key) => ({
            key: key.id,
            name: key.name,
            detail: <KeyDetail apiKey={key} />,
            actions: [{ icon: 'trash', label: `Revoke ${key.name}`, onClick: () => setRevoking(key) }],
          }))}
        />
      )}
      {isNew && <NewKeyDialog onClose={() => setIsNew(false)} />}
      {revoking !== null && (
        <DeleteDialog
          what={`the key ${revoking.name}`}
          verb="Revoke"
          consequence="Its calls are rejected from now on. What it did stays in ledger and history."
          operation="revokeMyApiKey"
          input={{ id: revoking.id }}
          changes={['listMyApiKeys', 'listApiKeys', 'listAudit']}
          done="Key revoked."
          onClose={() => setRevoking(null)}
        />
      )}
    </Sheet>
  );
}

function KeyDetail({ apiKey: { areas, prefix, lastUsedAt, expiresAt } }: { apiKey: ApiKey }) {
  return (
    <>
      {nameOfAreas(areas)}, <span className="mono">{prefix}…</span>,{' '}
      {lastUsedAt === null ? (
        'never used'
      ) : (
        <>
          last used <Moment at={lastUsedAt} />
        </>
      )}
      {expiresAt !== null && (
        <>
          , ends <Moment at={expiresAt} />
        </>
      )}
    </>
  );
}

function NewKeyDialog({ onClose }: { onClose: () => void }) {
  const [name, setName] = useState('');
  const [areas, setAreas] = useState<readonly Area[]>(['read']);
  const [expires, setExpires] = useState('');
  const create = useAction('createMyApiKey', { changes: ['listMyApiKeys', 'listApiKeys', 'listAudit'] });
  if (create.data !== undefined)
    return (
      <Dialog
        title={`Key ${create.data.name}`}
        submit="Done"
        leave={null}
        onClose={onClose}
        onSubmit={onClose}
      >
        <SecretOnce label="Give this key to the program alone." secret={create.data.key} />
      </Dialog>
    );
  return (
    <Dialog
      title="New key of your own"
      submit="Create"
      onClose={onClose}
      busy={create.isPending}
      error={create.error}
      notYet={name.trim() === '' ? 'Enter a name.' : null}
      onSubmit={() =>
        create.mutate({
          body: {
            name: name.trim(),
            areas: [...areas],
            expiresAt: expires === '' ? null : new Date(`${expires}T23:59:59`).toISOString(),
          },
        })
      }
    >
      <TextInput
        label="Name"
        description="The program or the machine, such as Laptop. It is shown behind your name."
        maxLength={100}
        data-autofocus=""
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <AreaBoxes areas={areas} onChange={setAreas} />
      <TextInput
        label="Expires"
        description="Leave empty for never."
        type="date"
        value={expires}
        onChange={(event) => setExpires(event.currentTarget.value)}
      />
    </Dialog>
  );
}
