/** The list of all workspaces, and the forms that create a workspace and an admin key. */
import type { Work } from './actions/group-failures.ts';
import { table, time, workNames, workspaceLink } from './page-parts.ts';
import { type Html, html } from './write-page.ts';

/** Rows of a page of workspaces. */
export const WORKSPACES_SHOWN = 100;

export interface WorkspaceListed {
  slug: string;
  name: string;
  state: string;
  created_at: string;
  /** Unfinished imports. */
  line: number;
  paused: readonly Work[];
  /** When the last import was accepted. */
  last_import_at: string | null;
}

const stateNames: Readonly<Record<string, string>> = {
  active: 'active',
  moving: 'held or moving',
  gone: 'moved away',
};

export function workspacesPage(rows: readonly WorkspaceListed[], after: string | null): Html {
  const last = rows.at(-1);
  return html`<section><h2>Create a workspace</h2>
<form class="inline" method="post" action="/admin/workspaces">
<label>Slug, the name in addresses<input name="slug" required minlength="2" maxlength="63" pattern="[a-z0-9][a-z0-9\\-]+" title="Lowercase letters, digits and hyphens" autocomplete="off"></label>
<label>Name<input name="name" required maxlength="255" autocomplete="off"></label>
<button>Create the workspace</button></form></section>
<section><h2>All workspaces</h2>${table(
    ['Workspace', 'Name', 'State', 'Imports in line', 'Paused', 'Last import', 'Created'],
    rows.map((one) => [
      workspaceLink(one.slug),
      one.name,
      stateNames[one.state] ?? one.state,
      one.line,
      one.paused.map((work) => workNames[work]).join(', '),
      time(one.last_import_at),
      time(one.created_at),
    ]),
    'There are no workspaces.',
  )}
${after === null ? null : html`<p><a href="/admin/workspaces">First page</a></p>`}
${last === undefined || rows.length < WORKSPACES_SHOWN ? null : html`<p><a href="/admin/workspaces?after=${last.slug}">Next page</a></p>`}</section>`;
}

/** The form on the page of a workspace. */
export const adminKeyForm = (slug: string) => html`<section><h2>Admin key</h2>
<p>Create a key if nobody in the workspace can configure it any more. The audit trail of the workspace names the operator.</p>
<form class="inline" method="post" action="/admin/workspaces/${slug}/admin-key">
<label>Name of the key<input name="name" required maxlength="255" value="Created by the operator" autocomplete="off"></label>
<button>Create an admin key</button></form></section>`;

/** Shows a key, which is stored nowhere. */
export const keyPage = (slug: string, key: string) => html`<section>
<p>Copy the key now. It is not shown again.</p>
<p><code class="mono secret">${key}</code></p>
<p>It has the permission <b>admin</b> in ${workspaceLink(slug)}, and no end. Sign in with it at <a href="/">the web app</a>.</p></section>`;
