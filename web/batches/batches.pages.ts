/** The pages of batches: what was sent, what became of it, what went wrong. */
import type { Page } from '../navigation/page.ts';

export const batchPages: readonly Page[] = [
  {
    path: 'batches',
    load: async () => (await import('./batch-list-page.tsx')).BatchListPage,
    palette: { label: 'Batches', also: 'sync imports errors night' },
  },
  { path: 'batches/$id', load: async () => (await import('./batch-page.tsx')).BatchPage },
];
