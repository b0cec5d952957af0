/** Finds out who is calling, and refuses who may not. */
import { clientAddress } from '../requests/client-address.ts';
import { notesOf } from '../requests/log-requests.ts';
import type { Wrapper } from './exchange.ts';

export const authorise: Wrapper = (inner, { route }, { ctx, callers }) => {
  const { access } = route;
  if (access === 'public') return inner;
  return async (exchange) => {
    const { req } = exchange;
    const notes = notesOf(req);
    const shown = callers.shownBy(access, req);
    const checked = <T>(look: () => Promise<T>) =>
      shown === null ? look() : ctx.guesses.check(clientAddress(req), shown, look);
    const refused = (why: NonNullable<typeof notes.refusal>) => {
      notes.refusal = why;
    };
    if (access === 'operator') {
      exchange.credential = await checked(async () => callers.operatorOf(req, refused));
      return inner(exchange);
    }
    const caller = await checked(() => callers.find(access, exchange, refused));
    exchange.caller = caller;
    exchange.credential = caller.credential;
    notes.workspace = caller.workspace.slug;
    notes.actorId = 'linkId' in caller ? caller.linkId : caller.actor.id;
    if ('actor' in caller) callers.noteUse(caller);
    exchange.know(caller.workspace.id);
    ctx.costs.called(caller.workspace.id);
    return inner(exchange);
  };
};
