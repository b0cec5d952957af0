/** Name, number and properties of an entity, read and changed. */
import { Button, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import type { Category, Entity, EntityPatch, PropertyDefinition } from '../client/operations.ts';
import { ActButton } from '../components/act-button.tsx';
import { Asked } from '../components/dialogs/asked.tsx';
import { ChangedMeanwhile, SOMEBODY_FIRST } from '../components/forms/changed-meanwhile.tsx';
import { twofoldFault } from '../components/forms/exact-quantity.ts';
import type { MeanwhileChange } from '../components/forms/meanwhile-changes.ts';
import { readBy, useSavedForm } from '../components/forms/use-saved-form.ts';
import { Icon } from '../components/icons.tsx';
import { EmptyState, Facts, Sheet } from '../components/page-frame.tsx';
import { ProblemPanel } from '../components/problem-panel.tsx';
import { Moment } from '../components/words.tsx';
import { useUnsaved } from '../navigation/unsaved.ts';
import { useAskedPropertyDefinitions, useCategories } from './configuration.ts';
import styles from './entities.module.css';
import {
  definitionsOf,
  groupsOf,
  PropertyField,
  PropertyText,
  type PropertyValue,
  valueText,
} from './property-fields.tsx';
import { labelOf } from './property-label.ts';
import { useEntity } from './use-entity.ts';
import { useMayChange } from './uses/use-may-change.ts';

const NOT_KNOWN = 'Which properties there are could not be looked up.';

export function PropertiesTab() {
  const { entity } = useEntity();
  const mayChange = useMayChange(entity.category);
  const known = useAskedPropertyDefinitions();
  const category = useCategories().find(({ key }) => key === entity.category);
  const definitions = withOthers(known.data ?? [], category, entity);
  const [editing, setEditing] = useState(false);
  if (editing) return <PropertiesForm definitions={definitions} onClose={() => setEditing(false)} />;
  const set = definitions.filter(({ key }) => entity.properties[key] !== undefined);
  return (
    <>
      <Sheet
        title="Properties"
        actions={
          mayChange && (
            <ActButton
              variant="default"
              leftSection={<Icon name="edit" size={14} />}
              // A form without the fields of the properties would say that there are none.
              notYet={known.data !== undefined ? null : known.isError ? NOT_KNOWN : 'Looking…'}
              onClick={() => setEditing(true)}
            >
              Edit
            </ActButton>
          )
        }
      >
        {known.data === undefined ? (
          <Asked of={known}>{() => null}</Asked>
        ) : set.length === 0 ? (
          <EmptyState title="No properties are set">
            {definitions.length === 0
              ? 'This workspace defines none yet: an administrator does so under Settings.'
              : 'Values come with a sync, or are typed here.'}
          </EmptyState>
        ) : (
          <Facts
            facts={set.map((definition) => [
              labelOf(definition),
              <PropertyText
                key={definition.key}
                definition={definition}
                value={entity.properties[definition.key]}
              />,
            ])}
          />
        )}
      </Sheet>
      <Sheet title="Record">
        <Facts
          facts={[
            [
              'GUID',
              <span key="guid" className="mono">
                {entity.E_Guid ?? '–'}
              </span>,
              'wide',
            ],
            [
              'Id',
              <span key="id" className="mono">
                {entity.id}
              </span>,
              'wide',
            ],
            ['Created', <Moment key="created" at={entity.createdAt} />],
            ['Changed', <Moment key="updated" at={entity.updatedAt} />],
          ]}
        />
      </Sheet>
    </>
  );
}

/** The properties of the category, and others that the entity has. */
function withOthers(
  definitions: readonly PropertyDefinition[],
  category: Category | undefined,
  entity: Entity,
): readonly PropertyDefinition[] {
  const own = definitionsOf(definitions, category);
  const others = definitions.filter((one) => !own.includes(one) && entity.properties[one.key] !== undefined);
  return [...own, ...others];
}

const SEARCH_FROM = 12;

function PropertiesForm({
  definitions,
  onClose,
}: {
  definitions: readonly PropertyDefinition[];
  onClose: () => void;
}) {
  const { entity } = useEntity();
  const [find, setFind] = useState('');
  const [wrong, setWrong] = useState<unknown>(null);
  const save = useSavedForm('updateEntity', {
    shown: fieldsOf(entity),
    read: readBy('getEntity', { id: entity.id }, fieldsOf),
    tell: (from, to) => changesBetween(from, to, definitions),
    changes: ['getEntity', 'listEntities', 'listRevisions', 'getRevision', 'compareRevisions'],
    done: (saved) =>
      saved.revisionNumber > entity.revisionNumber ? `Saved as revision ${saved.revision}.` : 'Saved.',
    onDone: onClose,
  });
  const { form, begun, set } = save;
  useUnsaved(save.isTyped);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    try {
      setWrong(null);
      const properties = changesOf(definitions, begun, form);
      const body: EntityPatch = {
        ...(form.name.trim() === begun.name ? {} : { name: form.name.trim() }),
        ...(begun.number === '' && form.number.trim() !== '' ? { number: form.number.trim() } : {}),
        ...(Object.keys(properties).length === 0 ? {} : { properties }),
      };
      if (Object.keys(body).length === 0) onClose();
      else save.save({ id: entity.id, body });
    } catch (error) {
      setWrong(error);
    }
  };
  const shown = definitions.filter(({ name: title }) => title.toLowerCase().includes(find.toLowerCase()));
  return (
    <Sheet title="Properties">
      <form onSubmit={submit} className={styles.form}>
        {entity.released && (
          <p className={styles.note}>
            Revision {entity.revision} is released and stays as it is: a change opens the next revision.
          </p>
        )}
        <div className={styles.fields}>
          <TextInput
            label="Name"
            required
            value={form.name}
            onChange={(event) => set({ name: event.currentTarget.value })}
          />
          <TextInput
            label="Number"
            value={form.number}
            disabled={begun.number !== ''}
            description={begun.number === '' ? undefined : 'A number stays once it is given.'}
            onChange={(event) => set({ number: event.currentTarget.value })}
          />
        </div>
        {definitions.length > SEARCH_FROM && (
          <TextInput
            label="Find a property"
            value={find}
            onChange={(event) => setFind(event.currentTarget.value)}
          />
        )}
        {groupsOf(shown).map(([group, some]) => (
          <fieldset key={group ?? ''} className={styles.group}>
            {group !== null && <legend>{group}</legend>}
            <div className={styles.fields}>
              {some.map((definition) => (
                <PropertyField
                  key={definition.key}
                  definition={definition}
                  value={form[field(definition.key)]}
                  onChange={(value) => set({ [field(definition.key)]: value })}
                />
              ))}
            </div>
          </fieldset>
        ))}
        {wrong !== null && <ProblemPanel error={wrong} />}
        {save.error !== null && <ProblemPanel error={save.error} />}
        <ChangedMeanwhile form={save} />
        <div className={styles.buttons}>
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <ActButton
            type="submit"
            loading={save.isPending}
            notYet={
              save.meanwhile !== null ? SOMEBODY_FIRST : form.name.trim() === '' ? 'Enter a name.' : null
            }
          >
            Save
          </ActButton>
        </div>
      </form>
    </Sheet>
  );
}

