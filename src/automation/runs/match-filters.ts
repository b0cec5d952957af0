/** Decides which events fit the filters of automations, before any script is run. */

import { loadConfiguration } from '../../configuration/current/read-configuration.ts';
import type { Tx } from '../../db/transaction.ts';
import { predicateOf } from '../../entities/conditions/compile-conditions.ts';
import { idsMeeting } from '../../entities/conditions/meeting.ts';
import { type Condition, readConditions } from '../../entities/conditions/read-condition.ts';
import { AppError } from '../../errors.ts';
import { contextTypes } from '../../events/record-events.ts';
import type { Filter, Condition as FilterCondition } from '../filter.schema.ts';
import { selectSubjects } from './run.sql.ts';

export type Context = Record<string, unknown>;

/** Number of events in one portion. */
const EVENTS_MAX = 256;

interface Row {
  ref: string;
  id: string;
  category: string;
  state: string;
}

interface Subject extends Row {
  /** The filters whose conditions the entity meets. */
  meets: Set<Filter>;
}

/** The entities of some events, by the reference in their contexts. */
export type Subjects = ReadonlyMap<string, Subject>;

/** The filters of the automations that listen to the same events. */
export class EventFilters {
  readonly #looks: boolean;
  readonly #conditional: readonly Filter[];
  readonly together = EVENTS_MAX;

  constructor(filters: readonly (Filter | null)[]) {
    const some = filters.filter((filter) => filter !== null);
    this.#looks = some.some(looksAtEntity);
    this.#conditional = some.filter(hasConditions);
  }

  /** Reads the entities of these events in one statement; none where no filter looks at one. */
  async read(tx: Tx, contexts: readonly Context[]): Promise<Subjects> {
    if (!this.#looks) return new Map();
    const refs = new Set(
      contexts.flatMap(({ entityId }) => (typeof entityId === 'string' ? [entityId] : [])),
    );
    const rows = await tx.query<Row>(selectSubjects, [tx.workspaceId, [...refs]]);
    const subjects = rows.map((row): Subject => ({ ...row, meets: new Set() }));
    for (const filter of this.#conditional) {
      const ids = await idsFitting(tx, rows, filter);
      for (const subject of subjects) if (ids.has(subject.id)) subject.meets.add(filter);
    }
    return new Map(subjects.map((subject) => [subject.ref, subject]));
  }
}

function hasConditions({ properties, where = [] }: Filter): boolean {
  return properties.length + where.length > 0;
}

function looksAtEntity(filter: Filter): boolean {
  return filter.categories.length + filter.states.length > 0 || hasConditions(filter);
}

export function fits(
  filter: Filter | null,
  contextType: number,
  context: Context,
  subjects: Subjects,
): boolean {
  if (filter === null) return true;
  const { categories, states, changed } = filter;
  if (changed.length > 0 && !hasChanged(context, changed)) return false;
  if (!looksAtEntity(filter)) return true;
  const subject = typeof context.entityId === 'string' ? subjects.get(context.entityId) : undefined;
  if (subject === undefined) return false;
  const state = contextType === contextTypes.lifecycleTransition ? context.toState : subject.state;
  return (
    (categories.length === 0 || categories.includes(subject.category)) &&
    (states.length === 0 || states.includes(String(state))) &&
    (!hasConditions(filter) || subject.meets.has(filter))
  );
}

/** A definition that was deleted since then leaves a condition that nothing meets. */
async function idsFitting(
  tx: Tx,
  rows: readonly Row[],
  { properties, where = [] }: Filter,
): Promise<ReadonlySet<string>> {
  try {
    const written = where.length === 0 ? [] : readConditions(where, await loadConfiguration(tx), new Date());
    return await idsMeeting(
      tx,
      rows.map(({ id }) => id),
      await predicateOf(tx, [...written, ...properties.map(translated)]),
    );
  } catch (error) {
    if (error instanceof AppError && error.code === 'invalid_condition') return new Set();
    throw error;
  }
}

const operators = {
  equal: 'eq',
  notEqual: 'ne',
  less: 'lt',
  greater: 'gt',
  containing: 'containing',
  set: 'has',
  notSet: 'none',
} as const satisfies Record<FilterCondition['is'], Condition['operator']>;

/** Translates a condition of `properties`: its value keeps its type, whatever the type of the property is. */
function translated({ property: key, is, value }: FilterCondition): Condition {
  const isOwn = key === 'name' || key === 'number';
  return {
    property: { key, type: 'text', isOwn },
    operator: operators[is],
    values: value === undefined ? [] : [value],
  };
}

function hasChanged({ changes }: Context, keys: readonly string[]): boolean {
  return (
    Array.isArray(changes) && changes.some(({ property }: { property: string }) => keys.includes(property))
  );
}
