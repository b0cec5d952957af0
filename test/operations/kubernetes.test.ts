/** What the example for Kubernetes says is what the service does, and its parts fit each other. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { GRACE_SECONDS, manifests, OLDEST_WORK, SECRET } from '../../deploy/kubernetes/manifests.ts';
import { routes } from '../../src/api.ts';
import { readConfig } from '../../src/config.ts';

const folder = new URL('../../deploy/kubernetes/', import.meta.url);
const pods = manifests.flatMap(({ spec }) =>
  spec !== undefined && 'template' in spec && spec.template?.spec !== undefined ? [spec.template] : [],
);
const containers = pods.flatMap(({ spec }) => spec?.containers ?? []);

test('the file is what its source makes', () => {
  const file = JSON.parse(readFileSync(new URL('partbook.json', folder), 'utf8'));
  expect(file.items).toEqual(JSON.parse(JSON.stringify(manifests)));
});

test('every variable is one that the service reads, and with them it starts', () => {
  const given = containers.map(({ env = [] }) =>
    Object.fromEntries(
      env.map(({ name, value }) => [name, value ?? `postgres://user:password-of-it@db/${SECRET}`]),
    ),
  );
  for (const environment of given) {
    const config = readConfig({ ...environment, REDIS_URL: 'redis://redis:6379' });
    expect(Object.keys(environment).filter((name) => !(name in config))).toEqual([]);
    expect(GRACE_SECONDS).toBeGreaterThan(config.SHUTDOWN_SECONDS);
  }
  const knows = (name: string) => given.filter((environment) => name in environment).length;
  expect([knows('DATABASE_URL'), knows('DATABASE_MIGRATION_URL')]).toEqual([3, 1]);
});

test('probes ask what there is, selectors find their pods, and each container has its bounds', () => {
  const probes = containers.flatMap((one) => [one.startupProbe, one.readinessProbe, one.livenessProbe]);
  for (const path of probes.flatMap((probe) => probe?.httpGet?.path ?? []))
    expect(routes.some((route) => route.path === path && route.access === 'public')).toBe(true);
  for (const command of probes.flatMap((probe) => (probe?.exec === undefined ? [] : [probe.exec.command])))
    expect(() => readFileSync(new URL(`../../${command?.[1]}`, folder))).not.toThrow();
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
});

test('workers are scaled by a metric that the service has', () => {
  const metrics = readFileSync(new URL('../../src/operations/metrics/count-signals.ts', folder), 'utf8');
  expect(metrics).toContain(`name: '${OLDEST_WORK}'`);
});
