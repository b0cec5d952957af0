/**
 * The operator's console at `/admin`: pages that the server writes, without scripts, behind the sign-in of `operatorArea`. Only forms of
 * these pages are accepted.
 */
import type { Express, Request, Response } from 'express';
import type { Context } from '../context.ts';
import { AppError } from '../errors.ts';
import { sendAnswer } from '../http/answers/send-answer.ts';
import { consoleHeaders } from '../http/guards/security-headers.ts';
import { operatorArea, readForm } from '../operations/operator-area.ts';
import { whileDatabaseAnswers } from '../operations/while-database-answers.ts';
import {
  ACTIONS_SHOWN,
  type ActionShown,
  actionPage,
  actionsPage,
  type OutcomeShown,
} from './actions-pages.ts';
import { batchPage } from './batch-page.ts';
import { cancelForOperator } from './cancel-batch.ts';
import {
  selectAction,
  selectActions,
  selectAllPauses,
  selectBusiest,
  selectMoving,
  selectOutcomes,
  selectPauses,
  selectWorkspaces,
} from './console.sql.ts';
import { addFiles, PATH } from './console-files.ts';
import { type CreatedKey, createForOperator, createKeyForOperator } from './create-workspace.ts';
import { HOURS } from './draw-series.ts';
import { readFailingWebhooks } from './failing-webhooks.ts';
import { findState } from './find-state.ts';
import { findWork } from './find-work.ts';
import { type FailureGroup, groupFailures, readFailures, type Work, works } from './group-failures.ts';
import { hostOf } from './host-of.ts';
import { lineLimits, readLines } from './lines.ts';
import { workNames } from './page-parts.ts';
import {
  type Busy,
  confirmRetryPage,
  failuresPage,
  groupPage,
  overviewPage,
  type Pause,
  searchPage,
  workspacePage,
} from './pages.ts';
import { pauseWork, resumeWork } from './pause-work.ts';
import {
  findWorkspace,
  readBatch,
  readGroups,
  reading,
  readRun,
  readSeries,
  requireId,
  withoutNul,
} from './read-shown.ts';
import { refusingWithPage } from './refuse-with-page.ts';
import { retryFailures } from './retry-failures.ts';
import { runPage } from './run-page.ts';
import { isLate, tellDoneLate, tellFailedLate } from './tell-late.ts';
import { readWaitingDeliveries } from './waiting-deliveries.ts';
import { keyPage, WORKSPACES_SHOWN, type WorkspaceListed, workspacesPage } from './workspaces-page.ts';
import { type Html, type Page, writePage } from './write-page.ts';

const REASON_CHARS_MAX = 500;
const QUERY_CHARS_MAX = 200;

interface Handled {
  ctx: Context;
  req: Request;
  res: Response;
  params: Record<string, string>;
}

type Handle = (handled: Handled) => Promise<void>;

export function mountConsole(app: Express, ctx: Context, webFolder: string): void {
  // Before the sign-in, whose page uses them too.
  addFiles(app, webFolder);
  const refused = refusingWithPage(ctx);
  const area = operatorArea(ctx, PATH, consoleHeaders, refused);
  const add = (method: 'get' | 'post', path: string, handle: Handle) =>
    area[method](path, (req, res) => {
      const params = req.params as Record<string, string>;
      const handled = handle({ ctx, req, res, params });
      if (method === 'post')
        handled.catch((error: unknown) => {
          if (isLate(res)) tellFailedLate({ ctx, req, res }, error);
        });
      whileDatabaseAnswers(ctx.readiness, handled, { mayBeDone: method === 'post' }).catch((error: unknown) =>
        refused(req, res, error),
      );
    });
  addPages(add);
  addActions(add);
  area.use((req, res) => refused(req, res, new AppError('not_found', 'There is nothing at this path.')));
  app.use(PATH, area);
}

