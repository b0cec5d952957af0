/** Which part of the workspace a planning run is about: projects, items, categories and a location. */
import { Button, MultiSelect } from '@mantine/core';
import type { Dispatch, SetStateAction } from 'react';
import type { NewPlanningRun } from '../client/operations.ts';
import { isItem, useCategories } from '../entities/configuration.ts';
import { EntityPicker, type PickedEntity } from '../entities/entity-picker.tsx';
import styles from './planning.module.css';

export interface ChosenScope {
  projects: readonly PickedEntity[];
  items: readonly PickedEntity[];
  categories: string[];
  location: PickedEntity | null;
}

export const emptyScope: ChosenScope = { projects: [], items: [], categories: [], location: null };

const CHOSEN_MAX = 50;

export function ScopeFields({
  value,
  onValue,
}: {
  value: ChosenScope;
  onValue: Dispatch<SetStateAction<ChosenScope>>;
}) {
  const categories = useCategories().filter(isItem);
  const set = (change: Partial<ChosenScope>) => onValue((now) => ({ ...now, ...change }));
  return (
    <fieldset className={styles.demand}>
      <legend>Only</legend>
      <p>
        Actions of items that fit all that is chosen. The needs of all other items are counted all the same.
      </p>
      <EntitiesField
        label="Project"
        description="What its requirements need, and all below"
        plays="project"
        value={value.projects}
        onValue={(projects) => set({ projects })}
      />
      <EntitiesField
        label="Item"
        description="With all that it is made of"
        plays="item"
        value={value.items}
        onValue={(items) => set({ items })}
      />
      <MultiSelect
        label="Categories"
        searchable
        clearable
        value={value.categories}
        data={categories.map(({ key, name }) => ({ value: key, label: name }))}
        onChange={(keys) => set({ categories: keys })}
      />
      <EntityPicker
        label="Location"
        description="Only stock and order lines that are there, or in what lies in it, count"
        plays="location"
        mayBeEmpty
        value={value.location}
        onPick={(location) => set({ location })}
      />
    </fieldset>
  );
}

interface EntitiesFieldProps {
  label: string;
  description: string;
  plays: 'item' | 'project';
  value: readonly PickedEntity[];
  onValue: (value: readonly PickedEntity[]) => void;
}

/** Those that are chosen, each with a button that removes it, and a field that adds another one. */
function EntitiesField({ label, description, plays, value, onValue }: EntitiesFieldProps) {
  const isFull = value.length >= CHOSEN_MAX;
  return (
    <div className={styles.apart}>
      {!isFull && (
        <EntityPicker
          // The field is empty again when an entity has been added.
          key={value.length}
          label={value.length === 0 ? label : `Another ${label.toLowerCase()}`}
          description={description}
          plays={plays}
          mayBeEmpty
          value={null}
          onPick={(one) => {
            if (one !== null && !value.some(({ id }) => id === one.id)) onValue([...value, one]);
          }}
        />
      )}
      {value.length > 0 && (
        <ul className={styles.chosen} aria-label={`${label}s that are planned`}>
          {value.map((one) => (
            <li key={one.id}>
              <span>{nameOf(one)}</span>
              <Button
                variant="subtle"
                size="compact-sm"
                aria-label={`Remove ${nameOf(one)}`}
                onClick={() => onValue(value.filter(({ id }) => id !== one.id))}
              >
                Remove
              </Button>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

function nameOf({ number, name }: PickedEntity): string {
  return `${number ?? ''} ${name}`.trim();
}

/** Says what is missing; null: nothing. */
export function scopeFault({ projects, items, categories, location }: ChosenScope): string | null {
  return projects.length + items.length + categories.length > 0 || location !== null
    ? null
    : 'Choose a project, an item, a category or a location, or plan the whole workspace.';
}

export function scopeBody({
  projects,
  items,
  categories,
  location,
}: ChosenScope): Pick<NewPlanningRun, 'scope'> {
  return {
    scope: {
      ...(projects.length === 0 ? {} : { projects: projects.map(({ id }) => id) }),
      ...(items.length === 0 ? {} : { items: items.map(({ id }) => id) }),
      ...(categories.length === 0 ? {} : { categories }),
      ...(location === null ? {} : { locationEntityId: location.id }),
    },
  };
}
