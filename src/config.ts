/**
 * Configuration: read once from the environment, checked, frozen. A wrong value stops the start with one
 * line per problem. Every limit of the service stands here.
 */
import { isIP } from 'node:net';
import { z } from 'zod';
import { databaseHostUrls } from './server-urls/database-host-urls.ts';
import { redisTarget } from './server-urls/redis-target.ts';

const MiB = 1024 * 1024;

/** Limits of the API on the texts and properties of an entity. Settings may lower them. */
export const entityLimits = {
  numberCharsMax: 255,
  nameCharsMax: 1024,
  noteCharsMax: 4096,
  propertyKeyCharsMax: 255,
  propertyValueCharsMax: 32_768,
  propertiesMax: 500,
} as const;

/** Limits of printed orders and their template. What a document leaves out of a long text is in the CSV. */
export const documentLimits = {
  linesMax: 1000,
  columnsMax: 12,
  titleCharsMax: 60,
  textCharsMax: 2000,
  cellCharsMax: 500,
  cellLinesMax: 12,
  senderLinesMax: 10,
  headerLinesMax: 20,
  footerLinesMax: 4,
  totalsMax: 20,
  /** Files of faces that a thread keeps open. */
  openFontsMax: 64,
  /** Characters without a face that a document names. */
  unprintedMax: 20,
} as const;

/** Limits of one revaluation of stock. Layers of a step are verified at once. */
export const revaluationLimits = { locationsMax: 1000, layersMax: 200_000, layersOfStep: 2000 } as const;

const integer = (min: number, max: number, fallback: number) =>
  z.coerce.number().int().min(min).max(max).default(fallback);
const upTo = (max: number) => integer(1, max, max);
const flag = (fallback: boolean) =>
  z
    .enum(['true', 'false', '1', '0'])
    .default(fallback ? 'true' : 'false')
    .transform((text) => text === 'true' || text === '1');

const namedNetworks = ['loopback', 'linklocal', 'uniquelocal'];

/**
 * Proxies in front of the service, in the form that Express takes. "true" would believe whoever connects: a client
 * would choose the address that limits and logs know it by.
 */
const TrustedProxies = z
  .string()
  .default('false')
  .transform((text, context): false | number | string[] => {
    const refuse = (message: string) => {
      context.addIssue({ code: 'custom', message });
      return z.NEVER;
    };
    if (text === 'false' || text === '0') return false;
    if (text === 'true') {
      return refuse(
        '"true" would let every client choose its address; say how many proxies stand in front, or their networks',
      );
    }
    if (/^\d+$/.test(text)) return Number(text) <= 32 ? Number(text) : refuse('at most 32 proxies in a row');
    const networks = text.split(',').map((network) => network.trim());
    const wrong = networks.find((network) => !isNetwork(network));
    return wrong === undefined
      ? networks
      : refuse(
          `"${wrong}" is neither an address nor a network such as 10.0.0.0/8, nor ${namedNetworks.join(', ')}`,
        );
  });

/** An address, or a network smaller than everything. */
function isNetwork(text: string): boolean {
  if (namedNetworks.includes(text)) return true;
  const [, address = '', bits] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(text) ?? [];
  const family = isIP(address);
  const most = family === 4 ? 32 : 128;
  return family !== 0 && (bits === undefined || (Number(bits) >= 1 && Number(bits) <= most));
}

/** A URL whose form that function knows: it throws a sentence where the form is wrong. */
function checkedBy(read: (text: string) => unknown) {
  return z.string().superRefine((text, context) => {
    try {
      read(text);
    } catch (error) {
      context.addIssue({ code: 'custom', message: (error as Error).message });
    }
  });
}

/** Tokens travel over TLS; a provider on this machine may do without. */
function requireIssuer(text: string): void {
  const { protocol, hostname } = URL.canParse(text) ? new URL(text) : new URL('x:');
  const isLocal = hostname === 'localhost' || hostname === '127.0.0.1';
  if (protocol === 'https:' || (protocol === 'http:' && isLocal)) return;
  throw new Error('must be an address that begins with https://');
}

/**
 * Address of one host, or of several (`host1:5432,host2:5432`) of which the service uses the one that accepts
 * writes.
 */
const DatabaseUrl = checkedBy(databaseHostUrls);

