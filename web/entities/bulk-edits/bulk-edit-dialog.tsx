/** One change of many items: chosen ones, or all that the filter finds. It begins with a dry run, whose page shows the differences. */
import { Button, NativeSelect, Textarea, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ask } from '../../client/ask.ts';
import type { BulkEditChange, NewBulkEdit, PropertyDefinition } from '../../client/operations.ts';
import { Dialog } from '../../components/dialogs/dialog.tsx';
import { fillingText, isFilling } from '../../components/lists/index-filling.ts';
import { useAction } from '../../components/use-action.ts';
import { Link, useGo } from '../../navigation/link.tsx';
import { paths } from '../../navigation/paths.ts';
import { useCategories, useLifecycles, usePropertyDefinitions } from '../configuration.ts';
import { PropertyField, type PropertyValue } from '../property-fields.tsx';
import { labelOf } from '../property-label.ts';
import styles from './bulk-edits.module.css';

interface Part {
  id: number;
  key: string;
  how: 'set' | 'clear' | 'replace';
  value: PropertyValue | undefined;
  find: string;
  by: string;
}

/** As many as the service takes. */
const PARTS_MAX = 20;
const replaceable = ['text', 'choice', 'url'];
const newPart = (id: number): Part => ({ id, key: '', how: 'set', value: undefined, find: '', by: '' });

export interface BulkEditDialogProps {
  filter: NewBulkEdit['filter'];
  /** The items in words, such as "12 items". */
  items: string;
  onClose: () => void;
}

export function BulkEditDialog({ filter, items, onClose }: BulkEditDialogProps) {
  const definitions = usePropertyDefinitions();
  const categories = useCategories().filter(({ behaviour }) => behaviour === 'none');
  const lifecycles = useLifecycles().filter(({ key }) => categories.some((one) => one.lifecycle === key));
  const states = [...new Set(lifecycles.flatMap((one) => one.states.map(({ name }) => name)))];
  const go = useGo();
  const [parts, setParts] = useState<readonly Part[]>([newPart(0)]);
  const [category, setCategory] = useState('');
  const [state, setState] = useState('');
  const [reason, setReason] = useState('');
  const create = useAction('createBulkEdit', {
    changes: ['listBulkEdits'],
    onDone: ({ id }) => go(paths.bulkEdit(id)),
  });
  // The list is asked as the edit will ask it: entities that are chosen by their ids need no index.
  const { ids, ...query } = filter;
  const first = useQuery({
    ...ask('listEntities', { query: { ...query, limit: 1 } }),
    enabled: ids === undefined,
  });
  const { change, fault } = read(parts, definitions, category, state);
  const put = (id: number, patch: Partial<Part>) =>
    setParts(parts.map((one) => (one.id === id ? { ...one, ...patch } : one)));
  return (
    <Dialog
      title="Edit properties"
      submit="Show the differences"
      onClose={onClose}
      busy={create.isPending}
      error={create.error}
      notYet={fault}
      onSubmit={() =>
        create.mutate({
          body: { filter, change, dryRun: true, ...(reason.trim() === '' ? {} : { reason: reason.trim() }) },
        })
      }
    >
      <p>
        {items}. Nothing is written before you have seen the differences.{' '}
        <Link href={paths.bulkEdits()}>Earlier bulk edits</Link>
      </p>
      {first.data !== undefined && isFilling(first.data) && <p role="status">{fillingText('items')}</p>}
      {parts.map((part) => (
        <PartFields
          key={part.id}
          part={part}
          definitions={definitions}
          onChange={(patch) => put(part.id, patch)}
          onRemove={parts.length === 1 ? null : () => setParts(parts.filter(({ id }) => id !== part.id))}
        />
      ))}
      {parts.length < PARTS_MAX && (
        <div>
          <Button
            size="xs"
            variant="default"
            onClick={() => setParts([...parts, newPart(Math.max(...parts.map(({ id }) => id)) + 1)])}
          >
            Another property
          </Button>
        </div>
      )}
      <NativeSelect
        label="Move to state"
        value={state}
        onChange={(event) => setState(event.currentTarget.value)}
        data={[{ value: '', label: 'as it is' }, ...states]}
      />
      <NativeSelect
        label="Move to category"
        description="One with the same role and lifecycle."
        value={category}
        onChange={(event) => setCategory(event.currentTarget.value)}
        data={[
          { value: '', label: 'as it is' },
          ...categories.map(({ key, name }) => ({ value: key, label: name })),
        ]}
      />
      <Textarea
        label="Reason"
        description="The history of each item keeps it."
        autosize
        minRows={2}
        value={reason}
        onChange={(event) => setReason(event.currentTarget.value)}
      />
    </Dialog>
  );
}

