/** Answers an error, whatever it is, and notes it for the log. */
import type { Request, Response } from 'express';
import type { AppError } from '../../errors.ts';
import { discardBody } from '../bodies/read-body.ts';
import { identityOf } from '../requests/identify-request.ts';
import { notesOf } from '../requests/log-requests.ts';
import { isServerFault, sendProblem, toAppError } from './send-problem.ts';

/** `send` answers in another form than the interface's own. */
export async function refuse(
  req: Request,
  res: Response,
  error: unknown,
  send: (error: AppError, instance: string, requestId: string) => void = (...known) =>
    sendProblem(res, ...known),
): Promise<void> {
  const known = toAppError(error);
  const notes = notesOf(req);
  notes.code = known.code;
  if (isServerFault(known)) notes.err = known.cause ?? known;
  // The client went away in the middle: there is nobody to answer.
  if (req.socket.destroyed) return;
  if (!res.headersSent) await discardBody(req, res);
  const instance = withoutLinkSecrets(req.originalUrl.replace(/\?.*/s, ''));
  send(known, instance, identityOf(req).requestId);
}

/** The secret of a CSV link stands in its path. */
function withoutLinkSecrets(text: string): string {
  return text.replaceAll(/pbl_[0-9A-Za-z]+/g, 'pbl_…');
}