interface EntityFields {
  name: string;
  number: string;
  /** Not edited here; a change of it changes what a save does. */
  state: string;
  revision: string;
  [property: `properties.${string}`]: PropertyValue | undefined;
}

const field = (key: string) => `properties.${key}` as const;

/** Each property is a field of its own, so that changes of two people to two properties are merged. */
function fieldsOf({ name, number, state, revision, properties }: Entity): EntityFields {
  const values = Object.entries(properties).map(([key, value]) => [field(key), value] as const);
  return { name, number: number ?? '', state, revision, ...Object.fromEntries(values) };
}

/** The properties that differ, typed; null removes a value. */
function changesOf(
  definitions: readonly PropertyDefinition[],
  before: EntityFields,
  after: EntityFields,
): Record<string, PropertyValue | null> {
  return Object.fromEntries(
    definitions.flatMap(({ key, name, type }): [string, PropertyValue | null][] => {
      const typed = after[field(key)];
      if (typed === before[field(key)]) return [];
      if (typed === undefined) return [[key, null]];
      if (type !== 'numeric') return [[key, typed]];
      const twofold = twofoldFault(String(typed));
      if (twofold !== null) throw new Error(`${name}: ${twofold}`);
      const number = Number(String(typed).replace(',', '.'));
      if (!Number.isFinite(number)) throw new Error(`${name}: “${typed}” is not a number.`);
      return number === before[field(key)] ? [] : [[key, number]];
    }),
  );
}

/** Names what differs between two versions of an item. */
function changesBetween(
  before: EntityFields,
  after: EntityFields,
  definitions: readonly PropertyDefinition[],
): MeanwhileChange[] {
  const rows: MeanwhileChange[] = [
    { name: 'Name', from: before.name, to: after.name },
    { name: 'Number', from: before.number || '–', to: after.number || '–' },
    { name: 'State', from: before.state, to: after.state },
    { name: 'Revision', from: before.revision, to: after.revision },
    ...definitions.map(({ key, name, type }) => ({
      name,
      from: valueText(before[field(key)], type),
      to: valueText(after[field(key)], type),
    })),
  ];
  return rows.filter(({ from, to }) => from !== to);
}
