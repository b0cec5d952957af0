/**
 * The configuration of a workspace in the form that writers of entities need: by key, with each category's
 * lifecycle resolved. Maps throughout, because `__proto__` and `constructor` are ordinary keys.
 */
import type { Behaviour, ConsumeMode, UnreleasedChildren } from '../categories/behaviour.ts';
import type { Numbering, Role } from '../categories/category.schema.ts';
import type { LifecycleState, LifecycleTransition } from '../lifecycles/lifecycle.schema.ts';
import type { PropertyType, PropertyValue } from '../properties/property-value.ts';
import type { StockSettings } from '../stock-settings/stock-settings.ts';

export interface LifecycleConfiguration {
  readonly key: string;
  readonly name: string;
  /** The state that new entities and new revisions are in. */
  readonly initialState: string;
  readonly states: readonly LifecycleState[];
  /** Names of the states in which an entity is released. */
  readonly releasedStates: ReadonlySet<string>;
  readonly transitions: readonly LifecycleTransition[];
}

export interface CategoryConfiguration {
  readonly key: string;
  readonly name: string;
  readonly numbering: Numbering;
  readonly role: Role;
  readonly behaviour: Behaviour;
  readonly hiddenFromNew: boolean;
  /** How receipts of manufacturing lines take components by default; null: they take none. */
  readonly consume: ConsumeMode | null;
  /** Says whether a release warns of unreleased children or refuses. */
  readonly unreleasedChildren: UnreleasedChildren;
  readonly lifecycle: LifecycleConfiguration;
  /** Keys of its properties in the order of forms; all if empty. */
  readonly properties: readonly string[];
}

export interface PropertyConfiguration {
  readonly key: string;
  readonly name: string;
  readonly type: PropertyType;
  readonly choices: readonly string[] | null;
  readonly unit: string | null;
  readonly default: PropertyValue | null;
  readonly pattern: string | null;
  /** The state that an entity cannot enter without a value. */
  readonly requiredFrom: string | null;
  /** Whether some entity has ever been given a value of it; it may have been by now (see `markPropertiesUsed`). */
  readonly used: boolean;
}

export interface WorkspaceConfiguration {
  readonly categories: ReadonlyMap<string, CategoryConfiguration>;
  readonly lifecycles: ReadonlyMap<string, LifecycleConfiguration>;
  readonly properties: ReadonlyMap<string, PropertyConfiguration>;
  readonly stock: StockSettings;
  /** GUIDs of merged entities, with the GUID of the entity that each stands for. No alias stands for another alias. */
  readonly aliases: ReadonlyMap<string, string>;
}

/** Returns the category of an entity. It cannot be deleted while there are entities of it: its absence is damage. */
export function categoryOf({ categories }: WorkspaceConfiguration, key: string): CategoryConfiguration {
  const category = categories.get(key);
  if (category === undefined) throw new Error(`An entity is of category "${key}", which does not exist`);
  return category;
}

/** Returns categories and states in which entities are released, side by side. */
export function releasedStates({
  categories,
}: WorkspaceConfiguration): [categories: string[], states: string[]] {
  const pairs = [...categories.values()].flatMap(({ key, lifecycle }) =>
    [...lifecycle.releasedStates].map((state) => [key, state] as const),
  );
  return [pairs.map(([category]) => category), pairs.map(([, state]) => state)];
}
