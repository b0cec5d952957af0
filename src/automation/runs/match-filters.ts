/** Decides which events fit the filters of automations, before any script is run. */
import type { Tx } from '../../db/transaction.ts';
import { compileConditions } from '../../entities/conditions/compile-conditions.ts';
import { idsMeeting } from '../../entities/conditions/meeting.ts';
import { AppError } from '../../errors.ts';
import { contextTypes } from '../../events/record-events.ts';
import type { Condition, Filter } from '../filter.schema.ts';
import { selectSubjects } from './run.sql.ts';

export type Context = Record<string, unknown>;

/** Events and property values that are read together. */
const EVENTS_MAX = 256;
const VALUES_MAX = 2048;

interface Row {
  ref: string;
  id: string;
  category: string;
  state: string;
  number: string | null;
  name: string;
  properties: Record<string, unknown>;
}

interface Subject extends Row {
  /** Holds the joined conditions of the filters that the entity meets. */
  meets: Set<string>;
}

/** The entities of some events, by the reference in their contexts. */
export type Subjects = ReadonlyMap<string, Subject>;

/** The filters of the automations that listen to the same events. */
export class EventFilters {
  readonly #keys: readonly string[];
  readonly #looks: boolean;
  readonly #wheres: readonly (readonly string[])[];

  constructor(filters: readonly (Filter | null)[]) {
    const some = filters.filter((filter) => filter !== null);
    this.#keys = [...new Set(some.flatMap((one) => one.properties.map(({ property }) => property)))];
    this.#looks = some.some(looksAtEntity);
    this.#wheres = some.flatMap(({ where }) => (where === undefined ? [] : [where]));
  }

  /** How many events are looked at together: a property may have thousands of characters. */
  get together(): number {
    return Math.max(1, Math.min(EVENTS_MAX, Math.floor(VALUES_MAX / Math.max(1, this.#keys.length))));
  }

  /** Reads the entities of these events in one statement; none where no filter looks at one. */
  async read(tx: Tx, contexts: readonly Context[]): Promise<Subjects> {
    if (!this.#looks) return new Map();
    const refs = new Set(
      contexts.flatMap(({ entityId }) => (typeof entityId === 'string' ? [entityId] : [])),
    );
    const rows = await tx.query<Row>(selectSubjects, [tx.workspaceId, [...refs], this.#keys]);
    const subjects = rows.map((row): Subject => ({ ...row, meets: new Set() }));
    for (const where of this.#wheres) {
      const ids = await idsMeetingWhere(tx, rows, where);
      for (const subject of subjects) if (ids.has(subject.id)) subject.meets.add(where.join('\n'));
    }
    return new Map(subjects.map((subject) => [subject.ref, subject]));
  }
}

function looksAtEntity({ categories, states, properties, where = [] }: Filter): boolean {
  return categories.length + states.length + properties.length + where.length > 0;
}

export function fits(
  filter: Filter | null,
  contextType: number,
  context: Context,
  subjects: Subjects,
): boolean {
  if (filter === null) return true;
  const { categories, states, properties, where, changed } = filter;
  if (changed.length > 0 && !hasChanged(context, changed)) return false;
  if (!looksAtEntity(filter)) return true;
  const subject = typeof context.entityId === 'string' ? subjects.get(context.entityId) : undefined;
  if (subject === undefined) return false;
  const state = contextType === contextTypes.lifecycleTransition ? context.toState : subject.state;
  return (
    (categories.length === 0 || categories.includes(subject.category)) &&
    (states.length === 0 || states.includes(String(state))) &&
    (where === undefined || subject.meets.has(where.join('\n'))) &&
    properties.every((condition) => holds(condition, valueIn(subject, condition.property)))
  );
}

/** A definition that has gone since leaves a condition that nothing meets. */
async function idsMeetingWhere(
  tx: Tx,
  rows: readonly Row[],
  where: readonly string[],
): Promise<ReadonlySet<string>> {
  try {
    return await idsMeeting(
      tx,
      rows.map(({ id }) => id),
      await compileConditions(tx, where),
    );
  } catch (error) {
    if (error instanceof AppError && error.code === 'invalid_condition') return new Set();
    throw error;
  }
}

function hasChanged({ changes }: Context, keys: readonly string[]): boolean {
  return (
    Array.isArray(changes) && changes.some(({ property }: { property: string }) => keys.includes(property))
  );
}

function valueIn(subject: Subject, property: string): unknown {
  if (property === 'name' || property === 'number') return subject[property];
  return Object.hasOwn(subject.properties, property) ? subject.properties[property] : null;
}

/** A property without a value fits `notSet` and `notEqual` alone. */
function holds({ is, value }: Condition, actual: unknown): boolean {
  const isSet = actual !== null && actual !== undefined && actual !== '';
  switch (is) {
    case 'set':
      return isSet;
    case 'notSet':
      return !isSet;
    case 'equal':
      return actual === value;
    case 'notEqual':
      return actual !== value;
    case 'containing':
      return typeof actual === 'string' && typeof value === 'string' && actual.includes(value);
    default: {
      // Numbers with numbers, and texts with texts: days are texts in their order.
      if (value === undefined || !isSet || typeof actual !== typeof value) return false;
      const less = (actual as string) < (value as string);
      return is === 'less' ? less : !less && actual !== value;
    }
  }
}
