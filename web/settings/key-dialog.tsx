/** Makes an API key, or changes what one is called and may do. */
import { NativeSelect, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { ApiKey } from '../client/operations.ts';
import { Dialog } from '../components/dialog.tsx';
import { SecretOnce } from '../components/secret-once.tsx';
import { useAction } from '../components/use-action.ts';

const permissions = [
  { value: 'read', label: 'Read: sees everything, changes nothing' },
  { value: 'write', label: 'Write: parts, stock, orders, imports' },
  { value: 'admin', label: 'Admin: settings, keys and automations too' },
];

export function KeyDialog({ apiKey, onClose }: { apiKey: ApiKey | null; onClose: () => void }) {
  const [name, setName] = useState(apiKey?.name ?? '');
  const [permission, setPermission] = useState<ApiKey['permission']>(apiKey?.permission ?? 'write');
  const [expires, setExpires] = useState(apiKey?.expiresAt?.slice(0, 10) ?? '');
  const create = useAction('createApiKey', { changes: ['listApiKeys', 'listAudit'] });
  const replace = useAction('replaceApiKey', {
    changes: ['listApiKeys', 'listAudit'],
    done: 'Key saved.',
    onDone: onClose,
  });
  const action = apiKey === null ? create : replace;
  const body = {
    name: name.trim(),
    permission,
    expiresAt: expires === '' ? null : new Date(`${expires}T23:59:59`).toISOString(),
  };
  if (create.data !== undefined) {
    return (
      <Dialog title={`Key for ${create.data.name}`} submit="Done" onClose={onClose} onSubmit={onClose}>
        <SecretOnce label="Hand it to whom it is for." secret={create.data.key} />
      </Dialog>
    );
  }
  return (
    <Dialog
      title={apiKey === null ? 'New API key' : `Key ${apiKey.name}`}
      submit={apiKey === null ? 'Create' : 'Save'}
      onClose={onClose}
      busy={action.isPending}
      error={action.error}
      notYet={body.name === '' ? 'Say whose it is.' : null}
      onSubmit={() => (apiKey === null ? create.mutate({ body }) : replace.mutate({ id: apiKey.id, body }))}
    >
      <TextInput
        label="Name"
        description="The ledger and the history show it: a person’s name, or a connector’s."
        data-autofocus=""
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <NativeSelect
        label="Permission"
        value={permission}
        data={permissions}
        onChange={(event) => setPermission(event.currentTarget.value as ApiKey['permission'])}
      />
      <TextInput
        label="Expires"
        description="Empty: never."
        type="date"
        value={expires}
        onChange={(event) => setExpires(event.currentTarget.value)}
      />
    </Dialog>
  );
}
