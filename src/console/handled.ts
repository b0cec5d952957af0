/** Code that the pages and actions of the console share: their call, their answers, and the fields of their forms. */
import type { Actor } from '../actor.ts';
import { AppError } from '../errors.ts';
import { sendAnswer } from '../http/answers/send-answer.ts';
import type { Call } from '../http/route.ts';
import type { CreatedKey } from './actions/create-workspace.ts';
import { type FailureGroup, type Work, works } from './actions/group-failures.ts';
import { hostOf } from './actions/host-of.ts';
import type { ActionShown, OutcomeShown } from './actions-pages.ts';
import { readGroups, withoutNul } from './read-shown.ts';
import { isLate, tellDoneLate } from './tell-late.ts';
import { keyPage } from './workspaces-page.ts';
import { type Html, type Page, writePage } from './write-page.ts';

export const REASON_CHARS_MAX = 500;

export interface Handled extends Pick<Call, 'ctx' | 'req' | 'res'> {
  params: Record<string, string>;
  /** The actor of the call. */
  operator: Actor;
}

export type Handle = (handled: Handled) => Promise<void>;

export function show({ req, res }: Handled, page: Omit<Page, 'body'> & { body: Html }): void {
  // The call was answered already because PostgreSQL did not respond in time.
  if (res.headersSent) return;
  sendAnswer(req, res, {
    status: 200,
    bytes: Buffer.from(writePage(page)),
    headers: { 'Content-Type': 'text/html; charset=utf-8' },
  });
}

/** Shows the key in the answer to the form, because it is stored nowhere. An answer that came too late is logged without it. */
export function showKey(handled: Handled, title: string, { slug, key }: CreatedKey): void {
  if (isLate(handled.res)) tellDoneLate(handled);
  else show(handled, { title, at: 'workspaces', body: keyPage(slug, key) });
}

/** Shows only the host of a receiver. */
export function shownNames({ work }: ActionShown, outcomes: readonly OutcomeShown[]): OutcomeShown[] {
  return outcomes.map((one) =>
    work === 'webhook' && one.name !== null ? { ...one, name: hostOf(one.name) } : one,
  );
}

export const textOf = (form: URLSearchParams, name: string) => (form.get(name) ?? '').trim();

/** Redirects to the page that shows the outcome. */
export function lead(handled: Handled, path: string): void {
  if (isLate(handled.res)) tellDoneLate(handled);
  else handled.res.redirect(303, path);
}

export async function findGroup({ ctx, params }: Handled): Promise<FailureGroup> {
  const group = (await readGroups(ctx.db)).find((one) => one.work === params.work && one.key === params.key);
  if (group === undefined)
    throw new AppError(
      'not_found',
      'No open failure has this error any more. It was retried or deleted, or newer failures have replaced it in the list.',
    );
  return group;
}

export function reasonOf(form: URLSearchParams): string {
  return withoutNul(form.get('reason') ?? '')
    .trim()
    .slice(0, REASON_CHARS_MAX);
}

export function requireReason(form: URLSearchParams, who: string): string {
  const reason = reasonOf(form);
  if (reason === '') throw new AppError('validation_failed', `Enter a reason: ${who}.`);
  return reason;
}

export function searchOf(req: Call['req']): URLSearchParams {
  return new URL(req.originalUrl, 'http://console').searchParams;
}

export function workOf(text: string | null): Work {
  const work = works.find((one) => one === text);
  if (work === undefined)
    throw new AppError(
      'validation_failed',
      'Choose imports, automations or webhooks (batch, automation, webhook).',
    );
  return work;
}
