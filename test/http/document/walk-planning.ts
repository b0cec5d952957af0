/** The part of the walk that concerns planning runs. */
import type { TestAnswer } from '../../setup/server.ts';

interface Given {
  params?: Record<string, string>;
  query?: Record<string, string | number>;
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

/** Plans a wheel that is below its reorder point, dismisses the order that is proposed, and then commits it. */
export async function planOrders({ show, call, until }: Walker, wheel: string, shelf: string): Promise<void> {
  await call('setItemPlanning', {
    params: { itemEntityId: wheel },
    body: { policy: 'minMax', reorderPoint: 50_000, maximum: 60_000, locationEntityId: shelf },
  });
  const itemEntityId = wheel;
  const spans = [
    { itemEntityId, from: '2027-01-01', until: '2027-03-31', quantity: 500 },
    { itemEntityId, from: '2027-04-01', until: '2027-06-30', quantity: 400 },
  ];
  await show('setForecasts', { body: { forecasts: spans } });
  await show('listForecasts', { query: { item: wheel, limit: 2 } });
  await show('deleteForecast', { params: { itemEntityId, from: '2027-04-01' } });
  const { id } = await show('createPlanningRun', { body: { horizonDays: 120, weekdays: [1, 2, 3, 4, 5] } });
  const second = await call('createPlanningRun', {
    body: { structure: 'released', scope: { items: [wheel], locationEntityId: shelf } },
  });
  await show('cancelPlanningRun', { params: { id: second.id } });
  const params = { id };
  await until('getPlanningRun', { params }, ({ finishedAt }) => finishedAt !== null);
  await show('getPlanningRun', { params });
  await show('listPlanningRuns', { query: { limit: 2 } });
  const { items } = await call('listPlanningActions', { params, query: { item: wheel, action: 'order' } });
  await show('listPlanningActions', { params, query: { action: 'order', limit: 2 } });
  await show('getPlanningTimeline', { params: { ...params, itemEntityId: wheel } });
  await show('getPromise', { params: { id: wheel }, query: { quantity: 100 } });
  await show('comparePlanningRuns', { params, query: { with: id, limit: 2 } });
  const actions = [items[0].number];
  await show('dismissPlanningActions', { params, body: { actions } });
  await call('dismissPlanningActions', { params, body: { actions, dismissed: false } });
  await show('commitPlanningRun', { params, body: { actions, note: 'Plan of Monday' } });
}
