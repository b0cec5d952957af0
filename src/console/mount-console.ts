/**
 * The operator's console at `/admin`: pages that the server writes, without scripts, behind the sign-in of `operatorArea`. Only forms of
 * these pages are accepted.
 */
import type { Express } from 'express';
import { AppError } from '../errors.ts';
import { consoleHeaders } from '../http/guards/security-headers.ts';
import type { Call } from '../http/route.ts';
import { actorOf, operatorArea } from '../operations/operator-area.ts';
import { whileDatabaseAnswers } from '../operations/while-database-answers.ts';
import {
  selectAction,
  selectActions,
  selectAllPauses,
  selectBusiest,
  selectMoving,
  selectOutcomes,
  selectPauses,
  selectWorkspaces,
} from './actions/console.sql.ts';
import { findWork } from './actions/find-work.ts';
import { groupFailures, readFailures } from './actions/group-failures.ts';
import {
  ACTIONS_SHOWN,
  type ActionShown,
  actionPage,
  actionsPage,
  type OutcomeShown,
} from './actions-pages.ts';
import { batchPage } from './batch-page.ts';
import { addFiles, PATH } from './console-files.ts';
import { HOURS } from './draw-series.ts';
import { readFailingWebhooks } from './failing-webhooks.ts';
import { findState } from './find-state.ts';
import { findGroup, type Handle, searchOf, show, shownNames } from './handled.ts';
import { lineLimits, readLines } from './lines.ts';
import { addActions } from './mount-actions.ts';
import { addOperators } from './operators.ts';
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
import { runPage } from './run-page.ts';
import { isLate, tellFailedLate } from './tell-late.ts';
import { readWaitingDeliveries } from './waiting-deliveries.ts';
import { WORKSPACES_SHOWN, type WorkspaceListed, workspacesPage } from './workspaces-page.ts';

const QUERY_CHARS_MAX = 200;

export function mountConsole(app: Express, ctx: Call['ctx'], webFolder: string): void {
  // Before the sign-in, whose page uses them too.
  addFiles(app, webFolder);
  const refused = refusingWithPage(ctx);
  const area = operatorArea(ctx, PATH, consoleHeaders, refused);
  const add = (method: 'get' | 'post', path: string, handle: Handle) =>
    area[method](path, (req, res) => {
      const params = req.params as Record<string, string>;
      const handled = handle({ ctx, req, res, params, operator: actorOf(res) });
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
  addOperators(add);
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
