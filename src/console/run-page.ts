/** Page of a failed automation run: its error with the stack of the script. */
import { time, workspaceLink } from './page-parts.ts';
import { duration } from './units.ts';
import { type Html, html, type Piece } from './write-page.ts';

export interface RunShown {
  slug: string;
  id: string;
  /** The value is null if the automation was deleted. */
  name: string | null;
  status: string;
  script_version: number;
  attempt: number;
  event_at: string;
  started_at: string | null;
  finished_at: string | null;
  duration_ms: number | null;
  is_retried: boolean;
  error: {
    kind?: string;
    name?: string;
    message?: string;
    line?: number | null;
    column?: number | null;
    stack?: string | null;
  } | null;
}

const STACK_CHARS_MAX = 16_384;

export function runPage(workspaceId: string, run: RunShown): Html {
  const { error } = run;
  const fact = (name: string, value: Piece) => html`<dt>${name}</dt><dd>${value}</dd>`;
  return html`<section><dl>
${fact('State', run.status === 'failed' ? html`<b class="bad">failed</b>` : html`<b>${run.status}</b>`)}
${error === null ? null : fact('Error', [error.name, error.message].filter((one) => (one ?? '') !== '').join(': '))}
${typeof error?.line !== 'number' ? null : fact('Line', `${error.line}${typeof error.column === 'number' ? `, column ${error.column}` : ''} of version ${run.script_version} of the script`)}
${fact('Workspace', workspaceLink(run.slug))}
${fact('Automation', run.name ?? 'deleted')}
${fact('Attempt', run.attempt)}
${fact('Event', time(run.event_at))}
${fact('Started', time(run.started_at, 'not yet'))}
${fact('Ended', time(run.finished_at, 'not yet'))}
${run.duration_ms === null ? null : fact('Duration', duration(run.duration_ms))}
${fact('Id', html`<span class="mono">${run.id}</span>`)}
</dl>
${(error?.stack ?? '') === '' ? null : html`<h2>Stack</h2><pre class="mono">${(error?.stack ?? '').slice(0, STACK_CHARS_MAX)}</pre>`}
${
  run.status !== 'failed'
    ? null
    : run.is_retried
      ? html`<p class="muted">This run was retried.</p>`
      : html`<form class="inline" method="post" action="/admin/runs/${workspaceId}/${run.id}/retry"><button>Retry the run</button><span class="muted">It runs with the current version of the script. The failed run has changed nothing.</span></form>`
}</section>`;
}
