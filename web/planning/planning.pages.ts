/** The pages of planning runs, which stand among those of procurement. */
import type { Page } from '../navigation/page.ts';

export const planningPages: readonly Page[] = [
  {
    path: 'procurement/plans',
    load: async () => (await import('./plan-list-page.tsx')).PlanListPage,
    palette: { label: 'Plan: what to order and to make', also: 'planning run mrp procurement' },
  },
  { path: 'procurement/plans/$id', load: async () => (await import('./plan-page.tsx')).PlanPage },
  {
    path: 'procurement/plans/$id/items/$item',
    load: async () => (await import('./timeline-page.tsx')).TimelinePage,
  },
];
