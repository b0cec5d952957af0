/**
 * The API reference at `/docs`: Scalar shows `/openapi.json`. Its script is a file of the built web app, and the page loads nothing from
 * another host. Operations can be tried from the page.
 */
import type { Express, Request, Response } from 'express';
import { sendAnswer } from '../http/answers/send-answer.ts';
import { pageHeaders } from '../http/guards/security-headers.ts';
import { notesOf } from '../http/requests/log-requests.ts';
import { openWebFiles } from './web-files.ts';

/** Name of the script in the build (web/vite.config.ts). */
const scriptPath = /^\/assets\/api-reference-[\w-]+\.js$/;

const head = `<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Partbook API</title>
<link rel="icon" href="/icon.svg" type="image/svg+xml">`;

const page = (script: string) => `<!doctype html>
<html lang="en">
<head>
${head}
</head>
<body>
<div id="reference"></div>
<script src="/docs/prepare.js"></script>
<script src="${script}"></script>
<script src="/docs/show.js"></script>
</body>
</html>
`;

const missingPage = `<!doctype html>
<html lang="en">
<head>
${head}
</head>
<body>
<h1>The API reference is not built</h1>
<p>Run <code>npm run build</code> where the service is installed, and open this page again. <code>npm start</code> builds it. The
document that it shows is at <a href="/openapi.json">/openapi.json</a>.</p>
</body>
</html>
`;

// The policy of the page runs no inline scripts, so the settings are a file. All that Scalar could ask of other hosts is off.
const settings = {
  url: '/openapi.json',
  proxyUrl: '',
  withDefaultFonts: false,
  telemetry: false,
  agent: { disabled: true },
  mcp: { disabled: true },
  hideClientButton: true,
  showDeveloperTools: 'never',
  documentDownloadType: 'json',
  // It follows the colours of the system.
  hideDarkModeToggle: true,
  hiddenClients: Object.fromEntries(
    ['c', 'clojure', 'dart', 'fsharp', 'http', 'julia', 'kotlin', 'objc', 'ocaml', 'r', 'swift'].map(
      (one) => [one, true],
    ),
  ),
  defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
};
// Its zod would try whether it may compile code, which the policy refuses and the console of the browser reports.
const preparation = 'globalThis.__zod_globalConfig = { jitless: true };\n';
const script = `Scalar.createApiReference('#reference', ${JSON.stringify(settings)});
`;

export function mountReference(app: Express, folder: string): void {
  const files = openWebFiles(folder);
  const send = (req: Request, res: Response, type: string, text: string, status = 200) => {
    notesOf(req).route = '/docs';
    sendAnswer(req, res, {
      status,
      bytes: Buffer.from(text),
      headers: { 'Content-Type': `${type}; charset=utf-8` },
    });
  };
  app.get(['/docs', '/docs/'], pageHeaders, async (req, res) => {
    const current = await files.current();
    const path = [...(current?.byPath.keys() ?? [])].find((one) => scriptPath.test(one));
    if (path === undefined) send(req, res, 'text/html', missingPage, 503);
    else send(req, res, 'text/html', page(path));
  });
  app.get('/docs/prepare.js', pageHeaders, (req, res) => send(req, res, 'text/javascript', preparation));
  app.get('/docs/show.js', pageHeaders, (req, res) => send(req, res, 'text/javascript', script));
}