const Environment = z.object({
  PORT: integer(0, 65_535, 3000),
  HOST: z.string().default('127.0.0.1'),
  DATA_DIR: z.string().min(1).default('.data'),
  CACHE_DIR: z.string().min(1).default('.cache'),
  /** The service's login: it owns nothing and is a member of partbook_app and partbook_system. */
  DATABASE_URL: DatabaseUrl.optional(),
  /** Hosts that follow it, for reads of callers who take what is a moment old (`Prefer: stale-ok`); each may be any of several. */
  DATABASE_STANDBY_URL: DatabaseUrl.optional(),
  /** Maximum age of data read from standbys. */
  STANDBY_LAG_SECONDS: integer(1, 3600, 10),
  /** The login that owns the schema. Where it is set a start migrates; otherwise `migrate` has to be run before. */
  DATABASE_MIGRATION_URL: DatabaseUrl.optional(),
  /** Folder in which the embedded PostgreSQL archives its log, for point-in-time recovery (docs/operations.md). */
  DATABASE_ARCHIVE_DIR: z.string().min(1).optional(),
  /** For `npm run workspace -- move`: the owner of the schema to which a workspace is taken. */
  MOVE_TARGET_URL: DatabaseUrl.optional(),
  /** And the owner of this one as the other PostgreSQL reaches it, where that is not `DATABASE_MIGRATION_URL`. */
  MOVE_SOURCE_URL: DatabaseUrl.optional(),
  /**
   * And what turns the balancer, a line for the shell: started before the stop, told the slug on its standard input as soon as the
   * workspace is worked on there. Callers are told that it is gone here only when it has ended well.
   */
  MOVE_TURN_COMMAND: z.string().min(1).optional(),
  /** Address of one server, of sentinels, or of a cluster (src/server-urls.ts has the forms). */
  REDIS_URL: checkedBy(redisTarget).optional(),
  QUEUE_PREFIX: z
    .string()
    .regex(/^[A-Za-z0-9_-]+$/)
    .default('partbook'),
  /**
   * Which slugs workspaces get that are made here, as a regular expression for the whole of it. Installations behind one
   * address give slugs that no other of them gives.
   */
  WORKSPACE_SLUGS: checkedBy((text) => new RegExp(text)).default('.*'),
  /**
   * Address by which browsers reach the service, such as https://partbook.example.com: links of invitations lead there, and passkeys
   * are bound to its name for ever. Without it passkeys work at localhost alone.
   */
  PUBLIC_URL: z
    .url({ protocol: /^https?$/ })
    .transform((text) => new URL(text).origin)
    .optional(),
  /**
   * OpenID Connect provider by which persons sign in, such as https://login.example.com/realms/acme, with the client that it knows. It needs
   * `PUBLIC_URL`: the provider sends browsers to `PUBLIC_URL/api/sign-in/callback`.
   */
  OIDC_ISSUER: checkedBy(requireIssuer).optional(),
  OIDC_CLIENT_ID: z.string().min(1).max(255).optional(),
  OIDC_CLIENT_SECRET: z.string().min(1).max(1000).optional(),
  /** Name on the button of the sign-in page; the host of the issuer if absent. */
  OIDC_NAME: z.string().min(1).max(60).optional(),
  OIDC_SCOPE: z
    .string()
    .regex(/(^| )openid( |$)/, 'must contain openid')
    .default('openid profile offline_access'),
  /** Claim with the groups that `/group-rules` maps to areas. */
  OIDC_GROUPS_CLAIM: z.string().min(1).max(255).default('groups'),
  /** Groups for which every workspace may write rules, separated by commas; `*` at the end stands for any ending. */
  OIDC_GROUPS: z
    .string()
    .max(10_000)
    .default('')
    .transform((text) =>
      text
        .split(',')
        .map((group) => group.trim())
        .filter((group) => group !== ''),
    ),
  /** Group of the provider whose persons are operators; unset: operators are made by hand alone. */
  OIDC_OPERATOR_GROUP: z.string().min(1).max(255).optional(),
  /** How often a refresh token is tried while its person has a session. */
  OIDC_CHECK_MINUTES: integer(1, 1440, 15),
  /** Sessions end when the provider has not answered about their person for so long, and after so long where it gives no refresh token. */
  OIDC_SILENT_HOURS: integer(1, 720, 24),
  OIDC_SESSION_HOURS: integer(1, 720, 8),
  OPERATOR_TOKEN: z.string().min(16, 'must have at least 16 characters').optional(),
  /** Port of this process's metrics; without a port nothing is counted. */
  METRICS_PORT: z.coerce.number().int().min(0).max(65_535).optional(),
  METRICS_HOST: z.string().default('127.0.0.1'),
  /** Takes traces by OTLP over HTTP (`/v1/traces` is added); without it nothing is traced and nothing of it loaded. */
  OTEL_EXPORTER_OTLP_ENDPOINT: z.url({ protocol: /^https?$/ }).optional(),
  OTEL_SERVICE_NAME: z.string().min(1).max(255).default('partbook'),
  /** The share of traces that begin here and are kept; of a caller's trace the caller decides. */
  OTEL_TRACES_SAMPLER_ARG: z.coerce.number().min(0).max(1).default(1),
  LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']).default('info'),
  /** How many proxies stand in front, or their networks: their X-Forwarded-For says who the client is. */
  TRUST_PROXY: TrustedProxies,

  DATABASE_POOL_MAX: integer(2, 1000, 10),
  /** How long a call waits for what another call or a batch of its workspace holds; then it is refused with 409. */
  LOCK_TIMEOUT_MS: integer(10, 600_000, 10_000),
  /** How long a call waits for a connection while others of its workspace use all that it can have. */
  CONNECTION_PATIENCE_MS: integer(10, 600_000, 10_000),
  /**
   * A connection on which PostgreSQL says nothing for so long while an answer is owed is given up: longer than locks
   * are waited for, shorter than callers wait.
   */
  DATABASE_ANSWER_SECONDS: integer(1, 3600, 15),
  /** Bytes that are read at once for a plan, in portions of a bounded number of rows. A plan that has larger ones is refused. */
  DATABASE_COPY_BYTES_MAX: integer(1024, 1024 * MiB, 256 * MiB),
  /**
   * How statements travel: `pipelined` sends those of one moment together, by parts of the driver that its documentation does not
   * promise; `plain` sends one after the other through the documented interface, which costs a round trip for each.
   */
  DATABASE_WIRE: z.enum(['pipelined', 'plain']).default('pipelined'),
  /**
   * Whether the processes of PostgreSQL that work for threads get THREAD_NICE too. It has an effect only on Linux, where PostgreSQL
   * runs on the same machine and lets the service do so, as the embedded one does.
   */
  DATABASE_NICE: flag(true),
  /** A call waits so long for the queue server to take its announcement; healing makes it otherwise. */
  QUEUE_PATIENCE_MS: integer(1, 60_000, 250),
  /** Threads that cut and stage request bodies, per web process. */
  INTAKE_THREADS: integer(1, 64, 1),
  /** Threads that apply chunks, per worker process. */
  SYNC_THREADS: integer(1, 64, 2),
  /** Chunk jobs of one batch in flight at once: the window that keeps one batch from crowding out the others. */
  SYNC_JOBS_PER_BATCH: integer(1, 64, 2),
  /**
   * How much the threads that cut, apply, merge and run scripts stand back (as `nice`), where Linux lets them: an event
   * loop that has something to do, and the database, then get a processor before them.
   */
  THREAD_NICE: integer(0, 19, 5),
  /**
   * When a workspace that keeps the machine busy pauses while others call: `crowded` if the event loop has to wait for a processor, which
   * `/proc/self/schedstat` says on Linux (elsewhere as `always`); `always`; or `never`.
   */
  HEAVY_PAUSES: z.enum(['crowded', 'always', 'never']).default('crowded'),
  SYNC_CHUNK_ELEMENTS: integer(1, 20_000, 2500),
  /** Steps of a batch that take little are taken one behind the other for so long while a further job has room, before its next one is announced; 0 for one at a time. */
  SYNC_TURN_MS: integer(0, 10_000, 50),
  /** Attempts at one chunk before its batch fails. */
  SYNC_CHUNK_ATTEMPTS: integer(1, 100, 5),
  /** A batch that stands still for so long because somebody else holds a lock on what it changes counts as one of them. */
  SYNC_LOCK_SECONDS: integer(1, 3600, 30),
  /** Elements of a batch, 64 kB in all, that is applied where it is accepted while its sender waits; 0: none is. */
  SYNC_AT_ONCE_ELEMENTS_MAX: integer(0, 1000, 250),
  SYNC_WAIT_SECONDS: integer(0, 60, 20),
  /** How often a batch that stands still is announced again, and how long one stands still before. */
  SYNC_HEAL_SECONDS: integer(1, 3600, 30),
  SYNC_MAX_QUEUED_BATCHES: integer(1, 1_000_000, 100),
  SYNC_JSON_BYTES_MAX: integer(1024, 1024 * MiB, 64 * MiB),
  SYNC_JSON_ENTITIES_MAX: integer(1, 1_000_000, 100_000),
  SYNC_NDJSON_BYTES_MAX: integer(1024, 1024 * 1024 * MiB, 4096 * MiB),
  SYNC_NDJSON_ENTITIES_MAX: integer(1, 100_000_000, 5_000_000),
  /** Maximum of one element; room for some properties at their limit. */
  SYNC_ELEMENT_BYTES_MAX: integer(1024, 64 * MiB, 4 * MiB),
  /** Values of one element that cannot be read and have a warning each; the rest are counted in one more. */
  SYNC_ELEMENT_WARNINGS_MAX: integer(1, 500, 20),
  /** Heap of one thread that applies chunks. What a chunk may hold is bounded so that this is enough. */
  SYNC_THREAD_HEAP_MIB: integer(64, 4096, 160),
  /** Heap of the thread for work that cannot be cut: all elements of one GUID, the structure of a large batch. */
  SYNC_LONG_THREAD_HEAP_MIB: integer(64, 8192, 512),
  /** Payloads and plans: as long as anybody retries a batch or commits a dry run. */
  SYNC_RETENTION_DAYS: integer(1, 36_500, 30),
  /** Results, for each element: a connector reads them at once, and people look for a fault within a quarter. */
  SYNC_RESULT_RETENTION_DAYS: integer(1, 36_500, 90),
  /** Envelopes with their counts, which are small: imports can be compared with those of the year before. */
  SYNC_BATCH_RETENTION_DAYS: integer(1, 36_500, 730),
  /** Bounds on the comparison that finds absent entities: elements of either side, and earlier batches. */
  SYNC_ABSENT_ELEMENTS_MAX: integer(1, 5_000_000, 1_000_000),
  SYNC_ABSENT_BATCHES_MAX: integer(1, 10_000, 1000),
  ENTITY_NUMBER_CHARS_MAX: upTo(entityLimits.numberCharsMax),
  ENTITY_NAME_CHARS_MAX: upTo(entityLimits.nameCharsMax),
  PROPERTY_VALUE_CHARS_MAX: upTo(entityLimits.propertyValueCharsMax),
  PROPERTIES_MAX: upTo(entityLimits.propertiesMax),
  /** Maximum of an entity's properties as JSON; larger existing ones may change but not grow. */
  PROPERTIES_BYTES_MAX: integer(1024, 64 * MiB, 4 * MiB),
  /** Single adjustments that share a transaction, and that wait for one, per workspace and web process. */
  STOCK_GROUP_MAX: integer(1, 10_000, 250),
  STOCK_WAITING_MAX: integer(1, 1_000_000, 5000),
  /** Calls of one workspace that a web process works on at once while other workspaces call too. */
  CALLS_OF_ONE_MAX: integer(1, 10_000, 8),
  /** Reads of a web process that go through much, such as shortages and trees, at once; one of each workspace. */
  LONG_READS_MAX: integer(1, 1000, 4),
  /** Ledgers that a web process verifies or digests at once; one of each workspace. */
  LEDGER_PROOFS_MAX: integer(1, 64, 4),
  /** How often a worker takes a digest of every ledger that has moved; 0: never. */
  LEDGER_DIGEST_HOURS: integer(0, 8760, 24),
  /** Adjustments in one batch, which is one transaction. */
  STOCK_BATCH_ADJUSTMENTS_MAX: integer(1, 100_000, 10_000),
  /** Occurrences in one exploded tree, and levels below its root. */
  TREE_ITEMS_MAX: integer(1, 10_000_000, 200_000),
  TREE_DEPTH_MAX: integer(1, 1000, 100),
  /** Links with a unit whose quantities follow a change of the units of their item, in one transaction. */
  UNIT_LINKS_MAX: integer(1, 1_000_000, 20_000),
  /** Bodies of calls; sync has limits of its own, and the few calls that need more say so (`bodyBytesMax`). */
  BODY_BYTES_MAX: integer(1024, 2 * MiB, 256 * 1024),
  /** A client that takes longer to send its headers, or all of its request, is cut off. */
  HEADERS_TIMEOUT_SECONDS: integer(1, 3600, 20),
  REQUEST_TIMEOUT_SECONDS: integer(1, 86_400, 3600),
  /** Timeout for the bodies of all calls but sync, which are small. */
  BODY_TIMEOUT_SECONDS: integer(1, 3600, 60),
  /** Streams of events and downloads that a process has open at once; workspaces share them. */
  STREAMS_MAX: integer(2, 100_000, 500),
  /** A client that takes nothing of an answer for so long is cut off. */
  ANSWER_STALL_SECONDS: integer(1, 3600, 60),
  /** Minimum rate at which a sender must send a body while the service waits for it, measured over each such window. */
  UPLOAD_BYTES_PER_SECOND_MIN: integer(1, 1024 * MiB, 1024),
  UPLOAD_RATE_WINDOW_SECONDS: integer(1, 3600, 60),
  /** Memory of all decompressors of a process; one of `zstd` uses up to 10 MiB, one of `br` up to 17. */
  DECOMPRESSION_BYTES_MAX: integer(32 * MiB, 65_536 * MiB, 192 * MiB),
  /** Requests of one key, and of all keys of a workspace (five times as many where it is unset). */
  RATE_LIMIT_REQUESTS: integer(1, 10_000_000, 6000),
  RATE_LIMIT_WORKSPACE_REQUESTS: z.coerce.number().int().min(1).max(100_000_000).optional(),
  RATE_LIMIT_WINDOW_SECONDS: integer(1, 3600, 60),
  /** Maximum time to wait for Redis. After a longer wait the limiter does not ask it for a while. */
  RATE_LIMIT_PATIENCE_MS: integer(1, 60_000, 250),
  /** An open stream of events says so often that it lives, and of every call that goes on it is asked as often whether its caller still may. */
  STREAM_HEARTBEAT_SECONDS: integer(1, 300, 15),
  /** How long a session in a browser lasts from its last use on, and how many of one key are kept. */
  SESSION_HOURS: integer(1, 8760, 12),
  SESSIONS_PER_KEY_MAX: integer(1, 10_000, 100),
  /** A session of a person ends after so many days, however much it is used. */
  SESSION_DAYS_MAX: integer(1, 365, 30),
  /** Changes of a person's ways to sign in need a sign-in, a password or a passkey within so many minutes before. */
  PROOF_MINUTES: integer(1, 1440, 10),
  /** Invitations and sign-in links of one workspace that still work. */
  INVITATIONS_MAX: integer(1, 10_000, 500),
  /** Members of one workspace, those who have ended among them: entries name them for ever. */
  MEMBERS_MAX: integer(1, 1_000_000, 10_000),
  /** Actors of one workspace, at which no further keys and members are made: entries name those that have ended for ever. */
  ACTORS_MAX: integer(10, 10_000_000, 100_000),
  /** Sign-ins that fail, by address; beyond it all are refused until the time is over. */
  SIGN_IN_ATTEMPTS: integer(1, 10_000, 10),
  /** Passwords that fail for one sign-in name, from all addresses: high enough that nobody locks a colleague out by chance. */
  SIGN_IN_ATTEMPTS_BY_NAME: integer(1, 1_000_000, 300),
  SIGN_IN_ATTEMPTS_SECONDS: integer(1, 86_400, 900),
  /** Keys and tokens in headers that open nothing, by address; what is shown beyond it and opens nothing gets 429. */
  GUESSES_MAX: integer(1, 10_000_000, 60),
  GUESSES_SECONDS: integer(1, 86_400, 60),
  /** API keys of one workspace that are not revoked; of revoked ones the newest are kept. */
  API_KEYS_MAX: integer(1, 100_000, 500),
  REVOKED_API_KEYS_MAX: integer(0, 100_000, 1000),
  /** CSV links of one workspace that are not revoked; of revoked ones the newest are kept. */
  CSV_LINKS_MAX: integer(1, 10_000, 200),
  REVOKED_CSV_LINKS_MAX: integer(0, 10_000, 200),
  /** Saved views of one workspace, private and shared ones together. */
  VIEWS_MAX: integer(1, 100_000, 1000),
  /** Exchange rates of one workspace: ten currencies for 27 years, one a day. */
  EXCHANGE_RATES_MAX: integer(1, 10_000_000, 100_000),
  /** Open count tasks of one workspace, and for how long ended ones are kept. */
  COUNT_TASKS_MAX: integer(1, 100_000, 5000),
  COUNT_TASK_RETENTION_DAYS: integer(1, 36_500, 730),
  /** Forecasts of one workspace: a quarter each of 10 000 items for two years. */
  FORECASTS_MAX: integer(1, 10_000_000, 100_000),
  /** Comments on one entity or import. */
  COMMENTS_MAX: integer(1, 100_000, 1000),
  /** Lines of the inbox of one member, and for how long one about which nothing more is told is kept. */
  INBOX_LINES_MAX: integer(10, 10_000, 500),
  INBOX_RETENTION_DAYS: integer(1, 36_500, 90),
  /** The time between two mails of an inbox that is mailed at once. */
  INBOX_MAIL_SPACING_SECONDS: integer(0, 86_400, 300),
  /** Bulk edits of one workspace that have not ended, entities of each, and for how long they can be read and undone. */
  BULK_EDITS_UNFINISHED_MAX: integer(1, 10_000, 20),
  BULK_EDIT_ENTITIES_MAX: integer(1, 10_000_000, 200_000),
  BULK_EDIT_RETENTION_DAYS: integer(1, 36_500, 90),
  /** Planning runs of one workspace that have not ended, what one run plans and stores, and for how long it can be read. */
  PLANNING_RUNS_UNFINISHED_MAX: integer(1, 1000, 5),
  PLANNING_ITEMS_MAX: integer(1, 10_000_000, 1_000_000),
  PLANNING_LINKS_MAX: integer(1, 100_000_000, 10_000_000),
  PLANNING_ACTIONS_MAX: integer(1, 1_000_000, 50_000),
  PLANNING_RUN_SECONDS_MAX: integer(1, 86_400, 600),
  PLANNING_THREAD_HEAP_MIB: integer(64, 65_536, 1536),
  PLANNING_RETENTION_DAYS: integer(1, 36_500, 30),
  /** Items above one whose needs are followed to their ends at once. */
  PLANNING_ANCESTORS_MAX: integer(1, 100_000, 1000),
  /** Bounds on a download by a CSV link: bytes, seconds, and concurrent downloads of one link in a process. */
  CSV_LINK_BYTES_MAX: integer(1024, 16 * 1024 * MiB, 256 * MiB),
  CSV_LINK_SECONDS: integer(1, 86_400, 600),
  CSV_LINK_DOWNLOADS: integer(1, 100, 2),
  /** The code in the address that a start with embedded servers prints is good for so long. */
  SIGN_IN_CODE_MINUTES: integer(1, 1440, 15),
  /** Maximum of one picture, and of all files of a workspace with their renditions. */
  PICTURE_BYTES_MAX: integer(1024, 10 * MiB, 10 * MiB),
  PICTURES_BYTES_MAX: integer(1024, 16_384 * 1024 * MiB, 4 * 1024 * MiB),
  /** Pictures that no entity or revision refers to are deleted after so many days. */
  PICTURE_RETENTION_DAYS: integer(0, 3650, 7),
  IDEMPOTENCY_RETENTION_DAYS: integer(1, 365, 7),
  /** Threads that run scripts, per worker process; as many scripts run at once. */
  SCRIPT_THREADS: integer(1, 64, 2),
  /** Limits of one run of a script; see src/automation/sandbox/script-limits.ts. */
  SCRIPT_CPU_MS: integer(10, 600_000, 500),
  SCRIPT_WALL_MS: integer(10, 600_000, 5000),
  SCRIPT_MEMORY_BYTES: integer(20 * MiB, 2048 * MiB, 64 * MiB),
  SCRIPT_SOURCE_BYTES_MAX: integer(1024, MiB, 64 * 1024),
  SCRIPT_LOG_LINES_MAX: integer(1, 100_000, 200),
  SCRIPT_LOG_BYTES_MAX: integer(1024, 16 * MiB, 64 * 1024),
  SCRIPT_API_CALLS_MAX: integer(1, 100_000, 200),
  /** Arguments of one api call, and its answer, as JSON. */
  SCRIPT_API_CALL_BYTES_MAX: integer(1024, 16 * MiB, 256 * 1024),
  SCRIPT_RESULT_BYTES_MAX: integer(1024, 16 * MiB, 256 * 1024),
  /** Threads of a web process that test scripts and check their syntax; started when first needed. */
  SCRIPT_TEST_THREADS: integer(1, 64, 2),
  /** A table that is sent as CSV is held while it is read; larger ones are sent by the command line. */
  IMPORT_CSV_BYTES_MAX: integer(1024, 256 * MiB, 8 * MiB),
  /** Such tables that one process holds at a time. */
  IMPORT_CSV_BODIES_MAX: integer(1, 1000, 4),
  /** Parts of one category that KiCad gets: it knows no pages. */
  KICAD_PARTS_MAX: integer(1, 100_000, 10_000),
  IMPORT_DEFINITIONS_MAX: integer(1, 10_000, 200),
  /** Rows of each kind (order lines, requirements, uses) that an archiving looks at for reasons against it, while writers wait. */
  ARCHIVE_LOOKED_MAX: integer(1, 10_000_000, 50_000),
  /** Automations and webhooks of one workspace. */
  AUTOMATIONS_MAX: integer(1, 10_000, 200),
  WEBHOOKS_MAX: integer(1, 10_000, 50),
  /** Maximum of one turn of a workspace before others get theirs; it ends after the run that exceeds either. */
  AUTOMATION_TURN_MS: integer(1, 60_000, 250),
  AUTOMATION_TURN_RUNS: integer(1, 100_000, 1000),
  /** Runs that cause events that cause runs: so many in a row, and the next one is suppressed. */
  AUTOMATION_CHAIN_MAX: integer(1, 1000, 8),
  /** Runs that come of one row of the outbox by way of other runs; further ones are suppressed. */
  AUTOMATION_CHAIN_RUNS_MAX: integer(1, 1_000_000_000, 100_000),
  AUTOMATION_RUN_RETENTION_DAYS: integer(1, 36_500, 30),
  /**
   * The mail server of automations and inboxes, such as smtp://name:password@mail.example.com:587, and the sender of their mails. Without it no mail is
   * sent.
   */
  SMTP_URL: z.url({ protocol: /^smtps?$/ }).optional(),
  SMTP_FROM: z.string().min(3).max(320).optional(),
  /** Addresses that automations of one workspace may write to within 24 hours. */
  MAILS_PER_DAY: integer(1, 100_000, 1000),
  /** The first wait after a mail could not be sent; the others follow from it (automation/mail/send-mails.ts). */
  MAIL_RETRY_BASE_MS: integer(1, 3_600_000, 60_000),
  /** How often the outbox is looked into, and after how long an announcement counts as lost. */
  EVENT_POLL_MS: integer(10, 60_000, 150),
  EVENT_HEAL_SECONDS: integer(1, 3600, 30),
  OUTBOX_RETENTION_DAYS: integer(1, 36_500, 7),
  /** Lets webhooks reach private, loopback and link-local addresses: for development, or a closed network. */
  WEBHOOK_ALLOW_PRIVATE: flag(false),
  WEBHOOK_TIMEOUT_MS: integer(100, 120_000, 15_000),
  /** The first wait after a failed delivery; the others follow from it (webhooks/retry-delay.ts). */
  WEBHOOK_RETRY_BASE_MS: integer(1, 3_600_000, 5000),
  /** A webhook that has failed for so long without a success is disabled. */
  WEBHOOK_DISABLE_AFTER_MINUTES: integer(0, 525_600, 7200),
  /** Turns of webhooks that a worker process begins at once … */
  WEBHOOK_CONCURRENCY: integer(1, 1000, 20),
  /** … and deliveries of one of them at once. */
  WEBHOOK_SENDS_AT_ONCE: integer(1, 100, 4),
  /** Webhooks of one workspace that are served at once by all workers: slow receivers hold no more than that. */
  WEBHOOK_SHARE: integer(1, 1000, 10),
  WEBHOOK_RETENTION_DAYS: integer(1, 36_500, 30),
  /** A stop waits this long for requests and chunks under way, the time of DRAIN_SECONDS among it. */
  SHUTDOWN_SECONDS: integer(1, 600, 25),
  /**
   * How long a web process that was asked to stop still accepts calls and says that it is not ready, so that load balancers notice. By
   * default 5 if DATABASE_URL is set, and 0 with an embedded database, which has no load balancer.
   */
  DRAIN_SECONDS: z.coerce.number().int().min(0).max(300).optional(),
  /** Connections that a web process has open at once; further ones are closed at once. */
  CONNECTIONS_MAX: integer(10, 1_000_000, 10_000),
  /** Builds the web app at the start of the role `all` where it has changed. */
  WEB_BUILD: flag(true),
  /** Makes the demo workspace at start; on by default where the embedded servers run. */
  DEMO: flag(true),
});

