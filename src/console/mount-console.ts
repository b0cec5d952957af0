/**
 * The operator's console at `/admin`: pages made here, without a script. Behind the gate of `operatorArea`; forms are posted
 * by the pages themselves, and a policy lets nothing else in.
 */
import type { Express, Request, Response } from 'express';
import type { Context } from '../context.ts';
import { AppError } from '../errors.ts';
import { sendAnswer } from '../http/answers/send-answer.ts';
import { consoleHeaders } from '../http/guards/security-headers.ts';
import { operatorArea, readForm } from '../operations/operator-area.ts';
import { whileDatabaseAnswers } from '../operations/while-database-answers.ts';
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
} from './console.sql.ts';
import { addFiles, PATH } from './console-files.ts';
import { HOURS } from './draw-series.ts';
import { readFailingWebhooks } from './failing-webhooks.ts';
import { findState } from './find-state.ts';
import { findWork } from './find-work.ts';
import { type FailureGroup, groupFailures, readFailures, type Work, works } from './group-failures.ts';
import { lineLimits, readLines } from './lines.ts';
import { workNames } from './page-parts.ts';
import {
  type ActionShown,
  actionPage,
  actionsPage,
  type Busy,
  failuresPage,
  groupPage,
  type OutcomeShown,
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
  readSeries,
  requireId,
  withoutNul,
} from './read-shown.ts';
import { refusingWithPage } from './refuse-with-page.ts';
import { retryFailures } from './retry-failures.ts';
import { isLate, tellDoneLate, tellFailedLate } from './tell-late.ts';
import { readWaitingDeliveries } from './waiting-deliveries.ts';
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

export function mountConsole(app: Express, ctx: Context): void {
  // Before the gate: the sign-in page is dressed by them too, and they hold nothing.
  addFiles(app);
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
    show(handled, { title: 'Work', at: 'work', body });
  });
  add('get', '/search', async (handled) => {
    const query = withoutNul(searchOf(handled.req).get('q') ?? '')
      .trim()
      .slice(0, QUERY_CHARS_MAX);
    if (query === '') throw new AppError('not_found', 'Nothing was looked for.');
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
      title: `${workNames[group.work]} that failed alike`,
      at: 'failures',
      body: groupPage(group),
    });
  });
  add('get', '/batches/:workspaceId/:id', async (handled) => {
    const { workspaceId, batch, ...standing } = await readBatch(handled.ctx.db, handled.params);
    const { SYNC_CHUNK_ATTEMPTS: attemptsMax } = handled.ctx.config;
    show(handled, {
      title: `Batch ${batch.id}`,
      at: null,
      body: batchPage(workspaceId, batch, { ...standing, attemptsMax }),
    });
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
    show(handled, { title: shown.name, at: null, body });
  });
  add('get', '/actions', async (handled) => {
    const before = searchOf(handled.req).get('before');
    if (before !== null) requireId(before);
    const actions = await reading(handled.ctx.db, (tx) => tx.query<ActionShown>(selectActions, [before]));
    show(handled, { title: 'Actions', at: 'actions', body: actionsPage(actions) });
  });
  add('get', '/actions/:id', async (handled) => {
    const id = requireId(handled.params.id);
    const { action, outcomes } = await reading(handled.ctx.db, async (tx) => {
      const [found] = await tx.query<ActionShown>(selectAction, [id]);
      if (found === undefined) throw new AppError('not_found', 'There is no such action.');
      return { action: found, outcomes: await tx.query<OutcomeShown>(selectOutcomes, [id]) };
    });
    show(handled, { title: 'What came of it', at: 'actions', body: actionPage(action, outcomes) });
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
    const subject = batch.failure?.message ?? `Batch ${batch.id}`;
    const action = await retryFailures(handled.ctx, { work: 'batch', subject, failures });
    lead(handled, `${PATH}/actions/${action}`);
  });
  add('post', '/batches/:workspaceId/:id/cancel', async (handled) => {
    const reason = requireReason(
      await readForm(handled.ctx, handled.req, handled.res),
      'whoever sent it reads it',
    );
    const { workspaceId, batch } = await readBatch(handled.ctx.db, handled.params);
    const { slug, id: batchId, profile_name: name } = batch;
    const action = await cancelForOperator(handled.ctx, { workspaceId, slug, batchId, name, reason });
    lead(handled, `${PATH}/actions/${action}`);
  });
  add('post', '/failures/:work/:key/retry', async (handled) => {
    const form = await readForm(handled.ctx, handled.req, handled.res);
    const group = await findGroup(handled);
    // Who saw three must not retry three hundred.
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
      const reason =
        doing === 'pause' ? requireReason(form, 'whoever finds it paused wants to know') : reasonOf(form);
      const workspace = await reading(handled.ctx.db, (tx) =>
        findWorkspace(tx, handled.params.slug as string),
      );
      await (doing === 'pause' ? pauseWork : resumeWork)(handled.ctx, { workspace, work, reason });
      lead(handled, `${PATH}/workspaces/${workspace.slug}`);
    });
  }
}

function show({ req, res }: Handled, page: Omit<Page, 'body'> & { body: Html }): void {
  // It was given up for a PostgreSQL that was silent, and answered then.
  if (res.headersSent) return;
  sendAnswer(req, res, {
    status: 200,
    bytes: Buffer.from(writePage(page)),
    headers: { 'Content-Type': 'text/html; charset=utf-8' },
  });
}

/** Leads on to what shows the outcome. */
function lead(handled: Handled, path: string): void {
  if (isLate(handled.res)) tellDoneLate(handled);
  else handled.res.redirect(303, path);
}

async function findGroup({ ctx, params }: Handled): Promise<FailureGroup> {
  const group = (await readGroups(ctx.db)).find((one) => one.work === params.work && one.key === params.key);
  if (group === undefined)
    throw new AppError(
      'not_found',
      'Nothing among the newest failures is like that any more: it was retried, is gone, or others have come in front of it.',
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
  if (reason === '') throw new AppError('validation_failed', `Say why: ${who}.`);
  return reason;
}

function searchOf(req: Request): URLSearchParams {
  return new URL(req.originalUrl, 'http://console').searchParams;
}

function workOf(text: string | null): Work {
  const work = works.find((one) => one === text);
  if (work === undefined) throw new AppError('validation_failed', 'Batches, automations or webhooks.');
  return work;
}
