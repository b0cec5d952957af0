/** The actions of the console: each is a form of one of its pages. */

import { validateInput } from '../http/bodies/validate-input.ts';
import { readForm } from '../operations/operator-area.ts';
import { NewAdminKey, NewWorkspace } from '../workspaces/workspace.schema.ts';
import { cancelForOperator } from './actions/cancel-batch.ts';
import { createForOperator, createKeyForOperator } from './actions/create-workspace.ts';
import { pauseWork, resumeWork } from './actions/pause-work.ts';
import { retryFailures } from './actions/retry-failures.ts';
import { PATH } from './console-files.ts';
import {
  findGroup,
  type Handle,
  lead,
  REASON_CHARS_MAX,
  reasonOf,
  requireReason,
  showKey,
  textOf,
  workOf,
} from './handled.ts';
import { findWorkspace, readBatch, reading, readRun } from './read-shown.ts';

export function addActions(add: (method: 'post', path: string, handle: Handle) => unknown): void {
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
    const action = await retryFailures(handled.ctx, {
      work: 'batch',
      subject,
      failures,
      operator: handled.operator,
    });
    lead(handled, `${PATH}/actions/${action}`);
  });
  add('post', '/batches/:workspaceId/:id/cancel', async (handled) => {
    const reason = requireReason(
      await readForm(handled.ctx, handled.req, handled.res),
      'the sender can read it',
    );
    const { workspaceId, batch } = await readBatch(handled.ctx.db, handled.params);
    const { slug, id: batchId, profile_name: name } = batch;
    const action = await cancelForOperator(handled.ctx, {
      workspaceId,
      slug,
      batchId,
      name,
      reason,
      operator: handled.operator,
    });
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
    const subject = (run.error?.message ?? `Run of ${run.name ?? 'an automation'}`).slice(
      0,
      REASON_CHARS_MAX,
    );
    const action = await retryFailures(handled.ctx, {
      work: 'automation',
      subject,
      failures: [failure],
      operator: handled.operator,
    });
    lead(handled, `${PATH}/actions/${action}`);
  });
  add('post', '/workspaces', async (handled) => {
    const form = await readForm(handled.ctx, handled.req, handled.res);
    const fields = { slug: textOf(form, 'slug'), name: textOf(form, 'name') };
    const given = validateInput(NewWorkspace, fields, 'body');
    showKey(handled, 'Workspace created', await createForOperator(handled.ctx, handled.operator, given));
  });
  add('post', '/workspaces/:slug/admin-key', async (handled) => {
    const form = await readForm(handled.ctx, handled.req, handled.res);
    const given = validateInput(NewAdminKey, { name: textOf(form, 'name') }, 'body');
    const slug = handled.params.slug as string;
    showKey(
      handled,
      'Admin key created',
      await createKeyForOperator(handled.ctx, handled.operator, slug, given),
    );
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
    const action = await retryFailures(handled.ctx, { work, subject, failures, operator: handled.operator });
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
      await (doing === 'pause' ? pauseWork : resumeWork)(handled.ctx, {
        workspace,
        work,
        reason,
        operator: handled.operator,
      });
      lead(handled, `${PATH}/workspaces/${workspace.slug}`);
    });
  }
}