const DRAIN_SECONDS = 5;

export type Config = Readonly<z.infer<typeof Environment> & { DRAIN_SECONDS: number }>;

/** Returns Piscina's `niceIncrement`: 0 except on Linux, because elsewhere a thread cannot have its own priority. */
export function threadNice({ THREAD_NICE }: Pick<Config, 'THREAD_NICE'>): number {
  return process.platform === 'linux' ? THREAD_NICE : 0;
}

/** How connections to PostgreSQL are used. Threads get it with their data. */
export function wireOf(config: Pick<Config, 'DATABASE_WIRE' | 'DATABASE_NICE' | 'DATABASE_COPY_BYTES_MAX'>) {
  const { DATABASE_WIRE: mode, DATABASE_NICE: nices, DATABASE_COPY_BYTES_MAX: copyBytesMax } = config;
  return { mode, nices, copyBytesMax };
}

/** Whether an installation gives that slug to workspaces that are made in it. */
export function slugsOf({ WORKSPACE_SLUGS }: Pick<Config, 'WORKSPACE_SLUGS'>): (slug: string) => boolean {
  const form = new RegExp(`^(?:${WORKSPACE_SLUGS})$`);
  return (slug) => form.test(slug);
}

/** First words that nobody else's variables are likely to have; those of others, such as DATABASE, are read by the deployment. */
const ownWords = new Set(['SYNC', 'WEBHOOK', 'AUTOMATION', 'EVENT', 'LEDGER', 'INTAKE', 'RATE']);
/** A shorter name is like too many others. */
const LIKE_CHARS_MIN = 8;

