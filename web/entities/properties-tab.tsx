/** Name, number and properties of an entity, read and changed. */
import { Button, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import type { Entity, EntityPatch, PropertyDefinition } from '../client/operations.ts';
import { Refusal } from '../client/request.ts';
import { useMay } from '../client/session.ts';
import { ActButton } from '../components/act-button.tsx';
import { Asked } from '../components/asked.tsx';
import { twofoldFault } from '../components/exact-quantity.ts';
import { Icon } from '../components/icons.tsx';
import { EmptyState, Facts, Sheet } from '../components/page-frame.tsx';
import { ProblemPanel } from '../components/problem-panel.tsx';
import { useAction } from '../components/use-action.ts';
import { Moment } from '../components/words.tsx';
import { useUnsaved } from '../navigation/unsaved.ts';
import { ChangedMeanwhile, type MeanwhileChange } from './changed-meanwhile.tsx';
import { useAskedPropertyDefinitions } from './configuration.ts';
import styles from './entities.module.css';
import { PropertyField, type PropertyValue, valueText } from './property-fields.tsx';
import { useEntity } from './use-entity.ts';

const NOT_KNOWN = 'Which properties there are could not be looked up.';

export function PropertiesTab() {
  const { entity } = useEntity();
  const mayWrite = useMay('write');
  const known = useAskedPropertyDefinitions();
  const definitions = known.data ?? [];
  const [editing, setEditing] = useState(false);
  if (editing) return <PropertiesForm definitions={definitions} onClose={() => setEditing(false)} />;
  const set = definitions.filter(({ key }) => entity.properties[key] !== undefined);
  return (
    <>
      <Sheet
        title="Properties"
        actions={
          mayWrite && (
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
          <Facts facts={set.map(({ key, name, type }) => [name, valueText(entity.properties[key], type)])} />
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

const SEARCH_FROM = 12;

function PropertiesForm({
  definitions,
  onClose,
}: {
  definitions: readonly PropertyDefinition[];
  onClose: () => void;
}) {
  const latest = useEntity();
  // What was shown when the typing began: whoever changed it since is not overwritten unseen.
  const [{ entity, tag: begunAt }, setBegun] = useState(latest);
  const [name, setName] = useState(entity.name);
  const [number, setNumber] = useState(entity.number ?? '');
  const [values, setValues] = useState<Record<string, PropertyValue | undefined>>(entity.properties);
  const [find, setFind] = useState('');
  const [wrong, setWrong] = useState<unknown>(null);
  const save = useAction('updateEntity', {
    changes: ['getEntity', 'listEntities', 'listRevisions', 'getRevision', 'compareRevisions'],
    headers: (): Record<string, string> => (begunAt === null ? {} : { 'If-Match': begunAt }),
    done: (saved) =>
      saved.revisionNumber > entity.revisionNumber ? `Saved as revision ${saved.revision}.` : 'Saved.',
    onDone: onClose,
  });
  useUnsaved(name !== entity.name || number !== (entity.number ?? '') || values !== entity.properties);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    try {
      setWrong(null);
      const properties = changesOf(definitions, entity.properties, values);
      const body: EntityPatch = {
        ...(name.trim() === entity.name ? {} : { name: name.trim() }),
        ...(entity.number === null && number.trim() !== '' ? { number: number.trim() } : {}),
        ...(Object.keys(properties).length === 0 ? {} : { properties }),
      };
      if (Object.keys(body).length === 0) onClose();
      else save.mutate({ id: entity.id, body });
    } catch (error) {
      setWrong(error);
    }
  };
  const stale = save.error instanceof Refusal && save.error.status === 412;
  const keepMine = () => {
    setBegun(latest);
    setName((typed) => (typed === entity.name ? latest.entity.name : typed));
    setValues((typed) => rebased(entity.properties, typed, latest.entity.properties));
    save.reset();
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
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
          />
          <TextInput
            label="Number"
            value={number}
            disabled={entity.number !== null}
            description={entity.number === null ? undefined : 'A number stays once it is given.'}
            onChange={(event) => setNumber(event.currentTarget.value)}
          />
        </div>
        {definitions.length > SEARCH_FROM && (
          <TextInput
            label="Find a property"
            value={find}
            onChange={(event) => setFind(event.currentTarget.value)}
          />
        )}
        <div className={styles.fields}>
          {shown.map((definition) => (
            <PropertyField
              key={definition.key}
              definition={definition}
              value={values[definition.key]}
              onChange={(value) => setValues((before) => ({ ...before, [definition.key]: value }))}
            />
          ))}
        </div>
        {wrong !== null && <ProblemPanel error={wrong} />}
        {stale ? (
          <ChangedMeanwhile
            changes={changesBetween(entity, latest.entity, definitions)}
            onKeep={latest.tag === begunAt ? null : keepMine}
          />
        ) : (
          save.error !== null && <ProblemPanel error={save.error} />
        )}
        <div className={styles.buttons}>
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <ActButton
            type="submit"
            loading={save.isPending}
            notYet={name.trim() === '' ? 'It needs a name.' : null}
          >
            Save
          </ActButton>
        </div>
      </form>
    </Sheet>
  );
}

/** What differs, typed; null takes a value away. */
function changesOf(
  definitions: readonly PropertyDefinition[],
  before: Record<string, PropertyValue>,
  after: Record<string, PropertyValue | undefined>,
): Record<string, PropertyValue | null> {
  return Object.fromEntries(
    definitions.flatMap(({ key, name, type }): [string, PropertyValue | null][] => {
      const typed = after[key];
      if (typed === before[key]) return [];
      if (typed === undefined) return [[key, null]];
      if (type !== 'numeric') return [[key, typed]];
      const twofold = twofoldFault(String(typed));
      if (twofold !== null) throw new Error(`${name}: ${twofold}`);
      const number = Number(String(typed).replace(',', '.'));
      if (!Number.isFinite(number)) throw new Error(`${name}: “${typed}” is not a number.`);
      return number === before[key] ? [] : [[key, number]];
    }),
  );
}

/** What somebody else changed between two states of an entity, as this form names it. */
function changesBetween(
  before: Entity,
  after: Entity,
  definitions: readonly PropertyDefinition[],
): MeanwhileChange[] {
  const rows: MeanwhileChange[] = [
    { name: 'Name', from: before.name, to: after.name },
    { name: 'State', from: before.state, to: after.state },
    { name: 'Revision', from: before.revision, to: after.revision },
    ...definitions.map(({ key, name, type }) => ({
      name,
      from: valueText(before.properties[key], type),
      to: valueText(after.properties[key], type),
    })),
  ];
  return rows.filter(({ from, to }) => from !== to);
}

/** What was typed stays; a value that was not touched is the latest. */
function rebased(
  before: Record<string, PropertyValue>,
  typed: Record<string, PropertyValue | undefined>,
  latest: Record<string, PropertyValue>,
): Record<string, PropertyValue | undefined> {
  const keys = new Set([...Object.keys(before), ...Object.keys(typed), ...Object.keys(latest)]);
  return Object.fromEntries(
    [...keys].map((key) => [key, typed[key] === before[key] ? latest[key] : typed[key]]),
  );
}
