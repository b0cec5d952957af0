/** The pages of procurement: what is short, what was asked for, what was ordered. */
import type { Page } from '../navigation/page.ts';

/** The tab that an entity has of it. */
export const demandTab: Page = {
  path: 'demand',
  load: async () => (await import('./demand-tab.tsx')).DemandTab,
};

export const procurementPages: readonly Page[] = [
  {
    path: 'procurement',
    load: async () => (await import('./projects-page.tsx')).ProjectsPage,
    palette: { label: 'Projects and what they are short of', also: 'procurement shortages buyer' },
  },
  {
    path: 'procurement/requirements',
    load: async () => (await import('./requirements/requirement-list-page.tsx')).RequirementListPage,
    palette: { label: 'Requirements', also: 'demand material procurement' },
  },
  {
    path: 'procurement/requirements/$id',
    load: async () => (await import('./requirements/requirement-page.tsx')).RequirementPage,
  },
  {
    path: 'procurement/orders',
    load: async () => (await import('./orders/order-list-page.tsx')).OrderListPage,
    palette: { label: 'Orders', also: 'purchase sales manufacturing receive ship' },
  },
  {
    path: 'procurement/lines',
    load: async () => (await import('./lines/line-list-page.tsx')).LineListPage,
    palette: { label: 'Lines of orders, and what is overdue', also: 'late coming deliveries procurement' },
  },
  {
    path: 'procurement/reorder',
    load: async () => (await import('./reorder-page.tsx')).ReorderPage,
    palette: { label: 'Reorder list: what is below its point', also: 'buyer procurement planning minimum' },
  },
  {
    path: 'procurement/suppliers',
    load: async () => (await import('./suppliers/supplier-list-page.tsx')).SupplierListPage,
    palette: { label: 'Suppliers', also: 'vendors prices sku mpn procurement' },
  },
  {
    path: 'procurement/suppliers/$id',
    load: async () => (await import('./suppliers/supplier-page.tsx')).SupplierPage,
  },
  { path: 'procurement/orders/$id', load: async () => (await import('./orders/order-page.tsx')).OrderPage },
  { path: 'procurement/builds/$id', load: async () => (await import('./build-page.tsx')).BuildPage },
  {
    path: 'procurement/builds/$id/picks',
    load: async () => (await import('./pick-list-page.tsx')).PickListPage,
  },
  { path: 'procurement/projects/$id', load: async () => (await import('./project-page.tsx')).ProjectPage },
];
