/** What a what-if run supposes: further demand, other revisions of items, other dates of order lines and requirements. */
import { Button, NativeSelect, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { Dispatch, ReactNode, SetStateAction } from 'react';
import { ask } from '../client/ask.ts';
import type { NewPlanningRun } from '../client/operations.ts';
import { readQuantity } from '../components/forms/exact-quantity.ts';
import { QuantityInput } from '../components/forms/quantity-input.tsx';
import { dayText, quantityText } from '../components/words.tsx';
import { EntityPicker, type PickedEntity } from '../entities/entity-picker.tsx';
import { useListFocus } from './list-focus.ts';
import styles from './planning.module.css';

type Kind = 'demand' | 'revision' | 'date';

/** A supposition; each kind uses some of the fields. */
export interface Supposed {
  key: string;
  kind: Kind;
  item: PickedEntity | null;
  quantity: string;
  /** Number of the revision. */
  revision: string;
  /** The order line or requirement. */
  record: string;
  day: string;
}

const SUPPOSED_MAX = 20;
const CHOICES_MAX = 200;

const kinds: Readonly<Record<Kind, { legend: string; button: string }>> = {
  demand: { legend: 'Further demand', button: 'What if there were more demand?' },
  revision: { legend: 'Other revision', button: 'What if another revision were made?' },
  date: { legend: 'Other date', button: 'What if a date were another?' },
};
const kindNames = Object.keys(kinds) as Kind[];

interface WhatIfProps {
  value: readonly Supposed[];
  onValue: Dispatch<SetStateAction<readonly Supposed[]>>;
}

export function WhatIfFields({ value, onValue }: WhatIfProps) {
  const add = (kind: Kind) =>
    onValue([
      ...value,
      {
        key: crypto.randomUUID(),
        kind,
        item: null,
        quantity: '',
        revision: '',
        record: '',
        day: '',
      },
    ]);
  const box = useListFocus(value.length);
  return (
    <div className={styles.apart} ref={box}>
      {value.map((one) => (
        <fieldset key={one.key} className={styles.demand}>
          <legend>{headOf(value, one)}</legend>
          <EntityPicker
            label="Item"
            plays="item"
            value={one.item}
            onPick={(item) => change(one, { item, revision: '', record: '' })}
          />
          <div className={styles.three}>
            <FieldsOf one={one} set={(patch) => change(one, patch)} />
            <Button
              variant="subtle"
              onClick={() => onValue(value.filter((other) => other !== one))}
              className={styles.remove}
            >
              Remove
            </Button>
          </div>
        </fieldset>
      ))}
      {value.length > 0 && <p>A what-if run shows what it would take, and cannot be committed.</p>}
      {value.length < SUPPOSED_MAX && (
        <div className={styles.staleButtons}>
          {kindNames.map((kind) => (
            <Button key={kind} variant="default" onClick={() => add(kind)}>
              {kinds[kind].button}
            </Button>
          ))}
        </div>
      )}
    </div>
  );

  /** An item is found after a while: what was typed meanwhile stays. */
  function change({ key }: Supposed, patch: Partial<Supposed>) {
    onValue((now) => now.map((other) => (other.key === key ? { ...other, ...patch } : other)));
  }
}

function FieldsOf({ one, set }: { one: Supposed; set: (patch: Partial<Supposed>) => void }): ReactNode {
  if (one.kind === 'revision') return <RevisionField one={one} set={set} />;
  const day = (
    <TextInput
      label={one.kind === 'date' ? 'New date' : 'Required by'}
      type="date"
      value={one.day}
      onChange={(event) => set({ day: event.currentTarget.value })}
    />
  );
  return one.kind === 'demand' ? (
    <>
      <QuantityInput label="Quantity" value={one.quantity} onValue={(quantity) => set({ quantity })} />
      {day}
    </>
  ) : (
    <>
      <RecordField one={one} set={set} />
      {day}
    </>
  );
}

interface FieldProps {
  one: Supposed;
  set: (patch: Partial<Supposed>) => void;
}

function RevisionField({ one: { item, revision }, set }: FieldProps) {
  const found = useQuery({
    ...ask('listRevisions', { id: item?.id ?? '', query: { limit: CHOICES_MAX } }),
    enabled: item !== null,
  });
  const choices = (found.data?.items ?? []).map((one) => ({
    value: String(one.revisionNumber),
    label: `${one.revision} (${one.state})`,
  }));
  return (
    <NativeSelect
      label="Revision"
      description="Its structure is planned"
      disabled={item === null}
      error={found.isError ? 'The revisions could not be read.' : undefined}
      data={[{ value: '', label: item === null ? 'Choose the item first' : 'Choose' }, ...choices]}
      value={revision}
      onChange={(event) => set({ revision: event.currentTarget.value })}
    />
  );
}

function RecordField({ one: { item, record }, set }: FieldProps) {
  const query = { itemEntityId: item?.id ?? '', limit: CHOICES_MAX };
  const enabled = item !== null;
  const lines = useQuery({ ...ask('listStockLines', { query: { ...query, open: 'true' } }), enabled });
  const requirements = useQuery({
    ...ask('listRequirements', { query: { ...query, status: 'open' } }),
    enabled,
  });
  const isRead = lines.data !== undefined && requirements.data !== undefined;
  const choices = [
    ...(lines.data?.items ?? []).map(({ id, number, openQty, requiredBy }) => ({
      value: id,
      label: `${number ?? 'Line'}: ${quantityText(openQty)}${dateOf(requiredBy)}`,
    })),
    ...(requirements.data?.items ?? []).map(({ id, number, requiredQty, requiredBy }) => ({
      value: id,
      label: `Requirement ${number ?? ''}: ${quantityText(requiredQty)}${dateOf(requiredBy)}`,
    })),
  ];
  const none = item === null ? 'Choose the item first' : 'Choose';
  return (
    <NativeSelect
      label="Order line or requirement"
      disabled={item === null}
      error={
        lines.isError || requirements.isError
          ? 'The lines and requirements could not be read.'
          : isRead && choices.length === 0
            ? 'The item has no open line and no open requirement.'
            : undefined
      }
      data={[{ value: '', label: none }, ...choices]}
      value={record}
      onChange={(event) => set({ record: event.currentTarget.value })}
    />
  );
}

function dateOf(requiredBy: string | null): string {
  return requiredBy === null ? ', without a date' : `, ${dayText(requiredBy)}`;
}

/** Names one by its kind and its place among those of its kind. */
function headOf(value: readonly Supposed[], one: Supposed): string {
  const place = value.filter(({ kind }) => kind === one.kind).indexOf(one) + 1;
  return `${kinds[one.kind].legend} ${place}`;
}

/** Says what is missing first; null: nothing. */
export function whatIfFault(value: readonly Supposed[]): string | null {
  for (const one of value) {
    const missing = missingIn(one);
    if (missing !== null) return `${headOf(value, one)}: ${missing}`;
  }
  const revised = value.filter(({ kind }) => kind === 'revision').map(({ item }) => item?.id);
  if (new Set(revised).size < revised.length) return 'An item can have one other revision.';
  const dated = value.filter(({ kind }) => kind === 'date').map(({ record }) => record);
  if (new Set(dated).size < dated.length) return 'An order line or a requirement can have one other date.';
  return null;
}

function missingIn({ kind, item, quantity, revision, record, day }: Supposed): string | null {
  if (item === null) return 'choose the item.';
  if (kind === 'demand' && !((readQuantity(quantity) ?? 0) > 0)) return 'enter a quantity above 0.';
  if (kind === 'revision') return revision === '' ? 'choose the revision.' : null;
  if (kind === 'date' && record === '') return 'choose the order line or the requirement.';
  return day === '' ? 'enter the day.' : null;
}

/** Nothing where nothing is supposed. */
export function whatIfBody(value: readonly Supposed[]): Pick<NewPlanningRun, 'whatIf'> {
  if (value.length === 0) return {};
  const of = (kind: Kind) => value.filter((one) => one.kind === kind);
  const demand = of('demand').map(({ item, quantity, day }) => ({
    itemEntityId: item?.id ?? '',
    quantity: readQuantity(quantity) ?? 0,
    requiredBy: day,
  }));
  const revisions = of('revision').map(({ item, revision }) => ({
    itemEntityId: item?.id ?? '',
    revision: Number(revision),
  }));
  const dates = of('date').map(({ record, day }) => ({ id: record, requiredBy: day }));
  return {
    whatIf: {
      ...(demand.length === 0 ? {} : { demand }),
      ...(revisions.length === 0 ? {} : { revisions }),
      ...(dates.length === 0 ? {} : { dates }),
    },
  };
}
