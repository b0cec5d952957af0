/**
 * The entry of every role: `web`, `worker`, `all` (both in one) and `migrate`. Starts what the role needs in
 * order, and stops it in reverse when the process is asked to end.
 */
import { enableCompileCache, flushCompileCache } from 'node:module';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Logger } from 'pino';
import type { Config } from './config.ts';
import type { Resources, Servers } from './context.ts';
import type { Embedded } from './embedded/start-embedded.ts';
import {
  collectAsWeb,
  collectAsWorker,
  collectAtWork,
  collectWhileStarting,
} from './process/collect-garbage.ts';
import { launch } from './process/launcher.ts';
import { namingServer } from './process/name-server.ts';
import type { Stop } from './process/stop-in-order.ts';
import type { WebBuild } from './web-app/build-web-app.ts';

const roles = ['all', 'web', 'worker', 'migrate'] as const;
type Role = (typeof roles)[number];

const projectRoot = fileURLToPath(new URL('..', import.meta.url));
// Compiled code is kept from one start to the next, so hardly anything of the service is imported above. If the folder cannot be
// written, every start compiles. Threads find the folder in the environment.
const compiled = join(projectRoot, '.cache/compiled');
launch(compiled);
enableCompileCache(compiled);
process.env.NODE_COMPILE_CACHE = resolve(process.env.NODE_COMPILE_CACHE ?? compiled);
collectWhileStarting();

interface Running {
  servers: Servers;
  /** Address of the login that owns the schema, if it is not the service's. */
  migrationUrl: string | null;
  operatorToken: string;
  embedded: boolean;
  stop(): Promise<void>;
}

async function main(): Promise<void> {
  const role = process.argv[2] as Role | undefined;
  if (role === undefined || !roles.includes(role)) {
    process.stderr.write(`Usage: node src/main.ts ${roles.join(' | ')}\n`);
    process.exit(2);
  }
  const { beginService } = await import('./process/begin-program.ts');
  const { config, log } = beginService(role);
  const { stopper } = await import('./process/stop-in-order.ts');
  const { endAtFault } = await import('./process/end-at-fault.ts');
  const stops: Stop[] = [];
  const stop = stopper(config, log, stops);
  // They stay: while nobody listens a second one, which may come at once, would end the process where it stands.
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.on(signal, () => void stop({ reason: signal, code: 0, signal }));
  endAtFault(log, () => stop({ reason: 'a fault', code: 1, isFault: true }));
  try {
    await start(role, config, log, stops);
    if (role === 'migrate') await stop({ reason: 'done', code: 0 });
  } catch (error) {
    // The message says what to change; the stack would help nobody.
    if (error instanceof Error && error.name === 'StartError')
      log.fatal(`the start failed: ${error.message}`);
    else log.fatal({ err: error }, 'the start failed');
    await stop({ reason: 'start failed', code: 1 });
  }
}

