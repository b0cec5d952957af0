/**
 * The examples for Kubernetes and Compose are what these read by their own schemas, and what they call is there: variables, ports,
 * paths, commands and metrics.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { Ajv } from 'ajv';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { GRACE_SECONDS, manifests, OLDEST_WORK, SECRET } from '../../deploy/kubernetes/manifests.ts';
import { routes } from '../../src/api.ts';
import { readConfig } from '../../src/config.ts';
import { SETTINGS } from '../../src/embedded/postgres.ts';

const root = new URL('../../', import.meta.url);
const read = (path: string) => readFileSync(new URL(path, root), 'utf8');
const pods = manifests.flatMap(({ spec }) =>
  spec !== undefined && 'template' in spec && spec.template?.spec !== undefined ? [spec.template] : [],
);
const containers = pods.flatMap(({ spec }) => spec?.containers ?? []);
const isPublicPath = (path: string) =>
  routes.some((route) => route.path === path && route.access === 'public' && route.method === 'get');
/** What `node src/main.ts` says it can be called with. */
const roles = () =>
  spawnSync(process.execPath, ['src/main.ts'], { cwd: fileURLToPath(root), encoding: 'utf8' })
    .stderr.replace(/^Usage: node src\/main\.ts /, '')
    .trim()
    .split(' | ');

interface Manifest {
  apiVersion: string;
  kind: string;
}
type Validate = ((data: unknown) => boolean) & { errors?: readonly object[] | null };

/** The value, and beside it the paths of the fields in it that nobody has asked for yet. */
function watched(data: unknown, unread: Set<string>, path = ''): unknown {
  if (typeof data !== 'object' || data === null) return data;
  const fields = new Map<string | symbol, unknown>();
  for (const [name, value] of Object.entries(data)) {
    if (!Array.isArray(data)) unread.add(`${path}/${name}`);
    fields.set(name, watched(value, unread, `${path}/${name}`));
  }
  return new Proxy(data, {
    get: (target, name) => {
      unread.delete(`${path}/${String(name)}`);
      return fields.has(name) ? fields.get(name) : Reflect.get(target, name);
    },
  });
}

/**
 * What the schemas of Kubernetes say against it. They let fields pass that they do not know, which a cluster drops or refuses: but
 * what validates by them asks for every field that they know, so that one which is never asked for is none of theirs.
 */
async function wrongWith(manifest: Manifest): Promise<unknown[]> {
  const group = manifest.apiVersion === 'v1' ? 'core/v1' : manifest.apiVersion;
  const name = [...group.split('/'), manifest.kind].map((one) => one[0]?.toUpperCase() + one.slice(1));
  const validate: Validate = (await import(`kubernetes-models/_schemas/IoK8sApi${name.join('')}`)).validate;
  const unread = new Set<string>();
  const isValid = validate(watched(manifest, unread));
  return [...(isValid ? [] : (validate.errors ?? [])), ...unread];
}

/** The values by their paths, taken over. */
const changed = <T>(given: T, path: string, value: unknown): T => {
  const copy = structuredClone(given);
  const names = path.split('.');
  const last = names.pop() as string;
  const at = names.reduce(
    (one, name) => one[name] as Record<string, unknown>,
    copy as Record<string, unknown>,
  );
  if (value === undefined) delete at[last];
  else at[last] = value;
  return copy;
};

test('the file for Kubernetes is what its source makes, and by the schemas of Kubernetes nothing is wrong with it', async () => {
  const file = JSON.parse(read('deploy/kubernetes/partbook.json'));
  expect(file).toEqual({ apiVersion: 'v1', kind: 'List', items: JSON.parse(JSON.stringify(manifests)) });
  for (const manifest of file.items) expect(await wrongWith(manifest), manifest.metadata.name).toEqual([]);
});

test.each([
  ['Deployment', 'spec.template.spec.containers.0.portz', []],
  ['Deployment', 'spec.template.spec.containers.0.livenessProbe.httpGett', { path: '/health/live' }],
  ['Deployment', 'spec.template.spec.containers.0.resources.limits.memory', '1 gigabyte'],
  ['Deployment', 'spec.template.spec.containers.0.ports.0.containerPort', 'http'],
  ['Deployment', 'spec.selector', undefined],
  ['Job', 'spec.template.spec.containers.0.env.0.valueFrom.secretKeyRef.key', undefined],
  ['Service', 'spec.ports.0.port', '80'],
  ['PodDisruptionBudget', 'spec.maxUnavailble', 1],
  ['HorizontalPodAutoscaler', 'spec.maxReplicas', undefined],
  ['HorizontalPodAutoscaler', 'spec.metrics.0.type', undefined],
  ['HorizontalPodAutoscaler', 'metadata.label', {}],
])('a %s whose %s is %j is refused by them', async (kind, path, value) => {
  const manifest = JSON.parse(JSON.stringify(manifests.find((one) => one.kind === kind)));
  expect(await wrongWith(manifest)).toEqual([]);
  expect(await wrongWith(changed(manifest, path, value))).not.toEqual([]);
});

