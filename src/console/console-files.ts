/** Style sheet and icon of the console and its sign-in page. */
import { readFileSync } from 'node:fs';
import type { Express, Request, Response } from 'express';
import { sendAnswer } from '../http/answers/send-answer.ts';
import { consoleHeaders } from '../http/guards/security-headers.ts';
import { notesOf } from '../http/requests/log-requests.ts';
import { openFonts, withoutFonts } from '../web-app/fonts.ts';

export const PATH = '/admin';

export function addFiles(app: Express, webFolder: string): void {
  addStyles(app, webFolder);
  addIcon(app);
}

/** The tokens of the web app and the console's own rules. The fonts are files of the built web app; without it, the system's are used. */
function addStyles(app: Express, webFolder: string): void {
  const read = (file: string) => readFileSync(new URL(file, import.meta.url), 'utf8');
  const tokens = withoutFonts(read('../../web/tokens.css'));
  const dark = /:root\[data-mantine-color-scheme="dark"\] (\{[^}]*\})/.exec(tokens)?.[1] ?? '{}';
  const scheme = `:root { color-scheme: light dark; }\n@media (prefers-color-scheme: dark) { :root ${dark} }\n`;
  const rest = `${tokens}\n${scheme}\n${read('./console.css')}`;
  const fonts = openFonts(webFolder);
  app.get(`${PATH}/console.css`, consoleHeaders, async (req: Request, res: Response) => {
    notesOf(req).route = PATH;
    const bytes = Buffer.from(`${await fonts()}${rest}`);
    sendAnswer(req, res, { status: 200, bytes, headers: { 'Content-Type': 'text/css; charset=utf-8' } });
  });
}

/** The icon of the web app. */
function addIcon(app: Express): void {
  const bytes = readFileSync(new URL('../../web/static/icon.svg', import.meta.url));
  app.get(`${PATH}/icon.svg`, consoleHeaders, (req: Request, res: Response) => {
    notesOf(req).route = PATH;
    sendAnswer(req, res, { status: 200, bytes, headers: { 'Content-Type': 'image/svg+xml' } });
  });
}
