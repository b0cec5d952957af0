/** The pages of imports: the history, and one import with its results and problems. */
import type { Page } from '../navigation/page.ts';

export const batchPages: readonly Page[] = [
  {
    path: 'batches',
    load: async () => (await import('./batch-list-page.tsx')).BatchListPage,
    palette: { label: 'Imports', also: 'batches sync history errors' },
  },
  { path: 'batches/$id', load: async () => (await import('./batch-page.tsx')).BatchPage },
];
