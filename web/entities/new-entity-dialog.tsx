/** Makes an entity by hand. Categories that are hidden from here belong to procurement. */
import { NativeSelect, TextInput } from '@mantine/core';
import { useState } from 'react';
import { notAsked } from '../components/asked.tsx';
import { Dialog } from '../components/dialog.tsx';
import { useAction } from '../components/use-action.ts';
import { useGo } from '../navigation/link.tsx';
import { paths } from '../navigation/paths.ts';
import { isLocation, useAskedCategories } from './configuration.ts';
import { EntityPicker, type PickedEntity } from './entity-picker.tsx';

export function NewEntityDialog({ onClose }: { onClose: () => void }) {
  const go = useGo();
  const known = useAskedCategories();
  const categories = (known.data ?? []).filter(({ hiddenFromNew }) => !hiddenFromNew);
  const [key, setKey] = useState('');
  const [name, setName] = useState('');
  const [number, setNumber] = useState('');
  const [parent, setParent] = useState<PickedEntity | null>(null);
  const category = categories.find((one) => one.key === key) ?? categories[0];
  const scheme = category?.numbering.source === 'scheme';
  const create = useAction('createEntity', {
    changes: ['listEntities', 'listLocations'],
    done: (entity) => `${entity.number ?? entity.name} created.`,
    onDone: (entity) => go(paths.entity(entity.id)),
  });
  return (
    <Dialog
      title="New entity"
      submit="Create"
      onClose={onClose}
      busy={create.isPending}
      error={create.error}
      notYet={
        category === undefined
          ? (notAsked(known) ?? 'There is no category to choose.')
          : name.trim() === ''
            ? 'Enter a name.'
            : null
      }
      onSubmit={() =>
        category !== undefined &&
        create.mutate({
          body: {
            category: category.key,
            name: name.trim(),
            ...(number.trim() === '' ? {} : { number: number.trim() }),
            ...(parent !== null && isLocation(category) ? { parentLocation: parent.id } : {}),
          },
        })
      }
    >
      <NativeSelect
        label="Category"
        value={category?.key ?? ''}
        onChange={(event) => setKey(event.currentTarget.value)}
        data={categories.map((one) => ({ value: one.key, label: one.name }))}
      />
      <TextInput
        label="Name"
        data-autofocus=""
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <TextInput
        label="Number"
        description={scheme ? `Left empty it is the next of ${category?.numbering.pattern}.` : undefined}
        value={number}
        onChange={(event) => setNumber(event.currentTarget.value)}
      />
      {isLocation(category) && (
        <EntityPicker label="Lies in" plays="location" value={parent} onPick={setParent} />
      )}
    </Dialog>
  );
}
