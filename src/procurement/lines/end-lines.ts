/** A line ends when nothing of it is open any more, and an order when all of its lines have ended. */
import { configurationForWriting } from '../../configuration/current/configuration-for-writing.ts';
import type { WorkspaceConfiguration } from '../../configuration/current/workspace-configuration.ts';
import type { Tx } from '../../db/transaction.ts';
import type { EntityRef } from '../../entities/resolve-entity.ts';
import { type Mover, transitionEntity } from '../../entities/transition-entity.ts';
import type { LedgerEntry } from '../../stock/entries/ledger-entry.ts';
import { lineRules } from '../../stock/entries/line-rules.ts';
import { settleUnused, type UnusedAction } from '../builds/settle-components.ts';
import { type Attachment, EntityMoves, wayOf } from '../records/entity-moves.ts';
import { closedOrder, isOpenOrder } from '../records/find-order.ts';
import { findLine, lockLine } from '../records/find-procured.ts';
import { finalStates, heldBy, isDoneByLine, isFinal, type Line, lineBehaviours } from '../records/line.ts';
import { type LockedEntity, lockEntities, selectEndedOrders } from '../records/procured-entities.sql.ts';
import { entriesSince, lastEntryOf } from './line-entries.ts';

/** Returns how a line with nothing open ends, by its transition; null if its lifecycle has none. */
export function endOf(
  configuration: WorkspaceConfiguration,
  { category, state: from }: Pick<LockedEntity, 'category' | 'state'>,
  line: Line,
  by: Mover,
): 'plain' | 'eventful' | null {
  const to = lineRules[line.type].fulfilled;
  const way = wayOf(configuration, { category, from, to, by }, (feature) =>
    isDoneByLine(line.type, feature, 'end'),
  );
  if (way === 'none') return null;
  // The transition releases what the line still holds, so it does more than change the state.
  return heldBy(line) > 0n ? 'eventful' : way;
}

/**
 * Closes the orders whose lines have all ended, if their lifecycle has such a transition. The caller has locked their rows.
 * `endings` says for each order who has ended its last line.
 */
export async function endOrders(
  tx: Tx,
  configuration: WorkspaceConfiguration,
  endings: ReadonlyMap<string, Mover>,
  moves: EntityMoves,
): Promise<void> {
  if (endings.size === 0) return;
  const ended = await tx.queryPrepared<LockedEntity>(selectEndedOrders, [
    tx.workspaceId,
    [...endings.keys()].toSorted(),
    [...finalStates],
  ]);
  for (const order of ended) {
    const by = endings.get(order.id);
    if (by === undefined || !isOpenOrder(order)) continue;
    const way = { category: order.category, from: order.state, to: closedOrder, by };
    const kind = wayOf(configuration, way, (feature) => leadsNoLine(configuration, order, feature));
    if (kind !== 'none')
      moves.add(kind, { entity: order, from: order.state, to: closedOrder, note: null, by });
  }
  await moves.write();
}

/** Whether a cascade changes no line of the order: all have ended, and their lifecycles have no transition from there. */
function leadsNoLine(
  { categories }: WorkspaceConfiguration,
  { category }: LockedEntity,
  { feature, settings }: Attachment,
): boolean {
  if (feature !== 'cascadeTransition' || settings.whenNoWay === 'fail') return false;
  const type = categories.get(category)?.behaviour;
  const toState = settings.toState ?? closedOrder;
  return [...categories.values()]
    .filter(({ behaviour }) =>
      Object.entries(lineBehaviours).some(([of, own]) => of === type && own === behaviour),
    )
    .every(({ lifecycle }) => !lifecycle.transitions.some((way) => isFinal(way.from) && way.to === toState));
}

/** Closes the order of a line that has ended, if it was its last open line. */
export async function endOrderOf(tx: Tx, by: Mover, { orderId }: Line): Promise<void> {
  const configuration = await configurationForWriting(tx);
  const [order] = await tx.queryPrepared<LockedEntity>(lockEntities.single, [tx.workspaceId, [orderId]]);
  if (order === undefined || !isOpenOrder(order)) return;
  await endOrders(tx, configuration, new Map([[orderId, by]]), new EntityMoves(tx, [by]));
}

export interface LineEnding {
  line: EntityRef;
  toState: 'Closed' | 'Cancelled';
  note: string | null;
  /** How components are settled that were issued beyond what was built. */
  unused: UnusedAction;
}

/**
 * Closes or cancels a line. Returns the line afterwards, and its entries. Throws `line_not_found`, `transition_not_allowed`, and the
 * refusal of a feature automation.
 */
export async function endLine(
  tx: Tx,
  by: Mover,
  { line: ref, toState, note, unused }: LineEnding,
): Promise<{ line: Line; entries: LedgerEntry[] }> {
  const line = await lockLine(tx, ref);
  const { id } = line;
  await settleUnused(tx, by, line, { action: unused, note });
  const before = await lastEntryOf(tx, id);
  await transitionEntity(tx, by, { entity: id, toState, note });
  return { line: await findLine(tx, id), entries: await entriesSince(tx, id, before) };
}
