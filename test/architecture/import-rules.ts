/**
 * Who may import whom, as data. A unit is a folder of `src`, or a file that stands directly in it; `workers`,
 * `migrations`, `test` and `bench` are units too. Whatever is not listed is refused.
 */

/** Words that everybody uses: they say nothing of any capability. */
const vocabulary = [
  'actor',
  'areas',
  'json',
  'errors',
  'config',
  'log',
  'quantity',
  'units',
  'process',
  'telemetry',
  'fairness',
  'calendar',
] as const;
/** Shared machinery. It knows no capability; where it does, `exceptions` says why. */
const machinery = ['db', 'queue', 'events', 'idempotency', 'http', 'group-commit'] as const;

export const mayImport: Readonly<Record<string, readonly string[]>> = {
  actor: [],
  areas: ['errors'],
  errors: [],
  quantity: [],
  units: [],
  // Dates and working days.
  calendar: [],
  'server-urls': [],
  config: ['server-urls'],
  telemetry: [],
  log: ['config', 'telemetry'],
  process: ['config', 'log'],
  fairness: [],
  json: ['errors', 'fairness'],

  db: ['fairness', 'server-urls', 'telemetry', 'process'],
  queue: ['config', 'db', 'log', 'process', 'server-urls', 'telemetry'],
  events: ['db', 'queue', ...vocabulary],
  idempotency: ['db', ...vocabulary],
  http: ['db', 'idempotency', ...vocabulary],
  'group-commit': ['db', 'idempotency', 'http', ...vocabulary],
  embedded: ['config', 'server-urls', 'process'],

  // Capabilities, from the ground up: each may use those above it, never those below.
  audit: [...machinery, ...vocabulary],
  access: ['audit', ...machinery, ...vocabulary],
  configuration: ['audit', ...machinery, ...vocabulary],
  // What members follow, whatever capability it belongs to.
  subscriptions: [...machinery, ...vocabulary],
  // Files by the hash of their content, whatever they are for.
  blobs: ['db', ...vocabulary],
  entities: ['audit', 'blobs', 'configuration', 'subscriptions', ...machinery, ...vocabulary],
  pictures: ['blobs', 'configuration', 'entities', ...machinery, ...vocabulary],
  // Prices, and the exchange rates that convert them.
  money: ['db', ...vocabulary],
  stock: ['audit', 'configuration', 'entities', 'money', ...machinery, ...vocabulary],
  procurement: [
    'audit',
    'configuration',
    'entities',
    'money',
    'stock',
    'subscriptions',
    ...machinery,
    ...vocabulary,
  ],
  // Plans what procurement then orders.
  planning: [
    'audit',
    'configuration',
    'entities',
    'money',
    'stock',
    'procurement',
    ...machinery,
    ...vocabulary,
  ],
  // Archives, merges and replaces entities, whatever they are used by.
  cleanup: [
    'access',
    'audit',
    'configuration',
    'entities',
    'stock',
    'procurement',
    'planning',
    'subscriptions',
    'sync',
    ...machinery,
    ...vocabulary,
  ],
  // Addresses that show one list of another capability each.
  'csv-links': ['access', 'audit', 'configuration', 'entities', 'stock', ...machinery, ...vocabulary],
  // Stands before the interface and calls it.
  mcp: ['access', 'clients', 'http', ...vocabulary],
  kicad: ['configuration', 'entities', ...machinery, ...vocabulary],
  // What the definitions say is read by the same sources as on the command line.
  imports: ['audit', 'configuration', 'clients', ...machinery, ...vocabulary],
  // sync and automation never import each other: they meet in events.
  // Elements state supplier parts, which procurement takes.
  sync: [
    'access',
    'blobs',
    'configuration',
    'entities',
    'imports',
    'procurement',
    ...machinery,
    ...vocabulary,
  ],
  automation: [
    'access',
    'audit',
    'configuration',
    'entities',
    'stock',
    'procurement',
    'planning',
    ...machinery,
    ...vocabulary,
  ],
  webhooks: ['access', 'audit', 'configuration', ...machinery, ...vocabulary],
  // What members tell each other, and what they are told of.
  // Its mails wait in the queue of those of automations.
  collaboration: [
    'audit',
    'automation',
    'configuration',
    'entities',
    'subscriptions',
    ...machinery,
    ...vocabulary,
  ],
  // What a workspace as a whole says of itself: it reads what the others keep, and writes nothing.
  overview: ['stock', 'procurement', 'planning', 'sync', 'collaboration', ...machinery, ...vocabulary],
  workspaces: ['access', 'audit', 'configuration', ...machinery, ...vocabulary],
  transfer: ['stock', ...machinery, ...vocabulary],
  'web-app': ['http'],
  operations: ['access', ...machinery, ...vocabulary],
  // The operator looks over all workspaces and mends what has failed in any of them.
  console: [
    'operations',
    'access',
    'sync',
    'automation',
    'webhooks',
    'workspaces',
    'web-app',
    ...machinery,
    ...vocabulary,
  ],

  // Where everything is put together: the tables of contents and the entry.
  'mapped-entities': ['*'],
  context: ['*'],
  api: ['*'],
  'transition-effects': ['*'],
  jobs: ['*'],
  work: ['*'],
  retention: ['*'],
  main: ['*'],

  // What a thread runs, what a migration shares with the code, and what stands outside.
  workers: ['sync', 'automation', 'entities', 'pictures', 'procurement', 'planning', 'db', ...vocabulary],
  migrations: ['db'],
  // Programs that speak to the service; who imports whom among them is data in test/clients/client-rules.ts.
  clients: [],
  test: ['*'],
  bench: ['*'],
  deploy: [],
};

