// The shipped alert rules: promtool plays them, and each has a test and a place in the handbook.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { dashboard } from '../../../deploy/grafana/dashboard.ts';
import { findPromtool, metricsOf, readRules, rulesFile } from './promql.ts';

const promtool = findPromtool();
const folder = dirname(rulesFile);
const testsFiles = ['partbook.rules.test.yml', 'partbook.rules.hours.test.yml'].map((file) =>
  join(folder, file),
);
const handbook = new URL('../../../docs/operations.md', import.meta.url);

test.skipIf(promtool === null)('promtool accepts the rules, and each fires when it should', () => {
  const run = (...args: string[]) => execFileSync(promtool as string, args, { encoding: 'utf8' });
  expect(run('check', 'rules', rulesFile)).toContain('SUCCESS');
  for (const file of testsFiles) expect(run('test', 'rules', file)).toContain('SUCCESS');
});

test('each alert is tested with its text, and explained in the handbook', () => {
  const rules = readRules();
  const declared = readFileSync(rulesFile, 'utf8').match(/^ {6}- (?:alert|record): /gm) ?? [];
  expect(rules.length, 'rules in a form that is not read here').toBe(declared.length);
  const tests = testsFiles.map((file) => readFileSync(file, 'utf8')).join('');
  const explained = readFileSync(handbook, 'utf8');
  for (const { kind, name, expression } of rules) {
    expect(metricsOf(expression), expression).not.toEqual([]);
    if (kind === 'record') continue;
    const fires = new RegExp(`alertname: ${name}\\n +exp_alerts:\\n +- exp_labels`);
    expect(tests, `${name} has no test in which it fires`).toMatch(fires);
    expect(explained, `${name} is not in docs/operations.md`).toContain(`### ${name}\n`);
  }
});

test('the dashboard is the one that is made from its rows', () => {
  const file = new URL('../../../deploy/grafana/partbook.dashboard.json', import.meta.url);
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(JSON.parse(JSON.stringify(dashboard())));
});
