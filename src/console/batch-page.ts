/** Page of a batch: its progress, why it is delayed, and possible actions. */
import type { Work } from './group-failures.ts';
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
  /** It ends when what it wrote is linked. */
  cancelling: boolean;
}

export interface BatchStanding {
  pauses: readonly { work: Work }[];
  progress: { done: number; elements: number; attempts: number };
  /** The line of its workspace; null where none is in line. */
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
  return html`${isPaused ? html`<p class="notice">Batches of this workspace are paused.</p>` : null}
<section><dl>
${fact('State', batch.status === 'failed' ? html`<b class="bad">failed</b>` : html`<b>${batch.status}</b> <span class="muted">${batch.phase}${isUnderWay && batch.cancelling ? ': it is being cancelled, and ends when what it wrote is linked' : ''}</span>`)}
${failure === null ? null : fact('Why', failure.message ?? failure.code ?? '')}
${cancellation === null ? null : fact('Cancelled', html`${time(cancellation.at)} by ${cancellation.type === 'operator' ? 'the operator' : `the key ${cancellation.name}`}${cancellation.reason === null ? '' : `: ${cancellation.reason}`}`)}
${fact('Workspace', workspaceLink(batch.slug))}
${fact('Import', batch.dry_run ? `${batch.profile_name} (dry run)` : batch.profile_name)}
${fact('Accepted', time(batch.submitted_at))}
${fact('Started', time(batch.started_at, 'not yet'))}
${isUnderWay ? null : fact('Ended', time(batch.finished_at))}
${isUnderWay && batch.started_at !== null ? fact('Last step', time(batch.progressed_at)) : null}
${!isUnderWay || line === null ? null : fact('In line', line.id === batch.id ? `first of ${line.count}` : html`behind <a href="/admin/batches/${workspaceId}/${line.id}">the first</a>, ${line.count} in all`)}
${isUnderWay && batch.chunk_count > 0 ? fact('Done', `${progress.done} of ${counted(batch.chunk_count, 'part')}, ${progress.elements} of ${counted(batch.element_count, 'element')}`) : null}
${isUnderWay && attempts > 0 ? fact('Failed attempts', html`<b class="bad">${attempts} of ${attemptsMax}</b> at a part; then the batch fails and makes way. The log says why, under its id.`) : null}
${fact('Elements', `${batch.element_count} in ${counted(batch.chunk_count, 'part')}`)}
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
${batch.request_id === null ? null : fact('Request', html`<span class="mono">${batch.request_id}</span>`)}
${batch.traceparent === null ? null : fact('Trace', html`<span class="mono">${batch.traceparent.split('-')[1] ?? ''}</span>`)}
</dl>
${isUnderWay && !batch.cancelling ? cancelForm(workspaceId, batch) : null}
${
  batch.status !== 'failed'
    ? null
    : batch.payload_kept
      ? html`<form class="inline" method="post" action="/admin/batches/${workspaceId}/${batch.id}/retry"><button>Retry the batch</button><span class="muted">What was applied stays; the rest is done, behind the batches that are in line.</span></form>`
      : html`<p class="notice">Its payload is past its retention: it has to be sent again.</p>`
}
</section>`;
}

/** Form without a second question: entering a reason is enough to think twice. */
function cancelForm(workspaceId: string, { id, dry_run: isPlan }: BatchShown): Html {
  return html`<form class="inline" method="post" action="/admin/batches/${workspaceId}/${id}/cancel">
<label>Reason, which whoever sent it reads<input name="reason" maxlength="500" required></label>
<button>Cancel the batch</button><span class="muted">${isPlan ? 'A dry run changes nothing.' : 'What was applied stays, the rest is not done.'} The next in line begins. What is cancelled is not taken up again: it has to be sent anew.</span></form>`;
}
