/**
 * The configuration of a workspace in the form that writers of entities need: by key, with each category's
 * lifecycle resolved. Maps throughout, because `__proto__` and `constructor` are ordinary keys.
 */
import type { Tx } from '../db/transaction.ts';
import type { Behaviour, Category, Numbering, Role } from './categories/category.schema.ts';
import type { Lifecycle, LifecycleState, LifecycleTransition } from './lifecycles/lifecycle.schema.ts';
import { selectConfiguration } from './load-configuration.sql.ts';
import type { PropertyType } from './properties/property-definition.schema.ts';

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
  readonly lifecycle: LifecycleConfiguration;
}

export interface PropertyConfiguration {
  readonly key: string;
  readonly name: string;
  readonly type: PropertyType;
  /** Whether some entity has ever been given a value of it (see `markPropertiesUsed`). */
  readonly used: boolean;
}

export interface WorkspaceConfiguration {
  readonly categories: ReadonlyMap<string, CategoryConfiguration>;
  readonly lifecycles: ReadonlyMap<string, LifecycleConfiguration>;
  readonly properties: ReadonlyMap<string, PropertyConfiguration>;
}

interface Row {
  categories: Category[];
  lifecycles: Lifecycle[];
  properties: PropertyConfiguration[];
}

/**
 * One statement. A transaction that writes entities by it calls `holdConfiguration` first, or what it read
 * may be gone when it commits.
 */
export async function loadConfiguration(tx: Tx): Promise<WorkspaceConfiguration> {
  const [row] = await tx.query<Row>(selectConfiguration, [tx.workspaceId]);
  if (row === undefined) throw new Error('The configuration statement gave no row');
  const lifecycles = byKey(row.lifecycles.map(resolveLifecycle));
  return {
    lifecycles,
    categories: byKey(row.categories.map((category) => resolveCategory(category, lifecycles))),
    properties: byKey(row.properties),
  };
}

function resolveLifecycle(lifecycle: Lifecycle): LifecycleConfiguration {
  const released = lifecycle.states.filter((state) => state.released);
  return { ...lifecycle, releasedStates: new Set(released.map((state) => state.name)) };
}

function resolveCategory(
  category: Category,
  lifecycles: ReadonlyMap<string, LifecycleConfiguration>,
): CategoryConfiguration {
  const { key, name, numbering, role, behaviour, hiddenFromNew } = category;
  const lifecycle = lifecycles.get(category.lifecycle);
  // A lifecycle that a category names cannot be deleted, so this is damage, not a race.
  if (lifecycle === undefined) throw new Error(`Category "${key}" names a lifecycle that does not exist`);
  return { key, name, numbering, role, behaviour, hiddenFromNew, lifecycle };
}

function byKey<T extends { readonly key: string }>(rows: readonly T[]): ReadonlyMap<string, T> {
  return new Map(rows.map((row) => [row.key, row]));
}