/**
 * Variables that were meant for settings of ours and that nobody reads: they begin with a word of ours, or differ from a setting in a
 * single character, and would be passed over without a word. An empty one counts as unset.
 */
export function unreadSettings(environment: Record<string, string | undefined>): string[] {
  const settings = Object.keys(Environment.shape);
  const isMeant = (name: string) =>
    ownWords.has(name.split('_')[0] as string) ||
    (name.length >= LIKE_CHARS_MIN && settings.some((one) => differByOne(one, name)));
  return Object.entries(environment)
    .filter(([name, value]) => value !== undefined && value !== '' && !settings.includes(name))
    .map(([name]) => name)
    .filter((name) => !/_SERVICE_(HOST|PORT)|_PORT(_|$)/.test(name) && isMeant(name))
    .sort();
}

/** Whether one character was left out, put in or taken for another. */
function differByOne(a: string, b: string): boolean {
  const [short, long] = a.length < b.length ? [a, b] : [b, a];
  if (long.length - short.length > 1) return false;
  let same = 0;
  while (same < short.length && short[same] === long[same]) same++;
  const isLeftOut = short.slice(same) === long.slice(same + 1);
  return isLeftOut || (short.length === long.length && short.slice(same + 1) === long.slice(same + 1));
}

/** An invalid configuration, with one line per invalid variable. */
export class ConfigError extends Error {
  override name = 'ConfigError';
}

