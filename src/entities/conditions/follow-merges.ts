/** Conditions on references find an entity by each of its names: its id, its GUID, and those of the entities that were merged into it. */
import { propertyTypes } from '../../configuration/properties/property-value.ts';
import type { Tx } from '../../db/transaction.ts';
import { AppError } from '../../errors.ts';
import { selectNamesOfEntities } from './conditions.sql.ts';
import type { Condition } from './read-condition.ts';

const GUID_PREFIX = 'guid:';
/** Maximum number of names in the conditions of a call: with more, the predicate would be slow for each entity. */
const NAMES_MAX = 1000;

/** Returns the conditions, each name replaced by all names of its entity. Throws `invalid_condition`. */
export async function followMerges(tx: Tx, conditions: readonly Condition[]): Promise<readonly Condition[]> {
  const refs = conditions.filter(isOnReferences).flatMap(({ values }) => values.map(String));
  // A text that is no reference is equal to no value.
  const known = refs.filter((ref) => propertyTypes.reference.fits(ref));
  if (known.length === 0) return conditions;
  const guids = known
    .filter((ref) => ref.startsWith(GUID_PREFIX))
    .map((ref) => ref.slice(GUID_PREFIX.length));
  const ids = known.filter((ref) => !ref.startsWith(GUID_PREFIX));
  const rows = await tx.query<{ ref: string; name: string }>(selectNamesOfEntities, [
    tx.workspaceId,
    ids,
    guids,
    NAMES_MAX + 1,
  ]);
  if (rows.length > NAMES_MAX) throw tooManyNames();
  const names = Map.groupBy(rows, ({ ref }) => ref);
  return conditions.map((condition) => {
    if (!isOnReferences(condition)) return condition;
    const values = new Set(
      condition.values.flatMap((value) => [
        value,
        ...(names.get(String(value)) ?? []).map(({ name }) => name),
      ]),
    );
    const { operator } = condition;
    return { ...condition, operator: operator === 'eq' ? 'in' : operator, values: [...values] };
  });
}

function isOnReferences({ property, operator }: Condition): boolean {
  return property.type === 'reference' && ['eq', 'ne', 'in'].includes(operator);
}

function tooManyNames(): AppError {
  const message = `The entities in conditions on references have more than ${NAMES_MAX} names, because so many entities were merged into them. Name fewer of them.`;
  return new AppError('invalid_condition', {
    detail: message,
    errors: [{ pointer: '/where', code: 'too_many_values', message }],
    extensions: { allowed: [] },
  });
}
