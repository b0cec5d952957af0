/**
 * What came of an action after its operator was answered that this is not known yet, or has gone: the log says it, under the request id that
 * the answer had. What was done stands among the actions besides.
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

/** Whether somebody else has answered, or nobody hears the answer. */
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
    // Of the console alone, where no secret is in a path.
    path: printable(req.originalUrl.replace(/\?.*/s, '')),
  };
}
