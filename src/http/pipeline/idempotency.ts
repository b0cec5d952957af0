/** Answers a request that comes again with its Idempotency-Key as it was answered first (contract §1.10). */
import type { Scope } from '../../db/transaction.ts';
import { Slices } from '../../fairness/slices.ts';
import { firstAnswer } from '../../idempotency/first-answer.ts';
import { claimIdempotencyKey, recordAnswer } from '../../idempotency/idempotency-key.ts';
import { encodeAnswer } from '../answers/send-answer.ts';
import { serialiseAnswer } from '../answers/serialise-answer.ts';
import type { Exchange, Wrapper } from './exchange.ts';

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
export const claimKey: Wrapper = (inner, { route, honoursKey }) => {
  if (!honoursKey || route.transaction === 'none') return inner;
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

export function scopeOf({ caller }: Exchange): Scope {
  return caller === null ? 'instance' : { workspaceId: caller.workspace.id };
}
