/** Who may import whom in `web`, as data. A unit is a folder of `web`, or a file that stands directly in it. */

/** What every page may use. */
const foundation = ['client', 'navigation', 'components'] as const;

export const webMayImport: Readonly<Record<string, readonly string[]>> = {
  // From the ground up: the calls, the addresses, what pages are made of.
  client: [],
  navigation: ['client'],
  components: ['client', 'navigation'],

  // What people tell each other, at the foot of any page.
  collaboration: [...foundation],

  // Capabilities. Each may use those that it stands on.
  actions: [...foundation],
  entities: [...foundation, 'actions', 'collaboration'],
  stock: [...foundation, 'entities'],
  procurement: [...foundation, 'collaboration', 'entities', 'stock'],
  planning: [...foundation, 'entities', 'procurement'],
  batches: [...foundation, 'collaboration', 'entities', 'settings'],
  imports: [...foundation, 'entities', 'batches'],
  automations: [...foundation, 'actions', 'entities'],
  settings: [...foundation, 'entities'],
  me: [...foundation],
  overview: [...foundation, 'entities', 'stock', 'batches'],

  // Where everything is put together.
  pages: ['*'],
  shell: [...foundation, 'pages'],
  main: ['client', 'shell'],
  'vite.config': [],
};

/** Imports that the rules above refuse, each with its reason. A name that ends in / stands for a folder. An entry that no import needs fails the check. */
export const webExceptions: readonly { from: string; to: string; why: string }[] = [
  {
    from: 'web/client/operations.ts',
    to: 'clients/typescript/generated/operations.ts',
    why: 'One source of the operations for the web app and for other programs.',
  },
  {
    from: 'web/client/operations.ts',
    to: 'clients/typescript/generated/types.ts',
    why: 'The same.',
  },
  {
    from: 'web/entities/uses/use-order.ts',
    to: 'clients/typescript/reading-order.ts',
    why: 'The command line prints a level in the order in which the app shows it.',
  },
  {
    from: 'web/entities/uses/structure-export.tsx',
    to: 'clients/typescript/reading-order.ts',
    why: 'The same.',
  },
  {
    from: 'web/entities/uses/where-used-all.tsx',
    to: 'clients/typescript/reading-order.ts',
    why: 'The same.',
  },
  {
    from: 'web/entities/uses/where-used-tab.tsx',
    to: 'clients/typescript/reading-order.ts',
    why: 'The same.',
  },
  {
    from: 'web/stock/value/value-words.ts',
    to: 'clients/typescript/amount-text.ts',
    why: 'The app shows amounts of money as the command line prints them.',
  },
  { from: 'web/planning/', to: 'clients/typescript/amount-text.ts', why: 'The same.' },
  {
    from: 'web/planning/timeline-rows.tsx',
    to: 'clients/typescript/planning-words.ts',
    why: 'The app tells which actions change a line as the command line does.',
  },
  {
    from: 'web/stock/value/standard-cost.tsx',
    to: 'clients/typescript/variance-totals.ts',
    why: 'The app adds totals up as the command line does.',
  },
  {
    from: 'web/procurement/',
    to: 'clients/typescript/amount-text.ts',
    why: 'The same.',
  },
  {
    from: 'web/imports/',
    to: 'clients/readers/',
    why: 'A file becomes the same elements in the browser as by the command line: one reader for both.',
  },
  {
    from: 'web/automations/types.worker.ts',
    to: 'src/automation/conductor/api.d.ts',
    why: 'The declarations of what a script has, as text: the editor completes by what the sandbox gives.',
  },
  {
    from: 'web/entities/entities.pages.ts',
    to: 'stock',
    why: 'A tab of an entity that is a page of stock; the declaration alone, its code is loaded when it is opened.',
  },
  { from: 'web/entities/entities.pages.ts', to: 'procurement', why: 'The same.' },
];

/** Where a package may be imported: units, or files. docs/dependencies.md says what each is for. */
export const webPackageHomes: Readonly<Record<string, readonly string[]>> = {
  react: ['*'],
  'react-dom': ['main'],
  '@mantine/core': ['*'],
  '@tanstack/react-query': ['*'],
  '@tanstack/react-router': [
    'main',
    'navigation',
    'shell',
    'web/entities/entity-page.tsx',
    'web/settings/settings-page.tsx',
  ],
  '@tanstack/react-virtual': ['components'],
  '@simplewebauthn/browser': ['client'],
  '@dagrejs/dagre': ['components'],
  'd3-scale': ['components'],
  'd3-shape': ['components'],
  'get-nonce': ['main'],
  'markdown-to-jsx': ['collaboration'],
  'write-excel-file': ['components'],
  'typescript-web': ['automations'],
  '@codemirror/autocomplete': ['automations'],
  '@codemirror/commands': ['automations'],
  '@codemirror/lang-javascript': ['automations'],
  '@codemirror/language': ['automations'],
  '@codemirror/lint': ['automations'],
  '@codemirror/merge': ['automations'],
  '@codemirror/state': ['automations'],
  '@codemirror/view': ['automations'],
  '@lezer/highlight': ['automations'],
  qr: ['stock'],
  'zxing-wasm': ['stock'],
  vite: ['vite.config'],
  '@vitejs/plugin-react': ['vite.config'],
};

/** Files that are longer than 300 lines, and why. */
export const longWebFiles: Readonly<Record<string, string>> = {};
