/** The page that a workspace begins with. */
import type { Page } from '../navigation/page.ts';

export const overviewPages: readonly Page[] = [
  {
    path: '/',
    load: async () => (await import('./overview-page.tsx')).OverviewPage,
    palette: { label: 'Overview', also: 'home start' },
  },
  {
    path: 'work',
    load: async () => (await import('./my-work-page.tsx')).MyWorkPage,
    palette: { label: 'My work', also: 'to do tasks assigned to me waits' },
  },
];