function addPages(add: (method: 'get', path: string, handle: Handle) => unknown): void {
  add('get', '/', async (handled) => {
    const looking = findState(handled.ctx);
    const shown = await reading(handled.ctx.db, async (tx) => ({
      series: await readSeries(tx, ''),
      busiest: await tx.query<Busy>(selectBusiest, [HOURS]),
      pauses: await tx.query<Pause>(selectAllPauses),
      groups: groupFailures(await readFailures(tx)),
      webhooks: await readFailingWebhooks(tx),
      deliveries: await readWaitingDeliveries(tx),
      lines: await readLines(tx),
      moving: await tx.query<{ slug: string; name: string }>(selectMoving),
    }));
    const limits = lineLimits(handled.ctx.config);
    const body = overviewPage(shown.series, { ...shown, limits, state: await looking }, new Date());
    show(handled, { title: 'Overview', at: 'overview', body });
  });
  add('get', '/search', async (handled) => {
    const query = withoutNul(searchOf(handled.req).get('q') ?? '')
      .trim()
      .slice(0, QUERY_CHARS_MAX);
    if (query === '') throw new AppError('not_found', 'Enter a search text.');
    const body = searchPage(await findWork(handled.ctx.db, query));
    show(handled, { title: `Search: ${query}`, at: 'search', query, body });
  });
  add('get', '/failures', async (handled) => {
    show(handled, {
      title: 'Failures',
      at: 'failures',
      body: failuresPage(await readGroups(handled.ctx.db)),
    });
  });
  add('get', '/failures/:work/:key', async (handled) => {
    const group = await findGroup(handled);
    show(handled, {
      title: `${workNames[group.work]} with the same error`,
      at: 'failures',
      body: groupPage(group),
    });
  });
  add('get', '/failures/:work/:key/retry', async (handled) => {
    const body = confirmRetryPage(await findGroup(handled));
    show(handled, { title: 'Retry these failures?', at: 'failures', body });
  });
  add('get', '/runs/:workspaceId/:id', async (handled) => {
    const { workspaceId, run } = await readRun(handled.ctx.db, handled.params);
    const title = `Run of ${run.name ?? 'a deleted automation'}`;
    show(handled, { title, at: 'failures', body: runPage(workspaceId, run) });
  });
  add('get', '/batches/:workspaceId/:id', async (handled) => {
    const { workspaceId, batch, ...standing } = await readBatch(handled.ctx.db, handled.params);
    const { SYNC_CHUNK_ATTEMPTS: attemptsMax } = handled.ctx.config;
    show(handled, {
      title: `${batch.dry_run ? 'Dry run' : 'Import'} from ${batch.profile_name}`,
      at: null,
      body: batchPage(workspaceId, batch, { ...standing, attemptsMax }),
    });
  });
  add('get', '/workspaces', async (handled) => {
    const after = searchOf(handled.req).get('after');
    const rows = await reading(handled.ctx.db, (tx) =>
      tx.query<WorkspaceListed>(selectWorkspaces, [
        after === null ? null : withoutNul(after),
        WORKSPACES_SHOWN,
      ]),
    );
    show(handled, { title: 'Workspaces', at: 'workspaces', body: workspacesPage(rows, after) });
  });
  add('get', '/workspaces/:slug', async (handled) => {
    const shown = await reading(handled.ctx.db, async (tx) => {
      const { id, slug, name, state } = await findWorkspace(tx, handled.params.slug as string);
      const failures = (await readFailures(tx)).filter((one) => one.workspaceId === id);
      return {
        slug,
        name,
        state,
        pauses: await tx.query<Omit<Pause, 'slug'>>(selectPauses, [id]),
        series: await readSeries(tx, slug),
        lines: await readLines(tx, id),
        groups: groupFailures(failures),
        webhooks: await readFailingWebhooks(tx, id),
        deliveries: await readWaitingDeliveries(tx, id),
      };
    });
    const body = workspacePage({ ...shown, limits: lineLimits(handled.ctx.config) }, new Date());
    show(handled, { title: shown.name, at: 'workspaces', body });
  });
  add('get', '/actions', async (handled) => {
    const before = searchOf(handled.req).get('before');
    if (before !== null) requireId(before);
    const actions = await reading(handled.ctx.db, (tx) =>
      tx.query<ActionShown>(selectActions, [before, ACTIONS_SHOWN]),
    );
    show(handled, { title: 'Actions', at: 'actions', body: actionsPage(actions) });
  });
  add('get', '/actions/:id', async (handled) => {
    const id = requireId(handled.params.id);
    const { action, outcomes } = await reading(handled.ctx.db, async (tx) => {
      const [found] = await tx.query<ActionShown>(selectAction, [id]);
      if (found === undefined) throw new AppError('not_found', 'There is no such action.');
      return { action: found, outcomes: await tx.query<OutcomeShown>(selectOutcomes, [id]) };
    });
    show(handled, { title: 'Action', at: 'actions', body: actionPage(action, shownNames(action, outcomes)) });
  });
}