test('every variable is one that the service reads, with them it starts, and it has time to drain and to stop', () => {
  const given = containers.map(({ env = [] }) =>
    Object.fromEntries(
      env.map(({ name, value }) => [name, value ?? `postgres://user:password-of-it@db/${SECRET}`]),
    ),
  );
  for (const [at, environment] of given.entries()) {
    const config = readConfig({ ...environment, REDIS_URL: 'redis://redis:6379' });
    expect(Object.keys(environment).filter((name) => !(name in config))).toEqual([]);
    expect(GRACE_SECONDS).toBeGreaterThan(config.SHUTDOWN_SECONDS);
    const ports = new Map(containers[at]?.ports?.map(({ name, containerPort }) => [name, containerPort]));
    expect(ports.get('http') ?? config.PORT).toBe(config.PORT);
    expect(ports.get('metrics') ?? config.METRICS_PORT).toBe(config.METRICS_PORT);
    const { readinessProbe } = containers[at] ?? {};
    const { periodSeconds = 10, failureThreshold = 3 } = readinessProbe ?? {};
    const isFoundOut = periodSeconds * failureThreshold < config.DRAIN_SECONDS;
    expect(readinessProbe === undefined || isFoundOut, 'found out before it serves no more').toBe(true);
  }
  const knows = (name: string) => given.filter((environment) => name in environment).length;
  expect([knows('DATABASE_URL'), knows('DATABASE_MIGRATION_URL')]).toEqual([3, 1]);
});

test('commands and probes call what there is, selectors and scalers find their pods, and each container has its bounds', () => {
  const probes = containers.flatMap((one) => [one.startupProbe, one.readinessProbe, one.livenessProbe]);
  const paths = probes.flatMap((probe) => probe?.httpGet?.path ?? []);
  expect(paths.length).toBe(3);
  expect(paths.filter((path) => !isPublicPath(path))).toEqual([]);
  const commands = probes.flatMap((probe) =>
    probe?.exec?.command === undefined ? [] : [probe.exec.command],
  );
  expect(commands.length).toBe(2);
  for (const [program, file] of commands) {
    expect(program).toBe('node');
    expect(existsSync(new URL(file ?? '', root))).toBe(true);
  }
  expect(containers.map(({ command }) => command)).toEqual(
    ['migrate', 'web', 'worker'].map((role) => ['node', 'src/main.ts', role]),
  );
  expect(roles()).toEqual(expect.arrayContaining(['migrate', 'web', 'worker']));
  for (const { resources, securityContext } of containers) {
    expect(resources?.limits).toHaveProperty('memory');
    expect(resources?.requests).toHaveProperty('cpu');
    expect(securityContext).toMatchObject({ runAsNonRoot: true, readOnlyRootFilesystem: true });
  }
  const known = pods.map(({ metadata }) => JSON.stringify(metadata?.labels));
  const selectors = manifests.flatMap(({ spec }) => {
    if (spec === undefined || !('selector' in spec) || spec.selector === undefined) return [];
    return 'matchLabels' in spec.selector ? spec.selector.matchLabels : spec.selector;
  });
  expect(selectors.length).toBe(5);
  for (const selector of selectors) expect(known).toContain(JSON.stringify(selector));
  const named = (kind: string) =>
    manifests.filter((one) => one.kind === kind).map(({ metadata }) => metadata?.name);
  const scaled = manifests.flatMap(({ spec }) =>
    spec !== undefined && 'scaleTargetRef' in spec ? [spec.scaleTargetRef.name] : [],
  );
  expect([scaled, named('PodDisruptionBudget')]).toEqual([named('Deployment'), named('Deployment')]);
});

test('workers are scaled by a metric that the service has', () => {
  expect(read('src/operations/metrics/state-gauges.ts')).toContain(`name: '${OLDEST_WORK}'`);
  expect(JSON.stringify(manifests)).toContain(`"metric":{"name":"${OLDEST_WORK}"}`);
});

