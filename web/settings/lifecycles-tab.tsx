/** The lifecycles of the workspace. */
import { Button, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useMay } from '../client/session.ts';
import { Dialog } from '../components/dialogs/dialog.tsx';
import { codeColumn, textColumn } from '../components/lists/columns.tsx';
import { List } from '../components/lists/list-page.tsx';
import { EmptyState, GridSheet } from '../components/page-frame.tsx';
import { useAction } from '../components/use-action.ts';
import { useGo } from '../navigation/link.tsx';
import { paths } from '../navigation/paths.ts';

export function LifecyclesTab() {
  const mayConfigure = useMay('configuration');
  const [creating, setCreating] = useState(false);
  return (
    <GridSheet>
      <List
        label="Lifecycles"
        noun={['lifecycle', 'lifecycles']}
        name="listLifecycles"
        input={{}}
        rowKey={({ key }) => key}
        hrefOf={({ key }) => paths.settings('lifecycles', key)}
        heightMax={640}
        tools={mayConfigure && <Button onClick={() => setCreating(true)}>New lifecycle</Button>}
        columns={[
          textColumn('name', 'Name', { width: 200, phone: 'title' }),
          codeColumn('key', 'Key', { width: 180 }),
          {
            key: 'states',
            header: 'States',
            width: 280,
            grow: 1,
            phone: 'detail',
            cell: ({ states }) => states.map(({ name }) => name).join(', '),
            text: ({ states }) => states.map(({ name }) => name).join(', '),
          },
          {
            key: 'transitions',
            header: 'Transitions',
            width: 90,
            align: 'end',
            phone: 'side',
            cell: ({ transitions }) => transitions.length,
            text: ({ transitions }) => transitions.length,
          },
        ]}
        empty={<EmptyState title="No lifecycles">Each category follows a lifecycle.</EmptyState>}
      />
      {creating && <NewLifecycleDialog onClose={() => setCreating(false)} />}
    </GridSheet>
  );
}

function NewLifecycleDialog({ onClose }: { onClose: () => void }) {
  const go = useGo();
  const [key, setKey] = useState('');
  const [name, setName] = useState('');
  const create = useAction('createLifecycle', {
    changes: ['listLifecycles', 'listAudit'],
    onDone: (made) => go(paths.settings('lifecycles', made.key)),
  });
  return (
    <Dialog
      title="New lifecycle"
      submit="Create"
      onClose={onClose}
      busy={create.isPending}
      error={create.error}
      notYet={key.trim() === '' || name.trim() === '' ? 'Enter a key and a name.' : null}
      onSubmit={() =>
        create.mutate({
          body: {
            key: key.trim(),
            name: name.trim(),
            initialState: 'In Work',
            states: [{ name: 'In Work' }, { name: 'Released', released: true }],
            transitions: [{ id: 'release', name: 'Release', from: 'In Work', to: 'Released' }],
          },
        })
      }
    >
      <p>It starts with two states and one transition, which you can change on the next page.</p>
      <TextInput
        label="Key"
        data-autofocus=""
        value={key}
        onChange={(event) => setKey(event.currentTarget.value)}
      />
      <TextInput label="Name" value={name} onChange={(event) => setName(event.currentTarget.value)} />
    </Dialog>
  );
}
