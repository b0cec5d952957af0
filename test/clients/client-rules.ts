/** Who may import whom in `clients`, as data. A unit is a folder of `clients`. */

export const clientsMayImport: Readonly<Record<string, readonly string[]>> = {
  // Knows nothing but what the document says; nothing of the others.
  typescript: [],
  // Files to elements: no network, and of Node one file.
  readers: [],
  mcp: ['typescript'],
  cli: ['typescript', 'readers', 'mcp'],
  'pack-clients.ts': [],
};

/** Where a package may be imported: units. docs/dependencies.md says what each is for. */
export const clientPackageHomes: Readonly<Record<string, readonly string[]>> = {
  '@bomb.sh/tab': ['cli'],
  '@clack/prompts': ['cli'],
  '@modelcontextprotocol/server': ['mcp', 'cli'],
  commander: ['cli'],
  saxes: ['readers'],
  zod: ['readers', 'mcp'],
};

/** Files that only run in Node: the others run in browsers too. */
export const nodeOnly: Readonly<Record<string, string>> = {
  'clients/pack-clients.ts': 'A command: builds and packs.',
  'clients/readers/node-file.ts': 'Files on disk.',
  'clients/typescript/generate-client.ts': 'A command: writes the generated files.',
};

/** Files that are longer than 300 lines, and why. */
export const longClientFiles: Readonly<Record<string, string>> = {
  'clients/readers/table/map-table.ts':
    'One line after another: what is held of a line and what is said of it belong together.',
  'clients/readers/table/read-line.ts': 'One row to one line: every rule reads the same cells.',
  'clients/readers/read-elements.ts': 'The one way in for every format.',
  'clients/typescript/generated/operations.ts': 'Generated.',
  'clients/typescript/generated/types.ts': 'Generated.',
};
