/** The page of imports: a file becomes a dry run, which is a batch like any other. */
import type { Page } from '../navigation/page.ts';

export const importPages: readonly Page[] = [
  {
    path: 'imports',
    load: async () => (await import('./import-page.tsx')).ImportPage,
    palette: {
      label: 'Import a file',
      also: 'upload csv xlsx excel json ndjson dry run',
      area: 'engineering',
    },
  },
];
