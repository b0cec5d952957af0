/**
 * `/api/unsubscribe/{token}`: stops the mails of an inbox without a sign-in (RFC 8058). Mail programs send a POST; a browser that opens the
 * link gets a page with a button that sends it, because programs that check links open them by GET.
 */
import { z } from 'zod';
import type { Answer } from '../../http/answer.ts';
import { readBody, readingFor, wantBody } from '../../http/bodies/read-body.ts';
import { consoleHeaders } from '../../http/guards/security-headers.ts';
import { type AnyRoute, type Call, defineRoute } from '../../http/route.ts';
import { STOP_PATH, stopByToken } from './stop-link.ts';

const path = `${STOP_PATH}/{token}`;
const tag = 'Inbox';
const params = z.object({ token: z.string().max(255) });
/** `List-Unsubscribe=One-Click`, as a form of either kind. */
const BODY_BYTES_MAX = 4096;
const HTML = 'text/html; charset=utf-8';

const show = defineRoute({
  method: 'get',
  path,
  operationId: 'showUnsubscribePage',
  tag,
  summary: 'Show the page that stops the mails of an inbox',
  access: 'public',
  transaction: 'none',
  params,
  answers: { 200: { description: 'The page.', alternatives: { [HTML]: 'A page with a form.' } } },
  handle: async (call) =>
    pageOf(call, {
      status: 200,
      title: 'Stop these mails?',
      body: `<p>Partbook mails you what is new in your inbox. It stops for this address if you choose so.</p>
<form method="post"><input type="hidden" name="List-Unsubscribe" value="One-Click"><button autofocus>Stop these mails</button></form>`,
    }),
});

const stop = defineRoute({
  method: 'post',
  path,
  operationId: 'unsubscribe',
  tag,
  summary: 'Stop the mails of an inbox',
  access: 'public',
  transaction: 'none',
  params,
  rawBody: {
    'application/x-www-form-urlencoded': '`List-Unsubscribe=One-Click`, as RFC 8058 has it.',
    'multipart/form-data': 'The same.',
  },
  answers: {
    200: { description: 'The mails are stopped.', alternatives: { [HTML]: 'A page that says so.' } },
    404: { description: 'The link is not valid.', alternatives: { [HTML]: 'A page that says so.' } },
  },
  handle: async (call) => {
    const {
      ctx,
      req,
      res,
      params: { token },
      log,
    } = call;
    wantBody(req, res);
    await readBody(req, BODY_BYTES_MAX, ctx.config.BODY_TIMEOUT_SECONDS * 1000, readingFor(ctx));
    const stopped = await stopByToken(ctx.db, token);
    if (stopped === null)
      return pageOf(call, {
        status: 404,
        title: 'This link stops nothing',
        body: '<p>It is not complete, or the address that it was mailed to is not used any more. Mails also stop if you choose “Mail”, “No mail” in your inbox.</p>',
      });
    log.info(stopped, 'mails of an inbox stopped by a link');
    return pageOf(call, {
      status: 200,
      title: 'The mails are stopped',
      body: '<p>Partbook mails your inbox to this address no more. To get mails again, choose “Mail” in your inbox.</p>',
    });
  },
});

/** The texts are our own: nothing of the request stands in the page. */
function pageOf(
  { req, res }: Pick<Call, 'req' | 'res'>,
  { status, title, body }: { status: number; title: string; body: string },
): Answer {
  consoleHeaders(req, res, () => {});
  return {
    status,
    bytes: Buffer.from(`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title} · Partbook</title>
<link rel="stylesheet" href="/admin/console.css">
<link rel="icon" href="/admin/icon.svg" type="image/svg+xml">
</head>
<body>
<main class="sign-in">
<h1>${title}</h1>
${body}
</main>
</body>
</html>
`),
    headers: { 'Content-Type': HTML, 'Cache-Control': 'no-store' },
  };
}

export const unsubscribeRoutes: readonly AnyRoute[] = [show, stop];
