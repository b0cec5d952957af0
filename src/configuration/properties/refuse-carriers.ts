/** Refusal of changes to a property definition whose values entities carry. */
import type { Tx } from '../../db/transaction.ts';
import { AppError } from '../../errors.ts';
import { selectCarriersOfProperty } from '../usage.sql.ts';
import type { PropertyDefinitionRow } from './property-definition.entity.ts';

const NEWEST_LOOKED_AT = 1000;
const EXAMPLES = 5;

/**
 * Throws `in_use` with a few entities by number. The mark decides; the look at the newest entities is for
 * the examples, and for a writer that forgot to mark.
 */
export async function refuseCarriersOf(tx: Tx, row: PropertyDefinitionRow, what: string): Promise<void> {
  const found = await tx.query<{ label: string }>(selectCarriersOfProperty, [
    tx.workspaceId,
    row.key,
    NEWEST_LOOKED_AT,
    EXAMPLES,
  ]);
  if (found.length === 0 && !row.used) return;
  const examples = found.map(({ label }) => label);
  const such = examples.length === 0 ? '' : ` such as ${examples.join(', ')}`;
  throw new AppError('in_use', {
    detail: `${what}: entities or their earlier revisions${such} carry a value of "${row.key}".`,
    extensions: { usedBy: { entities: { examples } } },
  });
}
