/**
 * The service as a test file sees it: the real application on a free port, with a database and a queue
 * prefix of its own. Call `close` in afterAll.
 */
import { randomBytes } from 'node:crypto';
import { type Logger, pino } from 'pino';
import { inject } from 'vitest';
import { createApiKey } from '../../src/access/create-api-key.ts';
import { startWeb } from '../../src/api.ts';
import type { Area, Permission } from '../../src/areas.ts';
import { readConfig } from '../../src/config.ts';
import { type Context, openContext, openResources } from '../../src/context.ts';
import { newId } from '../../src/db/ids.ts';
import { inTransaction } from '../../src/db/transaction.ts';
import type { AnyRoute } from '../../src/http/route.ts';
import type { QueueServer } from '../../src/queue/queues.ts';
import { startWorker } from '../../src/work.ts';
import { checkDeclared } from './check-answer.ts';
import { createTestDatabase } from './database.ts';

export interface TestServerOptions {
  /** Run the worker role in the same process too. It prunes nothing by itself, so that tests can age rows. */
  worker?: boolean;
  /** Configuration variables over the test's own. */
  environment?: Record<string, string>;
  log?: Logger;
  /** Stands between the context and its database, such as a gate (gate.ts). */
  databaseUrl?: (url: string) => string;
  redisUrl?: (url: string) => string;
  /** Routes in place of the service's own. */
  routes?: readonly AnyRoute[];
  /** Where a built web app lies, in place of the project's. */
  webFolder?: string;
}

export interface TestWorkspace {
  id: string;
  slug: string;
  /** An admin's key; more through `addKey`. */
  key: string;
  /** `/api/wid/{slug}` */
  path: string;
  /** A key with a level, or with areas. */
  addKey(allowed: Permission | readonly Area[]): Promise<string>;
}

export interface RequestOptions {
  method?: string;
  key?: string;
  headers?: Record<string, string>;
  /** Sent as JSON, unless it is text or bytes already. */
  body?: unknown;
  /** The answer does not end: only its head is waited for when it is 200. */
  endless?: boolean;
}

export interface TestAnswer {
  status: number;
  headers: Headers;
  text: string;
  /** The parsed body; undefined where it is not JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: a test says in its expectations what an answer holds
  body: any;
}

export interface TestServer {
  baseUrl: string;
  ctx: Context;
  request(path: string, options?: RequestOptions): Promise<TestAnswer>;
  createWorkspace(slug?: string): Promise<TestWorkspace>;
  close(): Promise<void>;
}

/** A context on a database of its own, without the HTTP server: for tests below the routes. */
export async function createTestContext(
  options: TestServerOptions = {},
): Promise<{ ctx: Context; close(): Promise<void> }> {
  const database = await createTestDatabase();
  const redisServer = inject('redisUrl');
  const redisUrl = redisServer === null ? null : (options.redisUrl?.(redisServer) ?? redisServer);
  const databaseUrl = options.databaseUrl?.(database.pooledUrl) ?? database.pooledUrl;
  const config = readConfig({
    PORT: '0',
    DATABASE_URL: databaseUrl,
    ...(process.env.DATABASE_WIRE === undefined ? {} : { DATABASE_WIRE: process.env.DATABASE_WIRE }),
    OPERATOR_TOKEN: 'operator-token-of-the-tests',
    QUEUE_PREFIX: `t${randomBytes(6).toString('hex')}`,
    DATABASE_POOL_MAX: '8',
    RATE_LIMIT_REQUESTS: '1000000',
    GUESSES_MAX: '1000000',
    SHUTDOWN_SECONDS: '5',
    DRAIN_SECONDS: '0',
    // On a busy machine a statement may take its time; the test of silence sets its own.
    DATABASE_ANSWER_SECONDS: '300',
    // As long as may be: what waits for a batch is to see its end on a slow machine too.
    SYNC_WAIT_SECONDS: '60',
    // Rules for any group: the tests of groups set their own.
    OIDC_GROUPS: '*',
    ...(redisUrl === null ? {} : { REDIS_URL: redisUrl }),
    ...options.environment,
  });
  const log = options.log ?? pino({ level: process.env.LOG_LEVEL ?? 'fatal' });
  const queue: QueueServer =
    redisUrl === null
      ? { kind: 'postgres', url: databaseUrl, prefix: config.QUEUE_PREFIX }
      : { kind: 'redis', url: redisUrl, prefix: config.QUEUE_PREFIX };
  const resources = await openResources(config, log, { databaseUrl, queue });
  const ctx = openContext(resources, config.OPERATOR_TOKEN ?? '');
  const worker = options.worker === true ? startWorker(resources, { prunes: false }) : null;
  return {
    ctx,
    close: async () => {
      await worker?.close();
      await ctx.closeWeb();
      await resources.close();
      await database.drop();
    },
  };
}

export async function startTestServer(options: TestServerOptions = {}): Promise<TestServer> {
  const { ctx, close } = await createTestContext(options);
  const { routes, webFolder } = options;
  const server = await startWeb(ctx, {
    ...(routes === undefined ? {} : { routes }),
    ...(webFolder === undefined ? {} : { webFolder }),
    inside: checkDeclared,
  });
  const baseUrl = `http://127.0.0.1:${server.port}`;
  return {
    baseUrl,
    ctx,
    request: (path, request = {}) => sendTo(baseUrl, path, request),
    createWorkspace: (slug) => createTestWorkspace(ctx, slug),
    close: async () => {
      await server.close();
      await close();
    },
  };
}

/** A bare workspace with an admin's key: no default template, which has calls of its own. */
export async function createTestWorkspace(
  ctx: Context,
  slug = `w${randomBytes(5).toString('hex')}`,
): Promise<TestWorkspace> {
  const id = newId();
  const addKey: TestWorkspace['addKey'] = (allowed) =>
    inTransaction(ctx.db, { workspaceId: id }, async (tx) => {
      const made = await createApiKey(tx, {
        workspaceId: id,
        name: `${allowed} key`,
        ...(typeof allowed === 'string' ? { permission: allowed } : { areas: allowed }),
        expiresAt: null,
      });
      return made.key;
    });
  await inTransaction(ctx.db, 'instance', (tx) =>
    tx.query('insert into workspace (id, slug, name) values ($1, $2, $2)', [id, slug]),
  );
  return { id, slug, key: await addKey('admin'), path: `/api/wid/${slug}`, addKey };
}

export async function sendTo(
  baseUrl: string,
  path: string,
  { method, key, headers, body, endless }: RequestOptions,
): Promise<TestAnswer> {
  const raw = typeof body === 'string' || body instanceof Uint8Array;
  const response = await fetch(`${baseUrl}${path}`, {
    method: method ?? (body === undefined ? 'GET' : 'POST'),
    redirect: 'manual',
    headers: {
      ...(key === undefined ? {} : { Authorization: `Bearer ${key}` }),
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: raw ? (body as string) : JSON.stringify(body) }),
  });
  const cut = endless === true && response.status === 200;
  if (cut) await response.body?.cancel();
  const text = cut ? '' : await response.text();
  const isJson = /[/+]json\b/.test(response.headers.get('content-type') ?? '') && text !== '';
  return {
    status: response.status,
    headers: response.headers,
    text,
    body: isJson ? JSON.parse(text) : undefined,
  };
}
