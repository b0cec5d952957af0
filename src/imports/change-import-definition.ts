/** Makes, replaces and deletes import definitions, under the configuration lock, with an entry in the audit trail each. */
import { isDeepStrictEqual } from 'node:util';
import type { ImportDefinition as ImportMapping } from '../../clients/readers/definition/import-definition.schema.ts';
import type { Actor } from '../actor.ts';
import { recordChange } from '../audit/record-change.ts';
import type { Tx } from '../db/transaction.ts';
import { AppError } from '../errors.ts';
import { type DefinitionRow, showImportDefinition } from './find-import-definition.ts';
import {
  countDefinitions,
  deleteDefinition,
  insertDefinition,
  updateDefinition,
} from './import-definitions.sql.ts';

const MAPPING_CHARS_MAX = 64 * 1024;
const subjectType = 'importDefinition';

/** Throws `key_taken`, `configuration_full`, `payload_too_large`. */
export async function createImportDefinition(
  tx: Tx,
  actor: Actor,
  { name, mapping, definitionsMax }: { name: string; mapping: ImportMapping; definitionsMax: number },
): Promise<DefinitionRow> {
  const text = textOf(mapping);
  const [counted] = await tx.query<{ present: number; taken: boolean }>(countDefinitions, [
    tx.workspaceId,
    name,
  ]);
  if (counted?.taken === true)
    throw new AppError('key_taken', `There is an import definition "${name}" already.`);
  if ((counted?.present ?? 0) >= definitionsMax) {
    throw new AppError('configuration_full', {
      detail: `The workspace has ${definitionsMax} import definitions, which is as many as it can have.`,
      extensions: { limit: definitionsMax },
    });
  }
  const [row] = await tx.query<DefinitionRow>(insertDefinition, [tx.workspaceId, name, text]);
  const after = showImportDefinition(row as DefinitionRow);
  await recordChange(tx, { actor, action: 'create', subjectType, subjectKey: name, before: null, after });
  return row as DefinitionRow;
}

/** Replaces the definition; the same mapping changes nothing. Throws `payload_too_large`. */
export async function replaceImportDefinition(
  tx: Tx,
  actor: Actor,
  row: DefinitionRow,
  mapping: ImportMapping,
): Promise<DefinitionRow> {
  const before = showImportDefinition(row);
  if (isDeepStrictEqual(before.mapping, mapping)) return row;
  const [changed] = await tx.query<DefinitionRow>(updateDefinition, [
    tx.workspaceId,
    row.name,
    textOf(mapping),
  ]);
  const after = showImportDefinition(changed as DefinitionRow);
  await recordChange(tx, { actor, action: 'update', subjectType, subjectKey: row.name, before, after });
  return changed as DefinitionRow;
}

export async function deleteImportDefinition(tx: Tx, actor: Actor, row: DefinitionRow): Promise<void> {
  const before = showImportDefinition(row);
  await tx.query(deleteDefinition, [tx.workspaceId, row.name]);
  await recordChange(tx, { actor, action: 'delete', subjectType, subjectKey: row.name, before, after: null });
}

function textOf(mapping: ImportMapping): string {
  const text = JSON.stringify(mapping);
  if (text.length <= MAPPING_CHARS_MAX) return text;
  throw new AppError('payload_too_large', {
    detail: `An import definition has at most ${MAPPING_CHARS_MAX} characters as JSON.`,
    extensions: { limit: MAPPING_CHARS_MAX },
  });
}
