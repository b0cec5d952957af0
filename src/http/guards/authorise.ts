/** Who is calling a route, and may they? */
import type { Request, Response } from 'express';
import {
  authenticateCaller,
  authenticateOperator,
  type Caller,
  credentialOf,
  type FindKeyRow,
} from '../../access/authenticate.ts';
import { authenticateCsvLink, csvLinkToken, type LinkCaller } from '../../access/csv-link-caller.ts';
import { clientAddress } from '../requests/client-address.ts';
import { notesOf } from '../requests/log-requests.ts';
import type { AnyRoute } from '../route.ts';
import type { Counted } from './limit-rate.ts';
import type { Machinery } from './machinery.ts';

export interface Authorised {
  caller: Caller | LinkCaller | null;
  /** What the caller showed: its key, the operator's token, or nothing. */
  credential: string;
}

/** Who asks, and for the workspace of which slug. `find` as `Credentials` have it. */
export interface Asking {
  req: Request;
  slug: string;
  find?: FindKeyRow | undefined;
}

/** Lets the caller in, and counts the call against its limits. */
export async function authorise(
  machinery: Machinery,
  route: AnyRoute,
  asking: Asking,
  res: Response,
): Promise<Authorised> {
  const { req } = asking;
  const { ctx, limitRate, keyUses } = machinery;
  const notes = notesOf(req);
  if (route.access === 'public') return { caller: null, credential: '' };
  const shown = shownBy(route, req);
  const checked = <T>(look: () => Promise<T>) =>
    shown === null ? look() : ctx.guesses.check(clientAddress(req), shown, look);
  if (route.access === 'operator') {
    const credential = await checked(async () =>
      authenticateOperator(ctx.operatorToken, req.headers, (why) => {
        notes.refusal = why;
      }),
    );
    return { caller: null, credential };
  }
  const caller = await checked(() => callerOf(machinery, route, asking));
  notes.workspace = caller.workspace.slug;
  const counted = countedAs(caller);
  notes.actorId = counted.keyId;
  if ('actor' in caller) keyUses.note(counted.workspaceId, counted.keyId);
  await limitRate(counted, res);
  return { caller, credential: caller.credential };
}

/** The rate limit counts a link as a key. */
export function countedAs(caller: Caller | LinkCaller, requests = 1): Counted {
  const keyId = 'linkId' in caller ? caller.linkId : caller.actor.id;
  return { keyId, workspaceId: caller.workspace.id, requests };
}

/** The secret of a link's path, or the key of a header; null without one. */
function shownBy({ access }: AnyRoute, req: Request): string | null {
  return access === 'csvLink' ? csvLinkToken(String(req.params.token)) : credentialOf(req.headers);
}

/** Who calls a route of a workspace. */
export async function callerOf(
  { ctx }: Machinery,
  route: AnyRoute,
  { req, slug, find }: Asking,
): Promise<Caller | LinkCaller> {
  if (route.access === 'csvLink') {
    return authenticateCsvLink(ctx.db, shownBy(route, req) ?? '', slug, (why) => {
      notesOf(req).refusal = why;
    });
  }
  const credentials = {
    method: req.method,
    headers: req.headers,
    host: req.host,
    secure: req.secure,
    sessionHours: ctx.config.SESSION_HOURS,
    find,
  };
  return authenticateCaller(ctx.db, credentials, slug, route.access, (why) => {
    notesOf(req).refusal = why;
  });
}
