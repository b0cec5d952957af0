/** Takes an order that is to have one line more. */
import type { WorkspaceConfiguration } from '../configuration/load-configuration.ts';
import type { Tx } from '../db/transaction.ts';
import type { EntityRow } from '../entities/entity.entity.ts';
import { lockEntityRow } from '../entities/lock-entity-row.ts';
import { type EntityRef, resolveEntityIds } from '../entities/resolve-entity.ts';
import { AppError } from '../errors.ts';
import type { LineType } from './line.ts';

const closedStates: ReadonlySet<string> = new Set(['Closed', 'Cancelled']);

/** So that it is not closed meanwhile. Throws `order_not_found`, `order_not_open`. */
export async function lockOrder(
  tx: Tx,
  configuration: WorkspaceConfiguration,
  type: LineType,
  ref: EntityRef,
): Promise<EntityRow> {
  const id = (await resolveEntityIds(tx, [ref])).get(ref);
  const row = id === undefined ? null : await lockEntityRow(tx, id);
  if (row === null || configuration.categories.get(row.category)?.behaviour !== type) {
    throw new AppError('order_not_found', `There is no order ${ref} of type ${type}.`);
  }
  if (closedStates.has(row.state)) {
    throw new AppError('order_not_open', {
      detail: `Order ${row.number ?? row.id} is in state "${row.state}" and takes no more lines.`,
      extensions: { state: row.state },
    });
  }
  return row;
}
