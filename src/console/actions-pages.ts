/** Pages of what the operator did, and with which outcome. */
import type { Work } from './actions/group-failures.ts';
import { itemLink, table, time, workNames, workspaceLink } from './page-parts.ts';
import { type Html, html } from './write-page.ts';

/** Actions on a page of the list. */
export const ACTIONS_SHOWN = 50;

export interface ActionShown {
  id: string;
  at: string;
  action: string;
  /** The value is null for an action on a whole workspace. */
  work: Work | null;
  workspace: string | null;
  subject: string;
  reason: string | null;
  items: number;
  /** Name of the person; null where the operator token was shown. */
  person_name: string | null;
  accepted?: number;
  refused?: number;
}

const actionNames: Record<string, string> = {
  retry: 'Retried',
  cancel: 'Cancelled',
  pause: 'Paused',
  resume: 'Resumed',
  create: 'Created the workspace',
  key: 'Created an admin key',
  appoint: 'Made an operator',
  dismiss: 'Removed an operator',
};

const byOf = ({ person_name: name }: ActionShown) => name ?? 'operator token';

const nameOf = ({ action, work }: ActionShown) =>
  `${actionNames[action] ?? action}${work === null ? '' : ` ${workNames[work].toLowerCase()}`}`;

/** Actions have no outcome while they run, and if PostgreSQL was lost in between. */
const withoutOutcome = (count: number) => (count === 0 ? '' : `, ${count} without an outcome`);

const doneWord = (action: string) => (action === 'cancel' ? 'cancelled' : 'queued');

export function actionsPage(actions: readonly ActionShown[]): Html {
  const last = actions.at(-1);
  return html`<section>${table(
    ['Time', 'Action', 'By', 'Workspace', 'Subject', 'Reason', 'Outcome'],
    actions.map((one) => [
      time(one.at),
      html`<a href="/admin/actions/${one.id}">${nameOf(one)}</a>`,
      byOf(one),
      one.workspace === null ? (one.work === null ? '' : 'several') : workspaceLink(one.workspace),
      one.action === 'pause' || one.action === 'resume' ? '' : one.subject,
      one.reason,
      one.items === 0
        ? ''
        : `${one.accepted ?? 0} of ${one.items} ${doneWord(one.action)}, ${one.refused ?? 0} refused${withoutOutcome(one.items - (one.accepted ?? 0) - (one.refused ?? 0))}`,
    ]),
    'No actions yet.',
  )}${last !== undefined && actions.length === ACTIONS_SHOWN ? html`<p><a href="/admin/actions?before=${last.id}">Earlier actions</a></p>` : null}</section>`;
}

export interface OutcomeShown {
  workspace: string;
  workspace_id: string | null;
  item: string;
  name: string | null;
  refusal: string | null;
  status: string | null;
}

export function actionPage(action: ActionShown, outcomes: readonly OutcomeShown[]): Html {
  const { work, items } = action;
  const accepted = outcomes.filter(({ refusal }) => refusal === null).length;
  return html`<section><p>${time(action.at)} · ${nameOf(action)} · ${action.subject} · by ${byOf(action)}</p>
${action.reason === null ? null : html`<p>Reason: ${action.reason}</p>`}
${items === 0 ? null : html`<p>${accepted} of ${items} ${doneWord(action.action)}, ${outcomes.length - accepted} refused${withoutOutcome(items - outcomes.length)}.</p>`}
${outcomes.length === items ? null : html`<p class="notice">Items without an outcome are still being processed, or were cut off when PostgreSQL was lost. Check them before you repeat the action. The log says what failed.</p>`}
${
  work === null
    ? null
    : table(
        ['Workspace', 'Item', 'Outcome', 'Present state'],
        outcomes.map((one) => [
          workspaceLink(one.workspace),
          one.workspace_id === null
            ? (one.name ?? one.item)
            : itemLink({ work, workspaceId: one.workspace_id, id: one.item, name: one.name }),
          one.refusal === null
            ? html`<span class="good">${doneWord(action.action)}</span>`
            : html`<span class="bad">${one.refusal}</span>`,
          one.status ?? '–',
        ]),
        '',
      )
}</section>`;
}
