/** Asks for a count of a location, or changes who counts it and until when. */
import { NativeSelect, Select, Switch, Textarea, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ask } from '../client/ask.ts';
import type { CountTask } from '../client/operations.ts';
import { Dialog } from '../components/dialogs/dialog.tsx';
import { useActs } from '../components/use-action.ts';
import { EntityPicker, type PickedEntity } from '../entities/entity-picker.tsx';

const OFFERED = 20;

export function CountTaskDialog({ task, onClose }: { task: CountTask | null; onClose: () => void }) {
  const [location, setLocation] = useState<PickedEntity | null>(null);
  const [below, setBelow] = useState(task?.below ?? false);
  const [assignedTo, setAssignedTo] = useState(task?.assignedTo ?? null);
  const [dueOn, setDueOn] = useState(task?.dueOn ?? '');
  const [note, setNote] = useState(task?.note ?? '');
  const [status, setStatus] = useState<CountTask['status']>(task?.status ?? 'open');
  const save = useActs(
    async (_: null, write) => {
      const body = {
        below,
        assignedTo: assignedTo?.id ?? null,
        dueOn: dueOn === '' ? null : dueOn,
        note: note.trim() === '' ? null : note.trim(),
      };
      return task === null
        ? write('createCountTask', { body: { ...body, location: location?.id ?? '' } })
        : write('updateCountTask', { id: task.id, body: { ...body, status } });
    },
    {
      changes: ['listCountTasks', 'getMyWork', 'listAudit'],
      done: task === null ? 'The count is asked for.' : 'The count is changed.',
      onDone: onClose,
    },
  );
  const name = task === null ? '' : (task.location.number ?? task.location.name);
  return (
    <Dialog
      title={task === null ? 'Ask for a count' : `Count of ${name}`}
      submit={task === null ? 'Ask' : 'Save'}
      onClose={onClose}
      busy={save.isPending}
      error={save.error}
      notYet={task === null && location === null ? 'Choose a location.' : null}
      onSubmit={() => save.mutate(null)}
    >
      {task === null && (
        <EntityPicker label="Location" plays="location" value={location} onPick={setLocation} autoFocus />
      )}
      <Switch
        label="Also locations inside"
        checked={below}
        onChange={(event) => setBelow(event.currentTarget.checked)}
      />
      <MemberField value={assignedTo} onPick={setAssignedTo} />
      <TextInput
        label="Until"
        type="date"
        value={dueOn}
        onChange={(event) => setDueOn(event.currentTarget.value)}
      />
      <Textarea
        label="Note"
        autosize
        maxLength={2000}
        value={note}
        onChange={(event) => setNote(event.currentTarget.value)}
      />
      {task !== null && (
        <NativeSelect
          label="Status"
          value={status}
          data={[
            { value: 'open', label: 'open' },
            { value: 'done', label: 'done' },
            { value: 'cancelled', label: 'cancelled' },
          ]}
          onChange={(event) => setStatus(event.currentTarget.value as CountTask['status'])}
        />
      )}
    </Dialog>
  );
}

interface Member {
  id: string;
  name: string;
}

function MemberField({ value, onPick }: { value: Member | null; onPick: (member: Member | null) => void }) {
  const [find, setFind] = useState(value?.name ?? '');
  const people = useQuery({
    ...ask('listPeople', {
      query: { limit: OFFERED, ...(find === '' || find === value?.name ? {} : { q: find }) },
    }),
    staleTime: 60_000,
  });
  const offered = new Map((people.data?.items ?? []).map((member) => [member.id, member]));
  if (value !== null) offered.set(value.id, value);
  return (
    <Select
      label="Counted by"
      description="A member with the area stock"
      placeholder="Nobody yet"
      searchable
      clearable
      data={[...offered.values()].map(({ id, name }) => ({ value: id, label: name }))}
      value={value?.id ?? null}
      onChange={(id) => onPick(id === null ? null : (offered.get(id) ?? null))}
      searchValue={find}
      onSearchChange={setFind}
    />
  );
}