async function start(role: Role, config: Config, log: Logger, stops: Stop[]): Promise<void> {
  const web = role === 'all' && config.WEB_BUILD ? await startWebBuild(log) : null;
  if (web !== null) stops.push(web.close);
  const embedding = config.DATABASE_URL === undefined || config.REDIS_URL === undefined;
  const { startEmbedded } = embedding
    ? await import('./embedded/start-embedded.ts')
    : { startEmbedded: null };
  const finding = startEmbedded === null ? configured(config) : embed(config, startEmbedded(config, log));
  finding.catch(() => {});
  // Embedded servers take their time to start; meanwhile the code is loaded.
  const loading = loadCode(role);
  loading.catch(() => {});
  const running = await finding;
  stops.push(running.stop);
  const code = await loading;
  const { servers, migrationUrl, operatorToken, embedded } = running;
  if (migrationUrl !== null || role === 'migrate') {
    const ownerUrl = migrationUrl ?? servers.databaseUrl;
    const ownerSetting = migrationUrl === null ? 'DATABASE_URL' : 'DATABASE_MIGRATION_URL';
    await namingServer(ownerSetting, ownerUrl, () => code.migrate(ownerUrl, log));
    await code.admitLogin(ownerUrl, servers.databaseUrl);
  }
  if (role === 'migrate') return;
  await namingServer('DATABASE_URL', servers.databaseUrl, () => code.checkLogin(servers.databaseUrl));

  stops.push(await beginTracing(config, role, log));
  const resources = await code.openResources(config, log, servers);
  stops.push(resources.close);
  stops.push(await startMetrics(resources, role));
  await code.checkRoleInForce(resources.db);
  await code.requireMigrated(resources.db);
  const demo =
    embedded && config.DEMO
      ? await (await import('./workspaces/ensure-demo.ts')).ensureDemo(resources.db, resolve(config.DATA_DIR))
      : null;
  const heartbeat = code.web === null ? await import('./operations/heartbeat.ts') : null;
  if (code.worker !== null) stops.push(code.worker.startWorker(resources).close);
  if (code.web === null) {
    if (heartbeat !== null) stops.push(heartbeat.startHeartbeat(resources.db).close);
    // In the same turn of the loop: before a job comes, and a thread is started for it.
    endStart();
    collectAsWorker();
    log.info('worker ready');
    return;
  }
  // Beside the servers, which take their time too.
  await web?.done;
  const context = code.openContext(resources, operatorToken);
  stops.push(context.closeWeb);
  const server = await code.web.startWeb(context);
  stops.push(server.close);
  // Before anybody is told the address: what a newcomer opens first is there.
  if (demo !== null && role === 'all') {
    const { fillDemo } = await import('./workspaces/fill-demo.ts');
    await fillDemo(`http://${ownHost(config.HOST)}:${server.port}`, demo, log);
  }
  log.info({ host: config.HOST, port: server.port }, 'web ready');
  endStart();
  collectAsWeb();
  if (embedded) {
    // For a person at a terminal, on standard error: the log on standard output stays free of keys.
    // Browsers make passkeys at localhost, and none at an IP address.
    const address = `http://${config.HOST === '127.0.0.1' ? 'localhost' : config.HOST}:${server.port}`;
    process.stderr.write(
      [
        '',
        `  Partbook      ${address}`,
        ...(demo === null
          ? []
          : [
              `  Demo          ${address}/?code=${context.signInCodes.make(demo.key, config.SIGN_IN_CODE_MINUTES)}`,
              `  Workspace     ${address}/api/wid/${demo.slug}`,
              `  API key       ${demo.key}`,
            ]),
        `  Operator      ${operatorToken}`,
        `  Console       ${address}/admin`,
        `  Reference     ${address}/docs`,
        '',
        '',
      ].join('\n'),
    );
  }
}

async function beginTracing(config: Config, role: Role, log: Logger): Promise<() => Promise<void>> {
  if (config.OTEL_EXPORTER_OTLP_ENDPOINT === undefined) return async () => {};
  const { startTracing } = await import('./operations/tracing/start-tracing.ts');
  return startTracing(config, role, log).close;
}

/** Loaded where it is wanted: a process without metrics holds nothing of them. */
async function startMetrics(resources: Resources, role: Role): Promise<() => Promise<void>> {
  if (resources.config.METRICS_PORT === undefined) return async () => {};
  const { serveMetrics } = await import('./operations/metrics/serve-metrics.ts');
  return (await serveMetrics({ ...resources, role })).close;
}

function endStart(): void {
  // For the next start, which may come after a kill: Node by itself writes it at an orderly end. With the flags of a
  // start, because compiled code is read with the flags that it was written with.
  flushCompileCache();
  collectAtWork();
}

async function startWebBuild(log: Logger): Promise<WebBuild> {
  const { buildWebApp } = await import('./web-app/build-web-app.ts');
  return buildWebApp(projectRoot, log, (line) => process.stderr.write(`\n  ${line}\n`));
}

/** Loads the code of the role, and nothing else: loaded code stays in memory. */
async function loadCode(role: Role) {
  const [login, migrations, pending, context] = await Promise.all([
    import('./db/check-login.ts'),
    import('./db/migrate.ts'),
    import('./db/pending-migrations.ts'),
    import('./context.ts'),
  ]);
  const web = role === 'web' || role === 'all' ? await import('./api.ts') : null;
  const worker = role === 'worker' || role === 'all' ? await import('./work.ts') : null;
  return { ...login, ...migrations, ...pending, ...context, web, worker };
}

/** Returns the host by which this process reaches itself when it listens on every address. */
function ownHost(host: string): string {
  return host === '0.0.0.0' || host === '::' ? 'localhost' : host;
}

async function configured(config: Config): Promise<Running> {
  return {
    servers: {
      databaseUrl: config.DATABASE_URL as string,
      queue: { kind: 'redis', url: config.REDIS_URL as string, prefix: config.QUEUE_PREFIX },
    },
    migrationUrl: config.DATABASE_MIGRATION_URL ?? null,
    operatorToken: config.OPERATOR_TOKEN as string,
    embedded: false,
    stop: async () => {},
  };
}

/** The embedded servers for whichever is not configured. */
async function embed(config: Config, starting: Promise<Embedded>): Promise<Running> {
  const { databaseUrl, migrationUrl, queue, operatorToken, stop } = await starting;
  return {
    servers: { databaseUrl, queue },
    migrationUrl: config.DATABASE_MIGRATION_URL ?? migrationUrl,
    operatorToken,
    embedded: config.DATABASE_URL === undefined,
    stop,
  };
}

await main();
