/** PromQL as Prometheus itself parses it, and what the shipped rules and panels ask for. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parser } from '@prometheus-io/lezer-promql';

export const rulesFile = fileURLToPath(
  new URL('../../../deploy/prometheus/partbook.rules.yml', import.meta.url),
);

/** Names of metrics in an expression. Throws where it cannot be parsed. */
export function metricsOf(expression: string): string[] {
  // Grafana puts a duration in its place.
  const text = expression.replaceAll('$__rate_interval', '5m');
  const names: string[] = [];
  parser.parse(text).iterate({
    enter: (node) => {
      if (node.type.isError) throw new Error(`Not PromQL at ${node.from}: ${text}`);
      if (node.name === 'VectorSelector')
        names.push(/^[\w:]*/.exec(text.slice(node.from, node.to))?.[0] ?? '');
    },
  });
  return names;
}

export interface Rule {
  /** Of a recording rule its metric. */
  name: string;
  kind: 'alert' | 'record';
  expression: string;
}

/** The rules of the file, whose form is our own: `expr` on one line, or folded over lines that are indented further. */
export function readRules(): Rule[] {
  const text = readFileSync(rulesFile, 'utf8');
  return [...text.matchAll(/^ {6}- (alert|record): (\S+)\n {8}expr: (?:>-\n((?: {10}.*\n)+)|(.*)\n)/gm)].map(
    ([, kind, name, folded, line]) => ({
      kind: kind as Rule['kind'],
      name: name as string,
      expression: (folded ?? line ?? '').replaceAll(/\s+/g, ' ').trim(),
    }),
  );
}

/** Null where it is not installed. */
export function findPromtool(): string | null {
  try {
    execFileSync('promtool', ['--version'], { stdio: 'ignore' });
    return 'promtool';
  } catch (error) {
    if (process.env.TEST_PROMTOOL_REQUIRED === 'true') throw error;
    return null;
  }
}
