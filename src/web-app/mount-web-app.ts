/**
 * The web app at `/`: the page for every address that a person may open, under a policy of its own, and its files.
 * It is a client of the interface like any other: nothing here knows what it shows.
 */
import { createHash, randomBytes } from 'node:crypto';
import type { Express, NextFunction, Request, Response } from 'express';
import { sendAnswer } from '../http/answers/send-answer.ts';
import { appHeaders, wasmWorkerHeaders } from '../http/guards/security-headers.ts';
import { notesOf } from '../http/requests/log-requests.ts';
import { type Encoding, openWebFiles, type WebFile } from './web-files.ts';

/** Placeholder that the build writes wherever a nonce belongs. */
const NONCE_PLACEHOLDER = '__CSP_NONCE__';
const NONCE_BYTES = 18;
/** Name of the build output of a `NAME.wasm.worker.ts`. */
const wasmWorker = /\.wasm\.worker-[\w-]+\.js$/;
const YEAR_SECONDS = 31_536_000;
/** Addresses that are not the app's: what is wrong with them is said in the form of the interface. */
const notTheApp = /^\/(api|admin|docs|health|metrics|openapi\.json)(\/|$)/;

/** Call it behind everything else: it takes what is left. */
export function mountWebApp(app: Express, folder: string): void {
  const files = openWebFiles(folder);
  const serve = async (req: Request, res: Response, next: NextFunction): Promise<void> => {
    const isRead = req.method === 'GET' || req.method === 'HEAD';
    if (!isRead || notTheApp.test(req.path)) {
      next();
      return;
    }
    const current = await files.current();
    const file = current?.byPath.get(req.path);
    if (file !== undefined) {
      notesOf(req).route = '(web app file)';
      await sendFile(req, res, file);
      return;
    }
    // What is no page is absent: a script that is asked for and not there must not be answered with a page.
    const isPage =
      req.path === '/' || (req.accepts(['json', 'html']) === 'html' && !req.path.startsWith('/assets/'));
    if (!isPage) {
      next();
      return;
    }
    notesOf(req).route = '(web app)';
    sendPage(req, res, current === null ? null : current.index);
  };
  app.use((req, res, next) => {
    serve(req, res, next).catch(next);
  });
}

/** Every answer has a nonce of its own, so none is kept. */
function sendPage(req: Request, res: Response, index: string | null): void {
  const nonce = randomBytes(NONCE_BYTES).toString('base64');
  appHeaders(nonce)(req, res, throwError);
  sendAnswer(req, res, {
    status: index === null ? 503 : 200,
    bytes: Buffer.from(index === null ? missingPage : index.replaceAll(NONCE_PLACEHOLDER, nonce)),
    headers: { 'Content-Type': 'text/html; charset=utf-8' },
  });
}

function throwError(error?: unknown): void {
  if (error !== undefined) throw error;
}

async function sendFile(req: Request, res: Response, file: WebFile): Promise<void> {
  if (wasmWorker.test(req.path)) wasmWorkerHeaders(req, res, throwError);
  const offered: Encoding[] = file.isCompressible ? ['br', 'gzip'] : [];
  const encoding = offered.find((one) => req.acceptsEncodings(one) !== false) ?? 'identity';
  const bytes = await file.bytes(encoding);
  res.vary('Accept-Encoding');
  sendAnswer(req, res, {
    status: 200,
    bytes,
    headers: {
      'Content-Type': file.type,
      'Cache-Control': file.isImmutable ? `public, max-age=${YEAR_SECONDS}, immutable` : 'no-cache',
      // An encoding that is set keeps the compressor of all other answers away from it.
      'Content-Encoding': encoding,
    },
    ...(file.isImmutable
      ? {}
      : { etag: createHash('sha256').update(bytes).digest('base64url').slice(0, 22) }),
  });
}

const missingPage = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Partbook</title>
</head>
<body>
<h1>The web app is not built</h1>
<p>Run <code>npm run build</code> where the service is installed, and open this page again; <code>npm start</code> does so by
itself. The interface works without it: see <a href="/docs">its reference</a>.</p>
</body>
</html>
`;
