/** Page of an import: its progress, why it waits, and actions. */
import type { Work } from './actions/group-failures.ts';
import type { Line } from './lines.ts';
import { counted, time, workspaceLink } from './page-parts.ts';
import { type Html, html, type Piece } from './write-page.ts';

export interface BatchShown {
  slug: string;
  id: string;
  status: string;
  phase: string;
  profile_name: string;
  dry_run: boolean;
  submitted_at: string;
  started_at: string | null;
  finished_at: string | null;
  progressed_at: string;
  attempts: number;
  request_id: string | null;
  element_count: number;
  chunk_count: number;
  counts: Record<string, number> | null;
  failure: { code?: string; message?: string } | null;
  payload_kept: boolean;
  cancellation: { at: string; type: string; name: string; reason: string | null } | null;
  traceparent: string | null;
  /** It is being cancelled, and ends when its written entities are linked. */
  cancelling: boolean;
}

export interface BatchStanding {
  pauses: readonly { work: Work }[];
  progress: { done: number; elements: number; attempts: number };
  /** The line of its workspace; null if it is empty. */
  line: Line | null;
  attemptsMax: number;
}

export function batchPage(workspaceId: string, batch: BatchShown, standing: BatchStanding): Html {
  const { pauses, progress, line, attemptsMax } = standing;
  const { counts, failure, cancellation } = batch;
  const isUnderWay = batch.status === 'queued' || batch.status === 'processing';
  const attempts = Math.max(progress.attempts, batch.attempts);
  const fact = (name: string, value: Piece) => html`<dt>${name}</dt><dd>${value}</dd>`;
  const isPaused = pauses.some(({ work }) => work === 'batch');
  return html`${isPaused ? html`<p class="notice">Imports of this workspace are paused.</p>` : null}
<section><dl>
${fact('State', batch.status === 'failed' ? html`<b class="bad">failed</b>` : html`<b>${batch.status}</b> <span class="muted">${batch.phase}${isUnderWay && batch.cancelling ? ': it is being cancelled, and ends when its written entities are linked' : ''}</span>`)}
${failure === null ? null : fact('Error', failure.message ?? failure.code ?? '')}
${cancellation === null ? null : fact('Cancelled', html`${time(cancellation.at)} by ${cancellation.type === 'operator' ? 'the operator' : `the key ${cancellation.name}`}${cancellation.reason === null ? '' : `: ${cancellation.reason}`}`)}
${fact('Workspace', workspaceLink(batch.slug))}
${fact('Import', batch.dry_run ? `${batch.profile_name} (dry run)` : batch.profile_name)}
${fact('Accepted', time(batch.submitted_at))}
${fact('Started', time(batch.started_at, 'not yet'))}
${isUnderWay ? null : fact('Ended', time(batch.finished_at))}
${isUnderWay && batch.started_at !== null ? fact('Last progress', time(batch.progressed_at)) : null}
${!isUnderWay || line === null ? null : fact('In line', line.id === batch.id ? `first of ${line.count}` : html`behind <a href="/admin/batches/${workspaceId}/${line.id}">the first</a> of ${line.count}`)}
${isUnderWay && batch.chunk_count > 0 ? fact('Completed', `${progress.done} of ${counted(batch.chunk_count, 'chunk')}, ${progress.elements} of ${counted(batch.element_count, 'element')}`) : null}
${isUnderWay && attempts > 0 ? fact('Failed attempts', html`<b class="bad">${attempts} of ${attemptsMax}</b> at one chunk. Then the import fails and the next one starts. The log has the reason under the id of the import.`) : null}
${fact('Elements', `${batch.element_count} in ${counted(batch.chunk_count, 'chunk')}`)}
${
  counts === null
    ? null
    : fact(
        'Counts',
        Object.entries(counts)
          .map(([name, count]) => `${count} ${name}`)
          .join(', '),
      )
}
${fact('Id', html`<span class="mono">${batch.id}</span>`)}
${batch.request_id === null ? null : fact('Request', html`<span class="mono">${batch.request_id}</span>`)}
${batch.traceparent === null ? null : fact('Trace', html`<span class="mono">${batch.traceparent.split('-')[1] ?? ''}</span>`)}
</dl>
${isUnderWay && !batch.cancelling ? cancelForm(workspaceId, batch) : null}
${
  batch.status !== 'failed'
    ? null
    : batch.payload_kept
      ? html`<form class="inline" method="post" action="/admin/batches/${workspaceId}/${batch.id}/retry"><button>Retry the import</button><span class="muted">What was applied stays. The rest is processed behind the imports in line.</span></form>`
      : html`<p class="notice">Its payload is past its retention. Ask the sender to send it again.</p>`
}
</section>`;
}

/** The form asks no second question, because it asks for a reason. */
function cancelForm(workspaceId: string, { id, dry_run: isPlan }: BatchShown): Html {
  return html`<form class="inline" method="post" action="/admin/batches/${workspaceId}/${id}/cancel">
<label>Reason, which the sender can read<input name="reason" maxlength="500" required></label>
<button>Cancel the import</button><span class="muted">${isPlan ? 'A dry run changes nothing.' : 'What was applied stays, the rest is not processed.'} The next import starts. A cancelled import cannot be resumed; it must be sent again.</span></form>`;
}
