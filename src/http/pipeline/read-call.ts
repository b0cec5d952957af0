/** Reads and checks the parameters and the body, and makes of them the call that the handler gets. */
import { type IdempotentRequest, readIdempotencyKey, withBody } from '../../idempotency/idempotency-key.ts';
import { readJsonBody } from '../bodies/read-json-body.ts';
import type { Exchange, Machinery, Wrapper } from './exchange.ts';
import { makeCall } from './make-call.ts';
import { inputOf } from './prepare.ts';

export const readCall: Wrapper = (inner, prepared, machinery) => {
  const { route, honoursKey } = prepared;
  const { ctx } = machinery;
  return async (exchange) => {
    const { req, res, caller, credential, gone } = exchange;
    const { params, query } = exchange.early?.input ?? inputOf(prepared, exchange.path, req);
    let idempotency = honoursKey ? idempotencyOf(ctx, exchange) : null;
    const reading = { route, workspaceId: caller?.workspace.id, wantsDigest: idempotency !== null, gone };
    const { body, digest } = await readJsonBody(ctx, reading, req, res);
    if (idempotency !== null && digest !== null) idempotency = withBody(idempotency, digest);
    exchange.call = makeCall(
      machinery,
      { caller, credential, params, query, body, idempotency, gone },
      req,
      res,
    );
    // A stream answers HEAD with its headers, and is not begun.
    if (req.method === 'HEAD') res.flushHeaders = () => void res.end();
    return inner(exchange);
  };
};

function idempotencyOf(
  { config }: Machinery['ctx'],
  { req, caller, credential }: Exchange,
): IdempotentRequest | null {
  return readIdempotencyKey(req.get('idempotency-key'), {
    workspaceId: caller?.workspace.id ?? null,
    actorId: caller !== null && 'actor' in caller ? caller.actor.id : null,
    credential,
    target: `${req.method} ${req.originalUrl}`,
    retentionDays: config.IDEMPOTENCY_RETENTION_DAYS,
  });
}
