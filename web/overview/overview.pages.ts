/** The page that a workspace begins with. */
import type { Page } from '../navigation/page.ts';

export const overviewPages: readonly Page[] = [
  {
    path: '/',
    load: async () => (await import('./overview-page.tsx')).OverviewPage,
    palette: { label: 'Overview', also: 'home start' },
  },
];
