/** Opens the transaction that the route declares, and gives it to the handler. */
import { setActor } from '../../db/acting.ts';
import { inTransaction } from '../../db/transaction.ts';
import type { Wrapper } from './exchange.ts';
import { scopeOf } from './idempotency.ts';

export const openTransaction: Wrapper = (inner, { route }, { ctx }) => {
  if (route.transaction === 'none') return inner;
  return (exchange) => {
    const isGlance = route.transaction === 'glance' || route.isGlance?.(exchange.call?.query) === true;
    const isRead = route.transaction === 'read' && !isGlance;
    return inTransaction(
      ctx.db,
      scopeOf(exchange),
      (tx) => {
        exchange.tx = tx;
        const { caller } = exchange;
        if (caller !== null && 'actor' in caller) setActor(tx, caller.actor.id);
        return inner(exchange);
      },
      { readOnly: isRead, snapshot: isRead, glance: isGlance, gone: exchange.gone },
    );
  };
};
