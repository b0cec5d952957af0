/** Calls the handler of a route: the innermost step, which all others stand around. */
import type { AnyTx } from '../../db/transaction.ts';
import type { Answer } from '../answer.ts';
import type { AnyRoute } from '../route.ts';
import type { AnyCall } from './exchange.ts';

export function handle(route: AnyRoute, call: AnyCall | null, tx: AnyTx | null): Promise<Answer | null> {
  if (call === null) throw new Error('the call has not been read');
  return route.handle(call, tx);
}
