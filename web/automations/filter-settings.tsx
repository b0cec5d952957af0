/** The events for which an automation runs: those of some categories, states and values. */
import { Button, Checkbox, NativeSelect, Textarea, TextInput } from '@mantine/core';
import type { AutomationCondition, AutomationFilter } from '../client/operations.ts';
import { Sheet } from '../components/page-frame.tsx';
import { useCategories, useLifecycles, usePropertyDefinitions } from '../entities/configuration.ts';
import styles from './automations.module.css';

const CONDITIONS_MAX = 10;
const ENTITY_UPDATED = 4;

/** Context types whose events are each of an item. */
export const filteredTypes: ReadonlySet<number> = new Set([1, 3, 4, 6, 7, 9, 11]);

const comparisons: readonly { value: AutomationCondition['is']; label: string }[] = [
  { value: 'equal', label: 'is' },
  { value: 'notEqual', label: 'is not' },
  { value: 'less', label: 'is less than' },
  { value: 'greater', label: 'is greater than' },
  { value: 'containing', label: 'contains' },
  { value: 'set', label: 'has a value' },
  { value: 'notSet', label: 'has no value' },
];

type Draft = Required<AutomationFilter>;
const empty: Draft = { categories: [], states: [], properties: [], where: [], changed: [] };

export interface FilterSettingsProps {
  filter: AutomationFilter | null;
  contextTypeId: number;
  onChange: (filter: AutomationFilter | null) => void;
}

export function FilterSettings({ filter, contextTypeId, onChange }: FilterSettingsProps) {
  const categories = useCategories();
  const lifecycles = useLifecycles();
  const definitions = usePropertyDefinitions();
  const draft: Draft = { ...empty, ...filter };
  const set = (patch: Partial<Draft>) => {
    const next = { ...draft, ...patch };
    const { where, ...others } = next;
    const isEmpty = Object.values(next).every((list) => list.length === 0);
    onChange(isEmpty ? null : where.length === 0 ? others : next);
  };
  const setCondition = (at: number, patch: Partial<AutomationCondition>) =>
    set({ properties: draft.properties.map((one, index) => (index === at ? { ...one, ...patch } : one)) });
  const states = [...new Set(lifecycles.flatMap((one) => one.states.map(({ name }) => name)))];
  const properties = definitions.map(({ key, name }) => ({ value: key, label: name }));
  return (
    <Sheet title="Only for">
      <div className={styles.stack}>
        <Choices
          label="Categories"
          value={draft.categories}
          choices={categories.map(({ key, name }) => ({ value: key, label: name }))}
          onChange={(value) => set({ categories: value })}
        />
        <Choices
          label="States"
          value={draft.states}
          choices={states.map((name) => ({ value: name, label: name }))}
          onChange={(value) => set({ states: value })}
        />
        <Textarea
          label="Conditions on properties"
          description="Write one condition on each line, such as Mass:lt:0.5, Material:in:S235,S355 or name:has:bolt."
          autosize
          minRows={1}
          defaultValue={draft.where.join('\n')}
          onBlur={(event) =>
            set({ where: event.currentTarget.value.split('\n').filter((line) => line.trim() !== '') })
          }
        />
        {contextTypeId === ENTITY_UPDATED && (
          <Choices
            label="Changes of these properties"
            value={draft.changed}
            choices={[{ value: 'name', label: 'Name' }, { value: 'number', label: 'Number' }, ...properties]}
            onChange={(value) => set({ changed: value })}
          />
        )}
        {draft.properties.map((condition, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: conditions have no identity but their place
          <div key={at} className={styles.between}>
            <NativeSelect
              label="Property"
              value={condition.property}
              data={[{ value: 'name', label: 'Name' }, { value: 'number', label: 'Number' }, ...properties]}
              onChange={(event) => setCondition(at, { property: event.currentTarget.value })}
            />
            <NativeSelect
              label="Comparison"
              value={condition.is}
              data={[...comparisons]}
              onChange={(event) => setCondition(at, comparedBy(event.currentTarget.value, condition))}
            />
            {condition.is !== 'set' && condition.is !== 'notSet' && (
              <TextInput
                label="Value"
                value={String(condition.value ?? '')}
                onChange={(event) =>
                  setCondition(at, {
                    value: typedValue(event.currentTarget.value, typeOf(condition.property)),
                  })
                }
              />
            )}
            <Button
              variant="default"
              onClick={() => set({ properties: draft.properties.filter((_, index) => index !== at) })}
            >
              Remove
            </Button>
          </div>
        ))}
        {draft.properties.length < CONDITIONS_MAX && (
          <Button
            variant="default"
            onClick={() =>
              set({ properties: [...draft.properties, { property: 'name', is: 'containing', value: '' }] })
            }
          >
            Add a condition
          </Button>
        )}
      </div>
    </Sheet>
  );

  function typeOf(property: string): string | undefined {
    return definitions.find(({ key }) => key === property)?.type;
  }
}

function comparedBy(is: string, { value }: AutomationCondition): Partial<AutomationCondition> {
  const comparison = is as AutomationCondition['is'];
  if (comparison === 'set' || comparison === 'notSet') return { is: comparison, value: undefined };
  return { is: comparison, value: value ?? '' };
}

/** What was typed, in the type of the property. */
function typedValue(text: string, type: string | undefined): string | number | boolean {
  const number = Number(text.replace(',', '.'));
  if (type === 'numeric' && text.trim() !== '' && Number.isFinite(number)) return number;
  return type === 'boolean' && (text === 'true' || text === 'false') ? text === 'true' : text;
}

interface ChoicesProps {
  label: string;
  value: readonly string[];
  choices: readonly { value: string; label: string }[];
  onChange: (value: string[]) => void;
}

function Choices({ label, value, choices, onChange }: ChoicesProps) {
  return (
    <Checkbox.Group
      label={label}
      description="All count if you choose none."
      value={[...value]}
      onChange={onChange}
    >
      <div className={styles.choices}>
        {choices.map((one) => (
          <Checkbox key={one.value} {...one} />
        ))}
      </div>
    </Checkbox.Group>
  );
}
