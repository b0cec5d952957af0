/** Lets a call wait for its turn among the calls of its workspace, or of its address while nobody knows whose it is. */
import type { RequestHandler } from 'express';
import { refuse } from '../answers/refuse.ts';
import { clientAddress } from '../requests/client-address.ts';
import type { Machinery, Wrapper } from './exchange.ts';

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

/** Takes turns for what is mounted from other projects, and for pages and files. */
export function takeTurnAsMounted({ ctx, callers }: Pick<Machinery, 'ctx' | 'callers'>): RequestHandler {
  return (req, res, next) => {
    const shown = { credential: callers.lineOf('public', req), from: clientAddress(req) };
    const answered = new Promise<void>((resolve) => {
      res.once('close', resolve);
    });
    const serve = () => {
      next();
      return answered;
    };
    ctx.callsInHand.run(shown, serve).catch((error: unknown) => refuse(req, res, error));
  };
}
