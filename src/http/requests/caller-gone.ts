/** Tells work that is done for an answer alone that nobody waits for the answer any more, or may have it. */
import type { Request, Response } from 'express';
import { AppError } from '../../errors.ts';

/** Aborted when the connection closes before the answer has been sent. */
export function goneOf(req: Request, res: Response): AbortController {
  const gone = new AbortController();
  const leave = () => gone.abort(new AppError('incomplete_body', 'The caller has gone.'));
  if (req.socket.destroyed) leave();
  else {
    res.once('close', () => {
      if (!res.writableFinished) leave();
    });
  }
  return gone;
}
