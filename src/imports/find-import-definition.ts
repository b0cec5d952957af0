/** Reads one import definition. */
import { ImportDefinition as ImportMapping } from '../../clients/readers/definition/import-definition.schema.ts';
import { namesUnits, withTitleUnits } from '../../clients/readers/definition/title-units.ts';
import { loadConfiguration } from '../configuration/current/read-configuration.ts';
import { rfc3339 } from '../db/time.ts';
import type { Tx } from '../db/transaction.ts';
import { AppError } from '../errors.ts';
import type { ImportDefinition } from './import-definition.schema.ts';
import { selectDefinition } from './import-definitions.sql.ts';

export interface DefinitionRow {
  name: string;
  mapping: unknown;
  version: number;
  created_at: string;
  updated_at: string;
}

/** Throws `not_found`. */
export async function findImportDefinition(tx: Tx, name: string): Promise<DefinitionRow> {
  const row = await findDefinitionRow(tx, name);
  if (row === null) throw new AppError('not_found', `There is no import definition "${name}".`);
  return row;
}

async function findDefinitionRow(tx: Tx, name: string): Promise<DefinitionRow | null> {
  const [row] = await tx.query<DefinitionRow>(selectDefinition, [tx.workspaceId, name]);
  return row ?? null;
}

/**
 * Returns the mapping that a batch of that profile is read by. Numbers of columns with a unit in their title have this unit. Throws
 * `import_definition_missing`.
 */
export async function requireMapping(tx: Tx, profile: string): Promise<ImportMapping> {
  const row = await findDefinitionRow(tx, profile);
  if (row === null)
    throw new AppError(
      'import_definition_missing',
      `A CSV is read by the import definition that "profile" names: there is none called "${profile}".`,
    );
  const { mapping } = showImportDefinition(row);
  if (!namesUnits(mapping)) return mapping;
  const { properties } = await loadConfiguration(tx);
  return withTitleUnits(mapping, [...properties.values()]).definition;
}

/** With the defaults of today where it was kept before there were as many fields. */
export function showImportDefinition(row: DefinitionRow): ImportDefinition {
  return {
    name: row.name,
    version: row.version,
    mapping: ImportMapping.parse(row.mapping),
    createdAt: rfc3339(row.created_at),
    updatedAt: rfc3339(row.updated_at),
  };
}
