/** The API reference: the document at `/openapi.json`, and a page at `/docs` that shows it from local files. */
import { createHash } from 'node:crypto';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import express, { type Express } from 'express';
import { sendAnswer } from '../answers/send-answer.ts';
import { pageHeaders } from '../guards/security-headers.ts';
import { notesOf } from '../requests/log-requests.ts';
import type { AnyRoute } from '../route.ts';

const swaggerFiles = dirname(fileURLToPath(import.meta.resolve('swagger-ui-dist/package.json')));

const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Partbook API</title>
<link rel="icon" href="/docs/assets/favicon-32x32.png">
<link rel="stylesheet" href="/docs/assets/swagger-ui.css">
<link rel="stylesheet" href="/docs/show.css">
<script src="/docs/colours.js"></script>
</head>
<body>
<div id="reference"></div>
<script src="/docs/assets/swagger-ui-bundle.js"></script>
<script src="/docs/show.js"></script>
</body>
</html>
`;

// A file of its own, because the page's policy runs no inline scripts. The validator would ask a server elsewhere.
const script = `SwaggerUIBundle({
  url: '/openapi.json', dom_id: '#reference', deepLinking: true, docExpansion: 'none', filter: true,
  validatorUrl: null, persistAuthorization: false, tryItOutEnabled: true,
});
`;

// Swagger UI has dark colours and leaves it to the page when: as the system says, also when that changes. Before anything is drawn.
const colours = `const dark = matchMedia('(prefers-color-scheme: dark)');
const choose = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
dark.addEventListener('change', choose);
choose();
`;

// On a phone what a tag is about stood beside its name one letter a line.
const style = `@media (width < 640px) {
  .swagger-ui .opblock-tag { flex-wrap: wrap; }
  .swagger-ui .opblock-tag a { flex: 1; }
  .swagger-ui .opblock-tag small { flex: 1 0 100%; order: 1; padding: 0; }
}
`;

export function mountReference(app: Express, routes: readonly AnyRoute[]): void {
  let document: Promise<{ bytes: Buffer; etag: string }> | null = null;
  app.get('/openapi.json', async (req, res) => {
    notesOf(req).route = '/openapi.json';
    document ??= documentOf(routes);
    sendAnswer(req, res, { status: 200, ...(await document) });
  });
  app.get(['/docs', '/docs/'], pageHeaders, (req, res) => {
    notesOf(req).route = '/docs';
    sendAnswer(req, res, {
      status: 200,
      bytes: Buffer.from(page),
      headers: { 'Content-Type': 'text/html; charset=utf-8' },
    });
  });
  for (const [path, type, text] of [
    ['/docs/show.js', 'text/javascript', script],
    ['/docs/colours.js', 'text/javascript', colours],
    ['/docs/show.css', 'text/css', style],
  ] as const)
    app.get(path, pageHeaders, (req, res) => {
      notesOf(req).route = '/docs';
      sendAnswer(req, res, {
        status: 200,
        bytes: Buffer.from(text),
        headers: { 'Content-Type': `${type}; charset=utf-8` },
      });
    });
  app.use(
    '/docs/assets',
    pageHeaders,
    express.static(swaggerFiles, { index: false, redirect: false, maxAge: '1h' }),
  );
}

/** Builds the document; its dependencies are loaded at the first request. */
async function documentOf(routes: readonly AnyRoute[]): Promise<{ bytes: Buffer; etag: string }> {
  const { buildOpenApi } = await import('./build-openapi.ts');
  const bytes = Buffer.from(JSON.stringify(buildOpenApi(routes)));
  return { bytes, etag: createHash('sha256').update(bytes).digest('base64url').slice(0, 22) };
}