interface Composed {
  services: Record<
    string,
    {
      command?: string[];
      build?: string;
      environment: Record<string, string>;
      healthcheck?: { test: string[] };
      ports?: string[];
      depends_on?: Record<string, object>;
      stop_grace_period?: string;
    }
  >;
}

const compose = read('docker-compose.yml');
const composed = (): Composed => parse(compose, { merge: true });
/** The Compose Specification's, as its linter carries it. */
const schemaOfCompose = () => {
  const folder = createRequire(import.meta.url).resolve('dclint/package.json');
  const { $schema: _, ...schema } = JSON.parse(
    readFileSync(new URL('schemas/compose.schema.json', `file://${folder}`), 'utf8'),
  );
  return new Ajv({ strict: false, validateFormats: false }).compile(schema);
};

test('the file for Compose is right by the schema of its specification, which refuses what is wrong', () => {
  const validate = schemaOfCompose();
  expect(validate(composed()), JSON.stringify(validate.errors)).toBe(true);
  for (const [path, value] of [
    ['services.web.heathcheck', { test: ['CMD', 'true'] }],
    ['services.web.healthcheck.intervall', '10s'],
    ['services.web.depends_on.migrate.condition', 'service_done'],
    ['services.worker.environment', 3],
    ['services.redis.command', { run: 'redis-server' }],
    ['service', {}],
  ] as const)
    expect(validate(changed(composed(), path, value)), path).toBe(false);
});

test('what Compose calls is there: commands, variables, the port, probes, what is waited for, and time to stop', () => {
  const { services } = composed();
  const own = Object.entries(services).filter(([, { build }]) => build !== undefined);
  expect(own.map(([, { command }]) => command)).toEqual(own.map(([role]) => ['node', 'src/main.ts', role]));
  expect(own.map(([role]) => role)).toEqual(['migrate', 'web', 'worker']);
  expect(roles()).toEqual(expect.arrayContaining(own.map(([role]) => role)));
  for (const [, { environment, stop_grace_period = '' }] of own) {
    const filled = Object.entries(environment).map(([name, value]) => [
      name,
      value.replace(/\$\{\w+:-(\w+)\}/g, '$1').replace(/\$\{\w+:\?[^}]*\}/g, 'password-of-it-in-env'),
    ]);
    const config = readConfig(Object.fromEntries(filled));
    expect(Object.keys(environment).filter((name) => !(name in config))).toEqual([]);
    expect(Number.parseInt(stop_grace_period, 10)).toBeGreaterThan(config.SHUTDOWN_SECONDS);
  }
  const { PORT } = readConfig({});
  expect(services.web?.ports).toEqual([`\${PORT:-${PORT}}:${PORT}`]);
  const probe = services.web?.healthcheck?.test.at(-1) ?? '';
  const [, port, path = ''] = /127\.0\.0\.1:(\d+)([^']+)'/.exec(probe) ?? [];
  expect([Number(port), isPublicPath(path)]).toEqual([PORT, true]);
  expect(existsSync(new URL(services.worker?.healthcheck?.test.at(-1) ?? '', root))).toBe(true);
  for (const { depends_on = {} } of Object.values(services))
    expect(Object.keys(services)).toEqual(expect.arrayContaining(Object.keys(depends_on)));
  const asked = [...compose.matchAll(/\$\{(\w+)/g)].map(([, name]) => name);
  const told = [...read('.env.example').matchAll(/^#? ?(\w+)=/gm)].map(([, name]) => name);
  expect(told).toEqual(expect.arrayContaining(asked));
});

test('the PostgreSQL of Compose has the settings of the embedded one, and the document names them', () => {
  const [program, ...settings] = composed().services.postgres?.command ?? [];
  expect(program).toBe('postgres');
  // The image's own are the others: UTC, and nothing of checkpoints in the log of the service.
  const { timezone: _t, log_timezone: _l, log_checkpoints: _c, ...expected } = SETTINGS;
  expect(Object.fromEntries(settings.map((one) => one.replace(/^-c/, '').split('=')))).toEqual(expected);
  const document = read('docs/scaling.md');
  for (const [name, value] of Object.entries(expected)) {
    expect(document, name).toContain(`\`${name}\``);
    expect(document, name).toContain(value.replace(/(?=[GM]B$)/, ' '));
  }
});