/** Units that stand outside the service: nothing in it imports them. */
export const outside: readonly string[] = ['test', 'bench', 'deploy', 'migrations', 'workers', 'main'];

/** Generated from the document of all routes: tests may name what answers hold by these types. */
export const documentTypes = 'web/client/operations.ts';

/** A command is an entry of its own, as main is: it may import anything. By the end of its name. */
export const commandEnding = '.command.ts';

export interface Exception {
  /** A file. */
  from: string;
  /** A unit that the file's own unit may not import. */
  to: string;
  why: string;
}

/** Each is used: one that no import needs any more fails the check. */
export const exceptions: readonly Exception[] = [
  {
    from: 'src/procurement/documents/draw-document.ts',
    to: 'clients',
    why: 'Printed orders show amounts with the decimals of their currency, as the app and the command line do.',
  },
  { from: 'src/procurement/documents/order-document.ts', to: 'clients', why: 'The same.' },
  {
    from: 'src/http/route.ts',
    to: 'context',
    why: 'Handlers get the context, whose type all of HTTP takes from here; the type alone.',
  },
];

/**
 * Nothing of HTTP below the routes: in a capability only these may import `src/http`, by the end of their names …
 */
export const httpSpeakers: readonly string[] = ['.routes.ts', '.schema.ts'];
/** … but for these files of `src/http`, which an operation may import too. */
export const belowRoutes: Readonly<Record<string, string>> = {
  'src/http/list.ts': 'A page and its cursor: the form of every list.',
  'src/http/csv-line.ts': 'One way of writing CSV, whoever exports.',
  'src/http/callers.ts': 'Callers as the pipeline knows them: types, which access fills.',
  'src/http/findings-of-issue.ts': 'Refusals of a schema read alike, whoever makes them.',
  'src/http/day.ts': 'A day as callers give it, which operations bound and calculate with.',
  'src/http/json-pointer.ts': 'Findings point into what was sent, whoever makes them.',
};
/** … and these files, which are HTTP themselves; of packages they may import `express`. */
export const httpItself: Readonly<Record<string, string>> = {
  'src/access/callers.ts': 'Finds out who is calling from a request.',
  'src/access/persons/passkeys.ts': 'Takes the site of a passkey from a request.',
  'src/access/persons/person-session.ts': 'Reads and gives the cookie of a person.',
  'src/access/persons/site.ts': 'Takes the address of the service from a request.',
  'src/configuration/answer-kind.ts': 'Makes the answers that three route files have in common.',
  'src/entities/structure/stream-items.ts': 'Writes an answer as it is made.',
  'src/sync/answer-batch.ts': 'Makes the answer that two route files have in common.',
  'src/overview/stream-changes.ts': 'Writes Server-Sent Events.',
  'src/sync/batch/stream-progress.ts': 'Writes Server-Sent Events.',
  'src/group-commit/combined-calls.ts':
    'Commits the answers to several requests in one transaction, and hands each its own.',
  'src/sync/table-body.ts': 'Reads a body that is a table for a call; the type alone.',
  'src/imports/csv-as-elements.ts': 'Holds a place until the answer is done; the type alone.',
  'src/web-app/mount-reference.ts': 'Answers with a page.',
  'src/web-app/mount-web-app.ts': 'Answers with pages and files.',
  'src/operations/operator-area.ts': 'The gate before pages that are no routes.',
  'src/console/mount-console.ts': 'Answers with pages.',
  'src/console/mount-actions.ts': 'Checks the fields of forms as bodies are checked.',
  'src/console/handled.ts': 'Answers with pages.',
  'src/console/refuse-with-page.ts': 'Answers with pages.',
  'src/console/tell-late.ts': 'Tells the log what a page was answered without.',
  'src/console/console-files.ts': 'Answers with what dresses the pages.',
  'src/operations/mount-queue-dashboard.ts': 'Mounts bull-board, which is an Express application of its own.',
};

