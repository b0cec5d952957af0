/** Lets a call wait for its turn among the calls of its workspace, or of its address while nobody knows whose it is. */
import { clientAddress } from '../requests/client-address.ts';
import type { Wrapper } from './exchange.ts';

export const takeTurn: Wrapper = (inner, { route }, { ctx, callers }) => {
  if (route.waitsForNobody === true) return inner;
  return (exchange) => {
    const { req } = exchange;
    const shown = { credential: callers.lineOf(route.access, req), from: clientAddress(req) };
    return ctx.callsInHand.run(shown, (know) => {
      exchange.know = know;
      return inner(exchange);
    });
  };
};
