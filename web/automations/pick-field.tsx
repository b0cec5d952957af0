/** A setting that names something: chosen from a list, or proposed while typing. A text such as `{parameters.place}` can be typed, too. */
import { NativeSelect, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import { ask, askAll } from '../client/ask.ts';
import type { PickProps } from '../components/forms/form-fields.tsx';
import { useLifecycles, usePropertyDefinitions } from '../entities/configuration.ts';

const FOUND_MAX = 20;
const roles = { item: 'item', location: 'location', project: 'project' } as const;

export function PickField({ picks, ...field }: PickProps) {
  if (picks === 'state') return <StateField {...field} />;
  if (picks === 'property') return <PropertyField {...field} />;
  if (picks === 'supplier') return <SupplierName {...field} />;
  return <EntityField role={roles[picks as keyof typeof roles]} {...field} />;
}

type Field = Omit<PickProps, 'picks'>;

function StateField(field: Field) {
  const lifecycles = useLifecycles();
  const names = [...new Set(lifecycles.flatMap(({ states }) => states.map(({ name }) => name)))];
  return <Choice {...field} choices={names.map((name) => ({ value: name, label: name }))} />;
}

function PropertyField(field: Field) {
  const definitions = usePropertyDefinitions();
  return <Choice {...field} choices={definitions.map(({ key, name }) => ({ value: key, label: name }))} />;
}

/** A value that is not among the choices stays. */
function Choice({
  value,
  choices,
  maxLength: _,
  onValue,
  ...field
}: Field & { choices: { value: string; label: string }[] }) {
  const known = value === '' || choices.some((one) => one.value === value);
  const data = [{ value: '', label: '–' }, ...choices, ...(known ? [] : [{ value, label: value }])];
  return (
    <NativeSelect
      {...field}
      value={value}
      data={data}
      onChange={(event) => onValue(event.currentTarget.value)}
    />
  );
}

function SupplierName({ onValue, ...field }: Field) {
  const names = useId();
  const suppliers = useQuery(askAll('listSuppliers', {})).data ?? [];
  return (
    <div>
      <TextInput
        {...field}
        list={names}
        autoComplete="off"
        onChange={(event) => onValue(event.currentTarget.value)}
      />
      <datalist id={names}>
        {suppliers.map(({ name }) => (
          <option key={name} value={name} />
        ))}
      </datalist>
    </div>
  );
}

/** Proposes entities by number and name; those without a number go by their id. */
function EntityField({
  role,
  onValue,
  ...field
}: Field & { role: (typeof roles)[keyof typeof roles] | undefined }) {
  const options = useId();
  const words = field.value.trim();
  const found = useQuery({
    ...ask('listEntities', {
      query: {
        limit: FOUND_MAX,
        ...(words === '' ? {} : { q: words, sort: 'best' as const }),
        ...(role === undefined ? {} : { role }),
      },
    }),
    placeholderData: (before) => before,
  });
  return (
    <div>
      <TextInput
        {...field}
        list={options}
        autoComplete="off"
        onChange={(event) => onValue(event.currentTarget.value)}
      />
      <datalist id={options}>
        {(found.data?.items ?? []).map(({ id, number, name }) => (
          <option key={id} value={number ?? id}>
            {name}
          </option>
        ))}
      </datalist>
    </div>
  );
}