/**
 * Where a package may be imported, by unit or by the end of a file's name; every dependency stands here.
 * docs/dependencies.md says what each is for.
 */
export const packageHomes: Readonly<Record<string, readonly string[]>> = {
  '@fontsource-variable/noto-sans-kr': [],
  '@fontsource-variable/noto-sans-sc': [],
  '@fontsource/ibm-plex-sans': [],
  '@fontsource/noto-emoji': [],
  '@fontsource/noto-sans-arabic': [],
  '@fontsource/noto-sans-hebrew': [],
  '@bull-board/api': ['operations'],
  '@bull-board/express': ['operations'],
  '@bull-board/ui': [],
  '@mikro-orm/core': ['db'],
  '@mikro-orm/migrations': ['db', 'migrations'],
  '@mikro-orm/postgresql': ['db', 'entities', '.entity.ts', 'mapped-entities'],
  '@opentelemetry/api': ['operations'],
  '@opentelemetry/exporter-trace-otlp-http': ['operations'],
  '@opentelemetry/resources': ['operations'],
  '@opentelemetry/sdk-trace': ['operations'],
  '@modelcontextprotocol/node': ['mcp'],
  '@modelcontextprotocol/server': ['mcp'],
  bullmq: ['queue'],
  '@atomic-ehr/ucum': ['units'],
  re2js: ['configuration'],
  croner: ['automation'],
  '@simplewebauthn/server': ['access'],
  jose: ['access'],
  'openid-client': ['access'],
  nodemailer: ['automation'],
  'bwip-js': ['entities'],
  fontkit: ['procurement'],
  'bidi-js': ['procurement'],
  pdfkit: ['procurement'],
  compression: ['http'],
  express: ['api', 'http', 'operations', 'web-app', 'console'],
  helmet: ['http'],
  ioredis: ['queue', 'context', 'http'],
  kysely: ['db'],
  pg: ['db', 'embedded'],
  pino: ['*'],
  piscina: ['sync', 'automation', 'planning', 'fairness'],
  'prom-client': ['operations'],
  'quickjs-emscripten': ['automation'],
  'rate-limiter-flexible': ['http'],
  zod: ['*'],
  sharp: ['pictures'],
  'zod-openapi': ['http'],
};
