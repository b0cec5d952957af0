/** Whether a caller takes what is a moment old: `Prefer: stale-ok` (RFC 7240), for GETs of a workspace that are one transaction. */
import type { Request } from 'express';
import type { AnyRoute } from '../route.ts';

export const STALE_OK = 'stale-ok';

export function takesStale(route: AnyRoute, req: Pick<Request, 'get'>): boolean {
  if (route.method !== 'get' || (route.transaction !== 'read' && route.transaction !== 'glance'))
    return false;
  // What is read in the burst that looks its caller up costs the primary hardly more than that look alone.
  if (route.readsOne === true) return false;
  // What is waited for before the transaction is not for a read that may come to nothing.
  if (route.before !== undefined) return false;
  if (route.access === 'public' || route.access === 'operator') return false;
  const preferences = (req.get('prefer') ?? '').split(',');
  return preferences.some((one) => one.split(';')[0]?.trim().toLowerCase() === STALE_OK);
}
