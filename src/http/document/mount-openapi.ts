/** Serves the OpenAPI document at `/openapi.json`. */
import { createHash } from 'node:crypto';
import type { Express } from 'express';
import { sendAnswer } from '../answers/send-answer.ts';
import { notesOf } from '../requests/log-requests.ts';
import type { AnyRoute } from '../route.ts';

export function mountOpenApi(app: Express, routes: readonly AnyRoute[]): void {
  let document: Promise<{ bytes: Buffer; etag: string }> | null = null;
  app.get('/openapi.json', async (req, res) => {
    notesOf(req).route = '/openapi.json';
    document ??= documentOf(routes);
    sendAnswer(req, res, { status: 200, ...(await document) });
  });
}

/** Builds the document; its dependencies are loaded at the first request. */
async function documentOf(routes: readonly AnyRoute[]): Promise<{ bytes: Buffer; etag: string }> {
  const { buildOpenApi } = await import('./build-openapi.ts');
  const bytes = Buffer.from(JSON.stringify(buildOpenApi(routes)));
  return { bytes, etag: createHash('sha256').update(bytes).digest('base64url').slice(0, 22) };
}
