/** Ends a call whose caller may not make it any more, while it is under way. */
import { isOfWorkspace } from '../route.ts';
import type { Wrapper } from './exchange.ts';

export const admit: Wrapper = (inner, { route }, { callers, admissions }) => {
  if (!isOfWorkspace(route)) return inner;
  return async (exchange) => {
    const { req, slug, left } = exchange;
    const leave = admissions.watch(
      () => callers.find(route.access, { req, slug }, () => {}),
      (refusal) => left.abort(refusal),
    );
    try {
      return await inner(exchange);
    } finally {
      leave();
    }
  };
};
