/** Counts a call against the rate limits of its key and of its workspace. */
import type { Caller, LinkCaller } from '../callers.ts';
import type { Counted } from '../guards/limit-rate.ts';
import { isOfWorkspace } from '../route.ts';
import type { Wrapper } from './exchange.ts';

export const limit: Wrapper = (inner, { route }, { limitRate }) => {
  if (!isOfWorkspace(route)) return inner;
  return async (exchange) => {
    if (exchange.caller !== null) await limitRate(countedAs(exchange.caller), exchange.res);
    return inner(exchange);
  };
};

/** Counts what the body holds beyond one request, when the body has been read. */
export const limitBody: Wrapper = (inner, { route }, { limitRate }) => {
  if (route.requests === undefined) return inner;
  return async (exchange) => {
    const more = (route.requests?.(exchange.call?.body) ?? 1) - 1;
    if (exchange.caller !== null && more > 0)
      await limitRate({ ...countedAs(exchange.caller), requests: more }, exchange.res);
    return inner(exchange);
  };
};

/** The rate limit counts a link as a key. */
function countedAs(caller: Caller | LinkCaller): Counted {
  const keyId = 'linkId' in caller ? caller.linkId : caller.actor.id;
  return { keyId, workspaceId: caller.workspace.id };
}
