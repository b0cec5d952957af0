/** Answers an operator's browser with a page that explains the error. Programs get the problem document. */
import type { Request, Response } from 'express';
import type { AppError } from '../errors.ts';
import { refuse } from '../http/answers/refuse.ts';
import { sendAnswer } from '../http/answers/send-answer.ts';
import { isServerFault, toAppError } from '../http/answers/send-problem.ts';
import { SilentDatabaseError } from '../operations/while-database-answers.ts';
import { findState, stateNotices } from './find-state.ts';
import { type Html, html, writePage } from './write-page.ts';

export function refusingWithPage(
  ctx: Parameters<typeof findState>[0],
): (req: Request, res: Response, error: unknown) => Promise<void> {
  return async (req, res, error) => {
    if (res.headersSent || req.accepts(['json', 'html']) !== 'html') return refuse(req, res, error);
    const isSilent = error instanceof SilentDatabaseError;
    const state = isServerFault(toAppError(error)) ? stateNotices(await findState(ctx, isSilent)) : null;
    await refuse(req, res, error, (known, _instance, requestId) => {
      // PostgreSQL has responded while its state was read, and the page was sent.
      if (res.headersSent) return;
      const body = refusalOf(known, {
        requestId,
        state,
        again: req.method === 'GET' ? req.originalUrl : null,
      });
      sendAnswer(req, res, {
        status: known.status,
        bytes: Buffer.from(writePage({ title: known.title, at: null, body })),
        headers: {
          ...known.headers,
          'Content-Type': 'text/html; charset=utf-8',
          'Cache-Control': 'no-store',
        },
      });
    });
  };
}

function refusalOf(
  { message, code }: AppError,
  { requestId, state, again }: { requestId: string; state: Html | null; again: string | null },
): Html {
  return html`<section><p>${message}</p>
${state}
<p>${again === null ? null : html`<a href="${again}">Try again</a> · `}<a href="/admin">Overview</a></p>
<p class="muted">${code} · request <span class="mono">${requestId}</span></p></section>`;
}
