/** Creates an API key, or changes its name, areas and expiry. */
import { Select, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { nameOfAreas } from '../client/areas.ts';
import { askAll } from '../client/ask.ts';
import type { ApiKey } from '../client/operations.ts';
import type { Area } from '../client/session.ts';
import { Dialog } from '../components/dialogs/dialog.tsx';
import { SecretOnce } from '../components/dialogs/secret-once.tsx';
import { AreaBoxes } from '../components/forms/area-boxes.tsx';
import { ChangedMeanwhile, SOMEBODY_FIRST } from '../components/forms/changed-meanwhile.tsx';
import { changesOf } from '../components/forms/meanwhile-changes.ts';
import { readBy, useSavedForm } from '../components/forms/use-saved-form.ts';
import { useAction } from '../components/use-action.ts';

interface Fields {
  name: string;
  /** In their order; a text, so that it can be compared. */
  areas: string;
  /** A day in the time zone of the browser, or empty. */
  expires: string;
  /** Id of the member to whom the key belongs, or empty. */
  member: string;
}
const labels = { name: 'Name', areas: 'May do', expires: 'Expires', member: 'Person' };
const NEW: Fields = { name: '', areas: 'read', expires: '', member: '' };

function fieldsOf({ name, areas, expiresAt, memberId }: ApiKey): Fields {
  return {
    name,
    areas: areas.join(),
    expires: expiresAt === null ? '' : dayHere(expiresAt),
    member: memberId ?? '',
  };
}

function dayHere(moment: string): string {
  const at = new Date(moment);
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 10);
}

function named(fields: Fields): Fields {
  return { ...fields, areas: nameOfAreas(areasOf(fields.areas)) };
}

function areasOf(text: string): Area[] {
  return text.split(',') as Area[];
}

/** The end of the day. An unchanged day keeps the moment, which an integrator may have set. */
function momentOf(day: string, apiKey: ApiKey | null): string | null {
  if (day === '') return null;
  const kept = apiKey?.expiresAt ?? null;
  return kept !== null && dayHere(kept) === day ? kept : new Date(`${day}T23:59:59`).toISOString();
}

export function KeyDialog({ apiKey, onClose }: { apiKey: ApiKey | null; onClose: () => void }) {
  const members = useQuery({ ...askAll('listMembers', {}), enabled: apiKey !== null });
  const create = useAction('createApiKey', { changes: ['listApiKeys', 'listAudit'] });
  const replace = useSavedForm('replaceApiKey', {
    shown: apiKey === null ? NEW : fieldsOf(apiKey),
    read: readBy('getApiKey', apiKey && { id: apiKey.id }, fieldsOf),
    tell: (from, to) => changesOf(named(from), named(to), labels),
    changes: ['listApiKeys', 'listAudit'],
    done: 'Key saved.',
    onDone: onClose,
  });
  const { form, set } = replace;
  const { name, expires } = form;
  const areas = areasOf(form.areas);
  const persons = (members.data ?? [])
    .filter(({ id, endedAt }) => endedAt === null || id === form.member)
    .map(({ id, name: label }) => ({ value: id, label }));
  const action = apiKey === null ? create : replace;
  const body = {
    name: name.trim(),
    areas,
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
      onSubmit={() =>
        apiKey === null
          ? create.mutate({ body })
          : replace.save({
              id: apiKey.id,
              body: { ...body, ...(form.member === '' ? {} : { memberId: form.member }) },
            })
      }
    >
      <TextInput
        label="Name"
        description="The name of a person or a connector. Ledger and audit show it."
        data-autofocus=""
        value={name}
        onChange={(event) => set({ name: event.currentTarget.value })}
      />
      <AreaBoxes areas={areas} onChange={(some) => set({ areas: some.join() })} />
      <TextInput
        label="Expires"
        description="Leave empty for never."
        type="date"
        value={expires}
        onChange={(event) => set({ expires: event.currentTarget.value })}
      />
      {persons.length > 0 && (
        <Select
          label="Person"
          description={
            apiKey?.memberId == null
              ? 'Gives the key to a member, for good: it never does more than the member and ends with it.'
              : 'The key belongs to this member and ends with it.'
          }
          placeholder="Nobody: a connector"
          data={persons}
          value={form.member === '' ? null : form.member}
          disabled={apiKey?.memberId != null}
          clearable
          searchable
          onChange={(member) => set({ member: member ?? '' })}
        />
      )}
      <ChangedMeanwhile form={replace} />
    </Dialog>
  );
}