interface PartFieldsProps {
  part: Part;
  definitions: readonly PropertyDefinition[];
  onChange: (patch: Partial<Part>) => void;
  onRemove: (() => void) | null;
}

function PartFields({ part, definitions, onChange, onRemove }: PartFieldsProps) {
  const definition = definitions.find(({ key }) => key === part.key);
  return (
    <fieldset className={styles.part}>
      <NativeSelect
        label="Property"
        value={part.key}
        onChange={(event) => onChange({ key: event.currentTarget.value, value: undefined, how: 'set' })}
        data={[
          { value: '', label: '–' },
          ...definitions.map((one) => ({ value: one.key, label: labelOf(one) })),
        ]}
      />
      {definition !== undefined && (
        <NativeSelect
          label="Change"
          value={part.how}
          onChange={(event) => onChange({ how: event.currentTarget.value as Part['how'] })}
          data={[
            { value: 'set', label: 'Set a value' },
            { value: 'clear', label: 'Clear the value' },
            ...(replaceable.includes(definition.type)
              ? [{ value: 'replace', label: 'Replace text in the value' }]
              : []),
          ]}
        />
      )}
      {definition !== undefined && part.how === 'set' && (
        <PropertyField definition={definition} value={part.value} onChange={(value) => onChange({ value })} />
      )}
      {definition !== undefined && part.how === 'replace' && (
        <>
          <TextInput
            label="Text to replace"
            value={part.find}
            onChange={(event) => onChange({ find: event.currentTarget.value })}
          />
          <TextInput
            label="New text"
            value={part.by}
            onChange={(event) => onChange({ by: event.currentTarget.value })}
          />
        </>
      )}
      {onRemove !== null && (
        <div>
          <Button size="xs" variant="subtle" onClick={onRemove}>
            Remove
          </Button>
        </div>
      )}
    </fieldset>
  );
}

/** The change as it is typed, and what is missing from it. */
function read(
  parts: readonly Part[],
  definitions: readonly PropertyDefinition[],
  category: string,
  state: string,
): { change: BulkEditChange; fault: string | null } {
  const named = parts.filter(({ key }) => key !== '');
  const typeOf = (key: string) => definitions.find((one) => one.key === key)?.type;
  const properties = named
    .filter(({ how }) => how !== 'replace')
    .map(({ key, how, value }): [string, PropertyValue | null] => {
      if (how === 'clear' || value === undefined) return [key, null];
      const number = Number(String(value).replace(',', '.'));
      return [key, typeOf(key) === 'numeric' && !Number.isNaN(number) ? number : value];
    });
  const replace = named
    .filter(({ how }) => how === 'replace')
    .map(({ key, find, by }) => [key, { find, with: by }] as const);
  const change = {
    properties: Object.fromEntries(properties),
    replace: Object.fromEntries(replace),
    ...(category === '' ? {} : { category }),
    ...(state === '' ? {} : { state }),
  };
  const isEmpty = named.length === 0 && category === '' && state === '';
  const unset = named.some(({ how, value }) => how === 'set' && value === undefined);
  const unsought = named.some(({ how, find }) => how === 'replace' && find === '');
  const twice = new Set(named.map(({ key }) => key)).size < named.length;
  const fault = isEmpty
    ? 'Choose a property, a state or a category.'
    : unset
      ? 'Enter a value, or choose to clear it.'
      : unsought
        ? 'Enter the text to replace.'
        : twice
          ? 'A property stands there twice.'
          : null;
  return { change, fault };
}
