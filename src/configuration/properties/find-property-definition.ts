/** Reads one property definition. */
import type { Tx } from '../../db/transaction.ts';
import { AppError } from '../../errors.ts';
import { PropertyDefinitionRow } from './property-definition.entity.ts';

/** Throws `not_found`. */
export async function findPropertyDefinition(tx: Tx, key: string): Promise<PropertyDefinitionRow> {
  const row = await tx.em.findOne(PropertyDefinitionRow, { workspaceId: tx.workspaceId, key });
  if (row === null) throw new AppError('not_found', `There is no property definition "${key}".`);
  return row;
}
