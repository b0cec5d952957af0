/** The page on which members read what others did. */
import type { Page } from '../navigation/page.ts';

export const collaborationPages: readonly Page[] = [
  {
    path: 'inbox',
    load: async () => (await import('./inbox-page.tsx')).InboxPage,
    palette: { label: 'Inbox', also: 'notifications mentions following subscriptions unread' },
  },
];