function addActions(add: (method: 'post', path: string, handle: Handle) => unknown): void {
  add('post', '/batches/:workspaceId/:id/retry', async (handled) => {
    await readForm(handled.ctx, handled.req, handled.res);
    const { workspaceId, batch } = await readBatch(handled.ctx.db, handled.params);
    const failure = {
      work: 'batch' as const,
      workspaceId,
      slug: batch.slug,
      id: batch.id,
      parent: null,
      isCut: false,
    };
    const failures = [
      { ...failure, at: batch.finished_at, text: '', requestId: batch.request_id, name: batch.profile_name },
    ];
    const subject = batch.failure?.message ?? `Import from ${batch.profile_name}`;
    const action = await retryFailures(handled.ctx, { work: 'batch', subject, failures });
    lead(handled, `${PATH}/actions/${action}`);
  });
  add('post', '/batches/:workspaceId/:id/cancel', async (handled) => {
    const reason = requireReason(
      await readForm(handled.ctx, handled.req, handled.res),
      'the sender can read it',
    );
    const { workspaceId, batch } = await readBatch(handled.ctx.db, handled.params);
    const { slug, id: batchId, profile_name: name } = batch;
    const action = await cancelForOperator(handled.ctx, { workspaceId, slug, batchId, name, reason });
    lead(handled, `${PATH}/actions/${action}`);
  });
  add('post', '/runs/:workspaceId/:id/retry', async (handled) => {
    await readForm(handled.ctx, handled.req, handled.res);
    const { workspaceId, run } = await readRun(handled.ctx.db, handled.params);
    const failure = {
      work: 'automation' as const,
      workspaceId,
      slug: run.slug,
      id: run.id,
      parent: run.automation_id,
      isCut: false,
      at: run.finished_at,
      text: '',
      requestId: null,
      name: run.name,
    };
    const subject = run.error?.message ?? `Run of ${run.name ?? 'an automation'}`;
    const action = await retryFailures(handled.ctx, { work: 'automation', subject, failures: [failure] });
    lead(handled, `${PATH}/actions/${action}`);
  });
  add('post', '/workspaces', async (handled) => {
    const form = await readForm(handled.ctx, handled.req, handled.res);
    const fields = { slug: textOf(form, 'slug'), name: textOf(form, 'name') };
    showKey(handled, 'Workspace created', await createForOperator(handled.ctx, fields));
  });
  add('post', '/workspaces/:slug/admin-key', async (handled) => {
    const form = await readForm(handled.ctx, handled.req, handled.res);
    const fields = { slug: handled.params.slug as string, name: textOf(form, 'name') };
    showKey(handled, 'Admin key created', await createKeyForOperator(handled.ctx, fields));
  });
  add('post', '/failures/:work/:key/retry', async (handled) => {
    const form = await readForm(handled.ctx, handled.req, handled.res);
    const group = await findGroup(handled);
    // The number may have grown since the page was shown.
    if (form.get('count') !== String(group.failures.length)) {
      lead(handled, `${PATH}/failures/${group.work}/${group.key}`);
      return;
    }
    const { work, text: subject, failures } = group;
    const action = await retryFailures(handled.ctx, { work, subject, failures });
    lead(handled, `${PATH}/actions/${action}`);
  });
  for (const doing of ['pause', 'resume'] as const) {
    add('post', `/workspaces/:slug/${doing}`, async (handled) => {
      const form = await readForm(handled.ctx, handled.req, handled.res);
      const work = workOf(form.get('work'));
      const reason = doing === 'pause' ? requireReason(form, 'your colleagues can read it') : reasonOf(form);
      const workspace = await reading(handled.ctx.db, (tx) =>
        findWorkspace(tx, handled.params.slug as string),
      );
      await (doing === 'pause' ? pauseWork : resumeWork)(handled.ctx, { workspace, work, reason });
      lead(handled, `${PATH}/workspaces/${workspace.slug}`);
    });
  }
}

function show({ req, res }: Handled, page: Omit<Page, 'body'> & { body: Html }): void {
  // The call was answered already because PostgreSQL did not respond in time.
  if (res.headersSent) return;
  sendAnswer(req, res, {
    status: 200,
    bytes: Buffer.from(writePage(page)),
    headers: { 'Content-Type': 'text/html; charset=utf-8' },
  });
}

/** Shows the key in the answer to the form, because it is stored nowhere. An answer that came too late is logged without it. */
function showKey(handled: Handled, title: string, { slug, key }: CreatedKey): void {
  if (isLate(handled.res)) tellDoneLate(handled);
  else show(handled, { title, at: 'workspaces', body: keyPage(slug, key) });
}

/** Shows only the host of a receiver. */
function shownNames({ work }: ActionShown, outcomes: readonly OutcomeShown[]): OutcomeShown[] {
  return outcomes.map((one) =>
    work === 'webhook' && one.name !== null ? { ...one, name: hostOf(one.name) } : one,
  );
}

const textOf = (form: URLSearchParams, name: string) => (form.get(name) ?? '').trim();

/** Redirects to the page that shows the outcome. */
function lead(handled: Handled, path: string): void {
  if (isLate(handled.res)) tellDoneLate(handled);
  else handled.res.redirect(303, path);
}

async function findGroup({ ctx, params }: Handled): Promise<FailureGroup> {
  const group = (await readGroups(ctx.db)).find((one) => one.work === params.work && one.key === params.key);
  if (group === undefined)
    throw new AppError(
      'not_found',
      'No open failure has this error any more. It was retried or deleted, or newer failures have replaced it in the list.',
    );
  return group;
}

function reasonOf(form: URLSearchParams): string {
  return withoutNul(form.get('reason') ?? '')
    .trim()
    .slice(0, REASON_CHARS_MAX);
}

function requireReason(form: URLSearchParams, who: string): string {
  const reason = reasonOf(form);
  if (reason === '') throw new AppError('validation_failed', `Enter a reason: ${who}.`);
  return reason;
}

function searchOf(req: Request): URLSearchParams {
  return new URL(req.originalUrl, 'http://console').searchParams;
}

function workOf(text: string | null): Work {
  const work = works.find((one) => one === text);
  if (work === undefined)
    throw new AppError(
      'validation_failed',
      'Choose imports, automations or webhooks (batch, automation, webhook).',
    );
  return work;
}
