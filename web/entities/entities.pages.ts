/** The pages of entities. The tabs of one entity are pages of their own; those of stock and demand come from there. */
import type { Page } from '../navigation/page.ts';
import { demandTab } from '../procurement/procurement.pages.ts';
import { stockTab } from '../stock/stock.pages.ts';

export const entityPages: readonly Page[] = [
  {
    path: 'entities',
    load: async () => (await import('./lists/entity-list-page.tsx')).EntityListPage,
    palette: { label: 'Items', also: 'entities parts assemblies find search' },
  },
  {
    path: 'entities/pending-links',
    load: async () => (await import('./pending-links-page.tsx')).PendingLinksPage,
    palette: { label: 'Pending links', also: 'pending parent missing guid cycle' },
  },
  {
    path: 'entities/compare',
    load: async () => (await import('./compare/compare-page.tsx')).ComparePage,
    palette: { label: 'Compare items', also: 'parts side by side differences' },
  },
  {
    path: 'bulk-edits',
    load: async () => (await import('./bulk-edits/bulk-edit-list-page.tsx')).BulkEditListPage,
    palette: { label: 'Bulk edits', also: 'change many items properties undo' },
  },
  {
    path: 'bulk-edits/$id',
    load: async () => (await import('./bulk-edits/bulk-edit-page.tsx')).BulkEditPage,
  },
  {
    path: 'entities/$id',
    load: async () => (await import('./entity-page.tsx')).EntityPage,
    children: [
      { path: '/', load: async () => (await import('./first-tab.tsx')).FirstTab },
      { path: 'properties', load: async () => (await import('./properties-tab.tsx')).PropertiesTab },
      { path: 'uses', load: async () => (await import('./uses/uses-tab.tsx')).UsesTab },
      { path: 'where-used', load: async () => (await import('./uses/where-used-tab.tsx')).WhereUsedTab },
      { path: 'revisions', load: async () => (await import('./revisions/revisions-tab.tsx')).RevisionsTab },
      { path: 'lifecycle', load: async () => (await import('./lifecycle-tab.tsx')).LifecycleTab },
      stockTab,
      demandTab,
    ],
  },
];
