/** Warns about a transition of an item or a location that is in use, or refuses it, as the new state says. */
import type { Tx } from '../../db/transaction.ts';
import type { TransitionEffect, Transitioned } from '../../entities/transition-entity.ts';
import { AppError } from '../../errors.ts';
import { selectRole } from '../records/requirements.sql.ts';
import { type Subject, summariseEntity } from './read-demand.ts';

/** Calls that move many entities at once move lines, requirements and orders, which have no stock. */
export const useEffect: TransitionEffect = Object.assign(warnOfUse, { forMany: async () => () => {} });

async function warnOfUse(tx: Tx, { entity, state, warnings }: Transitioned): Promise<void> {
  if (state.whenInUse === undefined) return;
  const [subject] = await tx.query<Subject>(selectRole, [tx.workspaceId, entity.id]);
  if (subject === undefined) return;
  const { stock, orders, demand, stockedItems, orderedItems } = await summariseEntity(tx, subject);
  const usedBy = {
    onHand: stock?.onHand ?? 0,
    stockedItems: stockedItems ?? 0,
    orderedItems: orderedItems ?? 0,
    openLines: (orders?.comingLines ?? 0) + (orders?.goingLines ?? 0),
    // The requirements of a project are its own.
    openRequirements: stock === null ? 0 : (demand?.openRequirements ?? 0),
  };
  const { onHand, openLines, openRequirements } = usedBy;
  const reasons = [
    onHand > 0 && `${onHand} on hand`,
    usedBy.stockedItems > 0 && `stock of ${counted(usedBy.stockedItems, 'item')}`,
    usedBy.orderedItems > 0 && `${counted(usedBy.orderedItems, 'item')} on order to it`,
    openLines > 0 && counted(openLines, 'open order line'),
    openRequirements > 0 && counted(openRequirements, 'open requirement'),
  ].filter((reason) => reason !== false);
  if (reasons.length === 0) return;
  const has = `${entity.number ?? entity.id} has ${reasons.join(', ')}`;
  if (state.whenInUse === 'refuse') {
    throw new AppError('in_use', {
      detail: `${has}, and state "${state.name}" takes only what is not in use.`,
      extensions: { usedBy },
    });
  }
  warnings.push({ code: 'in_use', message: `${has}.`, usedBy });
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
