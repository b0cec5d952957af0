/** Makes an entity by hand. Categories that are hidden from here belong to procurement. */
import { NativeSelect, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ask } from '../client/ask.ts';
import type { Category, PropertyDefinition } from '../client/operations.ts';
import { Refusal } from '../client/request.ts';
import { allows, useSession } from '../client/session.ts';
import { notAsked } from '../components/dialogs/asked.tsx';
import { Dialog } from '../components/dialogs/dialog.tsx';
import { useAction } from '../components/use-action.ts';
import { Link, useGo } from '../navigation/link.tsx';
import { paths } from '../navigation/paths.ts';
import { isLocation, useAskedCategories, usePropertyDefinitions } from './configuration.ts';
import { EntityPicker, type PickedEntity } from './entity-picker.tsx';
import { definitionsOf, PropertyField, type PropertyValue } from './property-fields.tsx';
import { areaOfCategory } from './uses/use-may-change.ts';

export function NewEntityDialog({ onClose }: { onClose: () => void }) {
  const go = useGo();
  const known = useAskedCategories();
  const session = useSession();
  const categories = (known.data ?? []).filter(
    (category) => !category.hiddenFromNew && allows(session, areaOfCategory(category)),
  );
  const [key, setKey] = useState('');
  const [name, setName] = useState('');
  const [number, setNumber] = useState('');
  const [parent, setParent] = useState<PickedEntity | null>(null);
  const definitions = usePropertyDefinitions();
  const [values, setValues] = useState<Record<string, PropertyValue | undefined>>({});
  // Looked up when the field is left, not at every key.
  const [asked, setAsked] = useState('');
  const category = categories.find((one) => one.key === key) ?? categories[0];
  const scheme = category?.numbering.source === 'scheme';
  const given = scheme ? '' : number.trim();
  const next = useQuery({
    ...ask('getNextNumber', { key: category?.key ?? '' }),
    enabled: category !== undefined,
    staleTime: 0,
  });
  const taken = useQuery({
    ...ask('lookUpEntities', { body: { numbers: [asked] } }),
    enabled: asked !== '' && asked === given,
  });
  const [owner] = (asked === given && taken.data?.items[0]?.entities) || [];
  const refuses = category?.numbering.whenTaken === 'refuse';
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
            : owner !== undefined && refuses
              ? 'Another entity has the number.'
              : null
      }
      onSubmit={() =>
        category !== undefined &&
        create.mutate({
          body: {
            category: category.key,
            name: name.trim(),
            ...(given === '' ? {} : { number: given }),
            ...propertiesOf(category, definitions, values),
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
        description={
          next.data === undefined
            ? undefined
            : scheme
              ? 'The category numbers its entities itself.'
              : `Left empty, it is ${next.data.number}.`
        }
        disabled={scheme}
        placeholder={next.data?.number}
        error={
          owner === undefined ? (
            numberFault(create.error)
          ) : (
            <>
              {owner.number} is the number of <Link href={paths.entity(owner.id)}>{owner.name}</Link>
              {refuses ? '.' : ' too.'}
            </>
          )
        }
        value={scheme ? '' : number}
        onChange={(event) => setNumber(event.currentTarget.value)}
        onBlur={() => setAsked(given)}
      />
      {category !== undefined &&
        category.properties.length > 0 &&
        definitionsOf(definitions, category).map((definition) => (
          <PropertyField
            key={definition.key}
            definition={definition}
            value={
              Object.hasOwn(values, definition.key)
                ? values[definition.key]
                : (definition.default ?? undefined)
            }
            onChange={(value) => setValues({ ...values, [definition.key]: value })}
          />
        ))}
      {isLocation(category) && (
        <EntityPicker label="Lies in" plays="location" value={parent} onPick={setParent} />
      )}
    </Dialog>
  );
}

/** The values that were typed for the category; numbers that are none are refused by the service. */
function propertiesOf(
  category: Category,
  definitions: readonly PropertyDefinition[],
  values: Readonly<Record<string, PropertyValue | undefined>>,
): { properties?: Record<string, PropertyValue | null> } {
  const typed = definitions.flatMap(({ key, type }): [string, PropertyValue | null][] => {
    if (!category.properties.includes(key) || !Object.hasOwn(values, key)) return [];
    const value = values[key];
    const number = Number(String(value).replace(',', '.'));
    return [[key, value === undefined ? null : type === 'numeric' && !Number.isNaN(number) ? number : value]];
  });
  return typed.length === 0 ? {} : { properties: Object.fromEntries(typed) };
}

/** What the service says about the number, where it refuses it. */
function numberFault(error: unknown): string | undefined {
  if (!(error instanceof Refusal)) return undefined;
  return error.problem.errors?.find(({ pointer }) => pointer === '/number')?.message;
}
