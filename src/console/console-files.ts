/** Style sheet and fonts of the console and its sign-in page. */
import { readFileSync } from 'node:fs';
import type { Express, Request, Response } from 'express';
import { sendAnswer } from '../http/answers/send-answer.ts';
import { consoleHeaders } from '../http/guards/security-headers.ts';
import { notesOf } from '../http/requests/log-requests.ts';

export const PATH = '/admin';

export function addFiles(app: Express): void {
  addStyles(app);
  addIcon(app);
}

/** The web app's tokens with the console's own rules; faces are left to the system, dark goes by its setting. */
function addStyles(app: Express): void {
  const read = (file: string) => readFileSync(new URL(file, import.meta.url), 'utf8');
  const tokens = read('../../web/tokens.css').replaceAll(/@font-face \{[^}]*\}\n/g, '');
  const dark = /:root\[data-mantine-color-scheme="dark"\] (\{[^}]*\})/.exec(tokens)?.[1] ?? '{}';
  const scheme = `:root { color-scheme: light dark; }\n@media (prefers-color-scheme: dark) { :root ${dark} }\n`;
  addFile(
    app,
    'console.css',
    'text/css; charset=utf-8',
    Buffer.from(`${tokens}\n${scheme}\n${read('./console.css')}`),
  );
}

/** The web app's. */
function addIcon(app: Express): void {
  addFile(
    app,
    'icon.svg',
    'image/svg+xml',
    readFileSync(new URL('../../web/static/icon.svg', import.meta.url)),
  );
}

function addFile(app: Express, name: string, type: string, bytes: Buffer): void {
  app.get(`${PATH}/${name}`, consoleHeaders, (req: Request, res: Response) => {
    notesOf(req).route = PATH;
    sendAnswer(req, res, { status: 200, bytes, headers: { 'Content-Type': type } });
  });
}
