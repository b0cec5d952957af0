/** A lifecycle as the API shows it: members in the order of contract §3.7, whatever order jsonb keeps. */
import type { LifecycleRow } from './lifecycle.entity.ts';
import type { Lifecycle } from './lifecycle.schema.ts';

export function showLifecycle(row: LifecycleRow): Lifecycle {
  return {
    key: row.key,
    name: row.name,
    initialState: row.initialState,
    states: row.states.map(({ name, released }) => ({ name, released })),
    transitions: row.transitions.map(({ id, name, from, to, featureAutomations }) => ({
      id,
      name,
      from,
      to,
      featureAutomations: featureAutomations.map(({ feature, settings }) => ({ feature, settings })),
    })),
  };
}
