/** Creates an API key, or changes its name, permission and expiry. */
import { NativeSelect, TextInput } from '@mantine/core';
import type { ApiKey } from '../client/operations.ts';
import { ChangedMeanwhile, SOMEBODY_FIRST } from '../components/changed-meanwhile.tsx';
import { Dialog } from '../components/dialog.tsx';
import { changesOf } from '../components/meanwhile-changes.ts';
import { SecretOnce } from '../components/secret-once.tsx';
import { useAction } from '../components/use-action.ts';
import { readBy, useSavedForm } from '../components/use-saved-form.ts';

const permissions = [
  { value: 'read', label: 'Read: see everything, change nothing' },
  { value: 'write', label: 'Write: parts, stock, orders, imports' },
  { value: 'admin', label: 'Admin: also settings, keys and automations' },
];

interface Fields {
  name: string;
  permission: ApiKey['permission'];
  /** A day in the time zone of the browser, or empty. */
  expires: string;
}
const labels = { name: 'Name', permission: 'Permission', expires: 'Expires' };
const NEW: Fields = { name: '', permission: 'write', expires: '' };

function fieldsOf({ name, permission, expiresAt }: ApiKey): Fields {
  return { name, permission, expires: expiresAt === null ? '' : dayHere(expiresAt) };
}

function dayHere(moment: string): string {
  const at = new Date(moment);
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 10);
}

/** The end of the day. An unchanged day keeps the moment, which an integrator may have set. */
function momentOf(day: string, apiKey: ApiKey | null): string | null {
  if (day === '') return null;
  const kept = apiKey?.expiresAt ?? null;
  return kept !== null && dayHere(kept) === day ? kept : new Date(`${day}T23:59:59`).toISOString();
}

export function KeyDialog({ apiKey, onClose }: { apiKey: ApiKey | null; onClose: () => void }) {
  const create = useAction('createApiKey', { changes: ['listApiKeys', 'listAudit'] });
  const replace = useSavedForm('replaceApiKey', {
    shown: apiKey === null ? NEW : fieldsOf(apiKey),
    read: readBy('getApiKey', apiKey && { id: apiKey.id }, fieldsOf),
    tell: (from, to) => changesOf(from, to, labels),
    changes: ['listApiKeys', 'listAudit'],
    done: 'Key saved.',
    onDone: onClose,
  });
  const { form, set } = replace;
  const { name, permission, expires } = form;
  const action = apiKey === null ? create : replace;
  const body = {
    name: name.trim(),
    permission,
    expiresAt: momentOf(expires, apiKey),
  };
  if (create.data !== undefined) {
    return (
      <Dialog
        title={`Key for ${create.data.name}`}
        submit="Done"
        leave={null}
        onClose={onClose}
        onSubmit={onClose}
      >
        <SecretOnce label="Give this key to the person or connector it is for." secret={create.data.key} />
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
      notYet={replace.meanwhile !== null ? SOMEBODY_FIRST : body.name === '' ? 'Enter a name.' : null}
      onSubmit={() => (apiKey === null ? create.mutate({ body }) : replace.save({ id: apiKey.id, body }))}
    >
      <TextInput
        label="Name"
        description="The name of a person or a connector. Ledger and audit show it."
        data-autofocus=""
        value={name}
        onChange={(event) => set({ name: event.currentTarget.value })}
      />
      <NativeSelect
        label="Permission"
        value={permission}
        data={permissions}
        onChange={(event) => set({ permission: event.currentTarget.value as ApiKey['permission'] })}
      />
      <TextInput
        label="Expires"
        description="Leave empty for never."
        type="date"
        value={expires}
        onChange={(event) => set({ expires: event.currentTarget.value })}
      />
      <ChangedMeanwhile form={replace} />
    </Dialog>
  );
}
