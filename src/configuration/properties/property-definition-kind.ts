/** Property definitions as one kind of configuration. */
import type { Tx } from '../../db/transaction.ts';
import type { Kind } from '../kind.ts';
import { PropertyDefinitionRow, type PropertyDetails } from './property-definition.entity.ts';
import type { NewPropertyDefinition, PropertyDefinition } from './property-definition.schema.ts';
import { selectIndexStates } from './value-index.sql.ts';

const noDetails: Required<PropertyDetails> = {
  choices: null,
  unit: null,
  default: null,
  pattern: null,
  requiredFrom: null,
  group: null,
  description: null,
};

export function showPropertyDefinition(row: PropertyDefinitionRow): PropertyDefinition {
  const { key, name, type, details, filterable, searchable } = row;
  const index = !(filterable || searchable) ? 'none' : row.isIndexed === true ? 'ready' : 'filling';
  return { key, name, type, ...noDetails, ...details, filterable, searchable, index };
}

/** The columns of a definition; fields that have their default are not stored. */
export function columnsOf({ key, name, type, filterable, searchable, ...rest }: NewPropertyDefinition) {
  const details: PropertyDetails = Object.fromEntries(
    Object.keys(noDetails).flatMap((field) => {
      const value = rest[field as keyof PropertyDetails];
      return value === null ? [] : [[field, value]];
    }),
  );
  return { key, name, type, filterable, searchable, details };
}

async function find(tx: Tx, keys: readonly string[]): Promise<PropertyDefinitionRow[]> {
  const { em, workspaceId } = tx;
  const rows = await em.find(
    PropertyDefinitionRow,
    { workspaceId, key: { $in: [...keys] } },
    { orderBy: { key: 'asc' } },
  );
  if (!rows.some(({ filterable, searchable }) => filterable || searchable)) return rows;
  const states = await tx.query<{ key: string; is_filled: boolean }>(selectIndexStates, [workspaceId, keys]);
  const filled = new Map(states.map(({ key, is_filled }) => [key, is_filled]));
  for (const row of rows)
    row.isIndexed =
      (!row.filterable || filled.get(row.key) === true) && (!row.searchable || filled.get('') === true);
  return rows;
}

export const propertyDefinitionKind: Kind<PropertyDefinitionRow, PropertyDefinition> = {
  noun: 'property definition',
  subjectType: 'propertyDefinition',
  collection: 'property-definitions',
  table: 'property_definition',
  limit: 'propertyDefinitions',
  long: ['key', 'name', 'details'],
  find,
  show: showPropertyDefinition,
};
