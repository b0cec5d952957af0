/** The field that adds a condition on a property to the filters of a list. */
import { Button, NativeSelect, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { PropertyDefinition } from '../../client/operations.ts';
import { useAddress } from '../../navigation/address.ts';
import { usePropertyDefinitions } from '../configuration.ts';
import styles from '../entities.module.css';
import { EntityPicker, type PickedEntity } from '../entity-picker.tsx';
import { labelOf } from '../property-label.ts';
import { type Operator, words } from './condition-words.ts';

const ordered: readonly Operator[] = ['eq', 'ne', 'lt', 'le', 'gt', 'ge', 'none'];
const told: readonly Operator[] = ['eq', 'ne', 'none'];
const operators: Readonly<Record<PropertyDefinition['type'], readonly Operator[]>> = {
  text: ['has', 'eq', 'ne', 'in', 'none'],
  numeric: ordered,
  date: ordered,
  boolean: told,
  choice: [...told, 'in'],
  url: ['has', ...told],
  reference: told,
};

export interface ConditionFieldProps {
  /** The key of the property, where it is clear from the place of the field. */
  only?: string;
  onAdded?: () => void;
}

export function ConditionField({ only, onAdded }: ConditionFieldProps) {
  const address = useAddress();
  const definitions = usePropertyDefinitions();
  const [key, setKey] = useState(only ?? '');
  const [operator, setOperator] = useState<Operator | null>(null);
  const [value, setValue] = useState('');
  const [picked, setPicked] = useState<PickedEntity | null>(null);
  const definition = definitions.find((one) => one.key === key) ?? definitions[0];
  if (definition === undefined) return null;
  const known = operators[definition.type];
  const chosen = operator !== null && known.includes(operator) ? operator : (known[0] as Operator);
  const options = choicesOf(definition);
  const refers = definition.type === 'reference';
  const typed = refers
    ? (picked?.id ?? '')
    : value === '' && options !== null && chosen !== 'in'
      ? (options[0] ?? '')
      : value.trim();
  const add = () => {
    const text = `${definition.key}:${chosen}${chosen === 'none' ? '' : `:${typedText(definition, typed)}`}`;
    const others = address.all('where').filter((one) => one !== text);
    address.set({ where: [...others, text] });
    setValue('');
    setPicked(null);
    onAdded?.();
  };
  return (
    <div className={styles.condition}>
      {only === undefined && (
        <NativeSelect
          label="Property"
          value={definition.key}
          data={definitions.map((one) => ({ value: one.key, label: labelOf(one) }))}
          onChange={(event) => {
            setKey(event.currentTarget.value);
            setValue('');
            setPicked(null);
          }}
        />
      )}
      <NativeSelect
        label="Condition"
        value={chosen}
        data={known.map((one) => ({ value: one, label: words[one] }))}
        onChange={(event) => setOperator(event.currentTarget.value as Operator)}
      />
      {chosen !== 'none' && refers && (
        <EntityPicker label="Value" value={picked} onPick={setPicked} isInPanel />
      )}
      {chosen !== 'none' &&
        !refers &&
        (options !== null && chosen !== 'in' ? (
          <NativeSelect
            label="Value"
            value={typed}
            data={options}
            onChange={(event) => setValue(event.currentTarget.value)}
          />
        ) : (
          <TextInput
            label="Value"
            description={
              chosen === 'in'
                ? 'Separated by commas.'
                : definition.type === 'date'
                  ? '2026-11-20, or relative: -30d, today.'
                  : undefined
            }
            value={value}
            onChange={(event) => setValue(event.currentTarget.value)}
            onKeyDown={(event) => event.key === 'Enter' && typed !== '' && add()}
          />
        ))}
      <Button variant="default" disabled={chosen !== 'none' && typed === ''} onClick={add}>
        Add condition
      </Button>
    </div>
  );
}

function choicesOf({ type, choices }: PropertyDefinition): string[] | null {
  if (type === 'boolean') return ['true', 'false'];
  return type === 'choice' ? [...(choices ?? [])] : null;
}

/** A number may be typed with a comma. */
function typedText({ type }: PropertyDefinition, text: string): string {
  return type === 'numeric' ? text.replace(',', '.') : text;
}
