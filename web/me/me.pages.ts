/** The page on which people change how they sign in. */
import type { Page } from '../navigation/page.ts';

export const mePages: readonly Page[] = [
  {
    path: 'me',
    load: async () => (await import('./me-page.tsx')).MePage,
    palette: { label: 'Me', also: 'account profile passkeys password sessions own keys' },
  },
];
