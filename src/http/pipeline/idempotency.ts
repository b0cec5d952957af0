/** Answers a request that comes again with its Idempotency-Key as it was answered first (contract §1.10). */
import type { Db } from '../../db/connect.ts';
import type { Scope } from '../../db/transaction.ts';
import { AppError } from '../../errors.ts';
import { Slices } from '../../fairness/slices.ts';
import { firstAnswer } from '../../idempotency/first-answer.ts';
import { claimIdempotencyKey, recordAnswer } from '../../idempotency/idempotency-key.ts';
import { encodeAnswer } from '../answers/send-answer.ts';
import { serialiseAnswer } from '../answers/serialise-answer.ts';
import type { Exchange, Serve, Wrapper } from './exchange.ts';

/** Stands before the transaction, for routes that wait for anything first: what has been answered waits for nothing. */
export const answerAgain: Wrapper = (inner, { route }, { ctx }) => {
  const { before } = route;
  if (before === undefined || route.transaction === 'none') return inner;
  return async (exchange) => {
    const { call } = exchange;
    if (call === null) return inner(exchange);
    const first = await firstAnswer(ctx.db, scopeOf(exchange), call.idempotency);
    if (first !== null) return first;
    await before(call);
    return inner(exchange);
  };
};

/** Stands within the transaction: claims the key, and keeps the answer with its effect. */
export const claimKey: Wrapper = (inner, { route, honoursKey }, { ctx }) => {
  if (!honoursKey) return inner;
  if (route.transaction === 'none')
    return route.idempotent === 'ownForm' ? inner : answerRefused(ctx.db, inner);
  return async (exchange) => {
    const { call, tx } = exchange;
    const idempotency = call?.idempotency ?? null;
    if (idempotency === null || tx === null) return inner(exchange);
    const first = await claimIdempotencyKey(tx, idempotency);
    if (first !== null) return first;
    const answer = await inner(exchange);
    if (answer === null) return answer;
    const written = await serialiseAnswer(answer, new Slices());
    recordAnswer(tx, idempotency, encodeAnswer(written));
    return written;
  };
};

/**
 * A handler without a transaction of the route may refuse before it claims the key, by what has changed since the first answer: then the
 * first answer counts.
 */
function answerRefused(db: Db, inner: Serve): Serve {
  return async (exchange) => {
    try {
      return await inner(exchange);
    } catch (error) {
      const idempotency = exchange.call?.idempotency ?? null;
      if (!(error instanceof AppError) || idempotency?.bodyDigest == null) throw error;
      const first = await firstAnswer(db, scopeOf(exchange), idempotency).catch(() => null);
      if (first === null) throw error;
      return first;
    }
  };
}

export function scopeOf({ caller }: Exchange): Scope {
  return caller === null ? 'instance' : { workspaceId: caller.workspace.id };
}
