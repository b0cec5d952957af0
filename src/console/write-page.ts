/** Writes HTML of the console. Every text from the database is escaped. */
import { escapeHtml } from '../operations/escape-html.ts';

/** HTML that was written here. Any other value is escaped when it is inserted. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

export type Piece = Html | string | number | null | readonly Piece[];

export function html(texts: TemplateStringsArray, ...pieces: Piece[]): Html {
  return new Html(texts.reduce((all, text, at) => all + textOf(pieces[at - 1] ?? null) + text));
}

function textOf(piece: Piece): string {
  if (piece === null) return '';
  if (piece instanceof Html) return piece.text;
  if (typeof piece === 'object') return piece.map(textOf).join('');
  return escapeHtml(String(piece));
}

export interface Page {
  title: string;
  /** The current entry of the navigation. */
  at: 'overview' | 'workspaces' | 'failures' | 'actions' | 'operators' | 'search' | null;
  query?: string;
  body: Html;
}

export function writePage({ title, at, query = '', body }: Page): string {
  const entry = (key: Page['at'], href: string, text: string) =>
    html`<a href="${href}" ${key === at ? new Html('aria-current="page"') : null}>${text}</a>`;
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title} · Partbook operations</title>
<link rel="stylesheet" href="/admin/console.css">
<link rel="icon" href="/admin/icon.svg" type="image/svg+xml">
</head>
<body>
<header>
  <strong>Partbook operations</strong>
  <nav aria-label="Console">
    ${entry('overview', '/admin', 'Overview')}
    ${entry('workspaces', '/admin/workspaces', 'Workspaces')}
    ${entry('failures', '/admin/failures', 'Failures')}
    ${entry('actions', '/admin/actions', 'Actions')}
    ${entry('operators', '/admin/operators', 'Operators')}
    <a href="/admin/queues">Queues</a>
  </nav>
  <form class="search" action="/admin/search" role="search">
    <input name="q" value="${query}" aria-label="Workspace, import, GUID, part number or error text" placeholder="Workspace, import, GUID, part number, error" maxlength="200" required>
    <button>Search</button>
  </form>
  <form method="post" action="/admin/sign-out"><button class="plain">Sign out</button></form>
</header>
<main>
<h1>${title}</h1>
${body}
<p class="muted">All times are UTC. Now: ${new Date().toISOString().slice(11, 19)}.</p>
</main>
</body>
</html>
`.text;
}
