/** Lifecycles as one kind of configuration. */
import type { Kind } from '../kind.ts';
import { LifecycleRow } from './lifecycle.entity.ts';
import type { Lifecycle } from './lifecycle.schema.ts';

/** Members in the order of contract §3.7, whatever order jsonb keeps. */
export function showLifecycle(row: LifecycleRow): Lifecycle {
  return {
    key: row.key,
    name: row.name,
    initialState: row.initialState,
    states: row.states.map(({ name, released, whenInUse }) => ({
      name,
      released,
      ...(whenInUse === undefined ? {} : { whenInUse }),
    })),
    transitions: row.transitions.map(({ id, name, from, to, featureAutomations }) => ({
      id,
      name,
      from,
      to,
      featureAutomations: featureAutomations.map(({ feature, settings }) => ({ feature, settings })),
    })),
  };
}

export const lifecycleKind: Kind<LifecycleRow, Lifecycle> = {
  noun: 'lifecycle',
  subjectType: 'lifecycle',
  collection: 'lifecycles',
  table: 'lifecycle',
  limit: 'lifecycles',
  long: ['key', 'states', 'transitions'],
  find: ({ em, workspaceId }, keys) =>
    em.find(LifecycleRow, { workspaceId, key: { $in: [...keys] } }, { orderBy: { key: 'asc' } }),
  show: showLifecycle,
};
