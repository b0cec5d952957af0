/** The part of the walk that concerns bulk edits. */
import type { TestAnswer } from '../../setup/server.ts';

interface Given {
  params?: Record<string, string>;
  query?: Record<string, number>;
  body?: unknown;
}
type Call = (operationId: string, given?: Given) => Promise<TestAnswer['body']>;

interface Walker {
  show: Call;
  call: Call;
  until(
    operationId: string,
    given: Given,
    fits: (body: TestAnswer['body']) => boolean,
  ): Promise<TestAnswer['body']>;
}

/** Previews, applies and undoes a change of the purchased parts; the worker needs a moment for each. */
export async function editMany({ show, call, until }: Walker): Promise<void> {
  const body = {
    filter: { q: 'G-10', category: ['part'] },
    change: { state: 'In Review' },
    reason: 'Checked by the design office',
  };
  const ended = (id: string) =>
    until('getBulkEdit', { params: { id } }, ({ finishedAt }) => finishedAt !== null);
  const plan = await show('createBulkEdit', { body: { ...body, dryRun: true } });
  const second = await call('createBulkEdit', { body });
  await show('cancelBulkEdit', { params: { id: second.id } });
  await ended(plan.id);
  await show('listBulkEditResults', { params: { id: plan.id }, query: { limit: 2 } });
  const applied = await show('applyBulkEdit', { params: { id: plan.id }, body: {} });
  await ended(applied.id);
  await show('getBulkEdit', { params: { id: applied.id } });
  const undone = await show('undoBulkEdit', { params: { id: applied.id }, body: { reason: 'Too early' } });
  await ended(undone.id);
  await show('listBulkEdits', { query: { limit: 2 } });
}