/** Reads and checks the configuration; an empty variable counts as unset. Throws `ConfigError`. */
export function readConfig(environment: Record<string, string | undefined>): Config {
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''));
  const result = Environment.safeParse(given);
  if (!result.success) {
    throw new ConfigError(
      result.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`).join('\n'),
    );
  }
  if (result.data.DATABASE_URL !== undefined && result.data.OPERATOR_TOKEN === undefined) {
    throw new ConfigError('OPERATOR_TOKEN: must be set where DATABASE_URL is set');
  }
  if (result.data.SMTP_URL !== undefined && result.data.SMTP_FROM === undefined)
    throw new ConfigError('SMTP_FROM: must be set where SMTP_URL is set: it is the sender of mails');
  const { OIDC_ISSUER, OIDC_CLIENT_ID, PUBLIC_URL } = result.data;
  if (OIDC_ISSUER !== undefined && OIDC_CLIENT_ID === undefined)
    throw new ConfigError('OIDC_CLIENT_ID: must be set where OIDC_ISSUER is set');
  if (OIDC_ISSUER !== undefined && PUBLIC_URL === undefined)
    throw new ConfigError(
      'PUBLIC_URL: must be set where OIDC_ISSUER is set: the provider sends browsers there',
    );
  const usualDrain = result.data.DATABASE_URL === undefined ? 0 : DRAIN_SECONDS;
  const { SHUTDOWN_SECONDS, DRAIN_SECONDS: drainSeconds } = result.data;
  if (drainSeconds !== undefined && drainSeconds >= SHUTDOWN_SECONDS)
    throw new ConfigError('DRAIN_SECONDS: must be less than SHUTDOWN_SECONDS, which it is a part of');
  return Object.freeze({
    ...result.data,
    DRAIN_SECONDS: drainSeconds ?? Math.min(usualDrain, SHUTDOWN_SECONDS - 1),
  });
}
