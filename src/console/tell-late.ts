/**
 * Logs the outcome of an action whose operator was told that it is not known yet, or has disconnected, under the
 * request id of the answer. The action is also listed on the page of actions.
 */
import type { Request, Response } from 'express';
import type { Logger } from 'pino';
import { AppError } from '../errors.ts';
import { identityOf } from '../http/requests/identify-request.ts';
import { printable } from '../http/requests/log-requests.ts';

interface Acted {
  ctx: { log: Logger };
  req: Request;
  res: Response;
}

/** Whether the call was answered already, or the caller has disconnected. */
export function isLate({ headersSent, closed }: Pick<Response, 'headersSent' | 'closed'>): boolean {
  return headersSent || closed;
}

export function tellDoneLate(acted: Acted): void {
  acted.ctx.log.info(fieldsOf(acted), 'an action of the operator was done after its answer');
}

export function tellFailedLate(acted: Acted, error: unknown): void {
  const { log } = acted.ctx;
  if (error instanceof AppError && error.status < 500)
    log.info(
      { ...fieldsOf(acted), refusal: error.message },
      'an action of the operator was refused after its answer',
    );
  else log.error({ ...fieldsOf(acted), err: error }, 'an action of the operator failed after its answer');
}

function fieldsOf({ req }: Acted): object {
  return {
    operator: true,
    requestId: identityOf(req).requestId,
    // Paths of the console contain no secrets.
    path: printable(req.originalUrl.replace(/\?.*/s, '')),
  };
}
