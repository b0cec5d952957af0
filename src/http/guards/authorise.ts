/** Who is calling a route, and may they? */
import type { Request, Response } from 'express';
import {
  authenticateCaller,
  authenticateOperator,
  type Caller,
  credentialOf,
  type FindKeyRow,
} from '../../access/authenticate.ts';
import { clientAddress } from '../requests/client-address.ts';
import { notesOf } from '../requests/log-requests.ts';
import type { AnyRoute } from '../route.ts';
import type { Machinery } from './machinery.ts';

export interface Authorised {
  caller: Caller | null;
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
  const shown = credentialOf(req.headers);
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
  notes.actorId = caller.actor.id;
  keyUses.note(caller.workspace.id, caller.actor.id);
  await limitRate({ keyId: caller.actor.id, workspaceId: caller.workspace.id }, res);
  return { caller, credential: caller.credential };
}

/** Who calls a route of a workspace. */
export function callerOf({ ctx }: Machinery, route: AnyRoute, { req, slug, find }: Asking): Promise<Caller> {
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
