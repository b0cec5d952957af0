/** Reads as it was a moment ago, from a standby, where the caller takes that: `Prefer: stale-ok` (RFC 7240). */
import type { Request } from 'express';
import { type AnyRoute, isOfWorkspace } from '../route.ts';
import type { Wrapper } from './exchange.ts';
import { handle } from './handle.ts';

const STALE_OK = 'stale-ok';

export const readStale: Wrapper = (inner, { route }, { ctx: { standby } }) => {
  if (standby === null || !mayBeStale(route)) return inner;
  return async (exchange) => {
    const { req, caller, call, gone } = exchange;
    if (caller === null || call === null || !takesStale(req)) return inner(exchange);
    const read = await standby.read(caller.workspace.id, (tx) => handle(route, call, tx), gone);
    if (read === null) return inner(exchange);
    if (read.value === null) return null;
    const told = { 'Preference-Applied': STALE_OK, Age: String(Math.ceil(read.ageMs / 1000)) };
    return { ...read.value, headers: { ...read.value.headers, ...told } };
  };
};

/** Whether a standby may answer calls of the route. */
export function mayBeStale(route: AnyRoute): boolean {
  if (route.method !== 'get' || (route.transaction !== 'read' && route.transaction !== 'glance'))
    return false;
  // What is read in the burst that looks its caller up costs the primary hardly more than that look alone.
  if (route.readsOne === true) return false;
  // The waits before a transaction are not made for a read that may fail.
  return route.before === undefined && isOfWorkspace(route);
}

function takesStale(req: Pick<Request, 'get'>): boolean {
  const preferences = (req.get('prefer') ?? '').split(',');
  return preferences.some((one) => one.split(';')[0]?.trim().toLowerCase() === STALE_OK);
}
