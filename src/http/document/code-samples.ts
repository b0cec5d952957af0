/**
 * TypeScript samples of the API reference: each operation's first recorded example as a call of the client package. The renderer makes
 * samples of other languages by itself.
 */
import type { createDocument } from 'zod-openapi';
import type { Example, Examples } from './examples.ts';

type Document = ReturnType<typeof createDocument>;
type Operation = NonNullable<NonNullable<Document['paths']>[string]['get']>;

const WORKSPACE = '/api/wid/{slug}';
const methods = ['get', 'post', 'put', 'patch', 'delete'] as const;

/** Adds a sample to each operation that has an example. */
export function addCodeSamples(document: Document, { operations }: Examples): void {
  for (const [path, item] of Object.entries(document.paths ?? {})) {
    for (const method of methods) {
      const operation = item[method];
      const [example] = operations[operation?.operationId ?? ''] ?? [];
      if (operation === undefined || example === undefined) continue;
      const source = sampleOf(
        `${method.toUpperCase()} ${path.replace(WORKSPACE, '')}`,
        path,
        operation,
        example,
      );
      Object.assign(operation, {
        'x-codeSamples': [{ lang: 'TypeScript', label: 'TypeScript client', source }],
      });
    }
  }
}

function sampleOf(route: string, path: string, operation: Operation, example: Example): string {
  const { params = {}, query = {}, body, headers = {}, answer } = example;
  const type = answer?.type ?? 'application/json';
  const isJson = type === 'application/json';
  const isStream = type === 'text/event-stream';
  const input = {
    ...ofPath(path, params),
    ...(Object.keys(query).length === 0 ? {} : { query }),
    ...(body?.type === 'application/json' ? { body: body.value } : {}),
  };
  const sent = { ...(isJson ? {} : { Accept: type }), ...headers };
  const options = Object.keys(sent).length === 0 ? [] : [{ headers: sent }];
  const given = [input, ...options];
  const isBare = options.length === 0 && Object.keys(input).length === 0;
  const call = `partbook${isJson ? '' : '.send'}(${[`'${route}'`, ...(isBare ? [] : given.map(literal))].join(', ')})`;
  const lines = [
    `import { connect${isStream ? ', readEvents' : ''} } from '@partbook/client';`,
    '',
    `const partbook = connect(${literal(connectionOf(path, operation))});`,
  ];
  if (!isJson) lines.push(`const response = await ${call};`);
  else lines.push(answer === undefined ? `await ${call};` : `const answer = await ${call};`);
  if (isStream)
    lines.push(
      'if (response.body !== null) for await (const event of readEvents(response.body)) console.log(event);',
    );
  else if (!isJson) lines.push('console.log(await response.text());');
  return `${lines.join('\n')}\n`;
}

/** Path parameters, without the slug, which the connection has. */
function ofPath(path: string, params: Record<string, unknown>): Record<string, unknown> {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as string);
  return Object.fromEntries(names.filter((name) => name !== 'slug').map((name) => [name, params[name]]));
}

function connectionOf(path: string, { security = [] }: Operation): Record<string, string> {
  const url = 'https://partbook.example';
  if (security.some((one) => 'operator' in one)) return { url, key: 'OPERATOR_TOKEN' };
  const workspace: Record<string, string> = path.startsWith(WORKSPACE) ? { workspace: 'acme' } : {};
  const key: Record<string, string> = security.length === 0 ? {} : { key: 'pbk_…' };
  return { url, ...workspace, ...key };
}

/** JSON with the keys of an object literal. */
function literal(value: unknown): string {
  return JSON.stringify(value, null, 2).replaceAll(/^(\s*)"([A-Za-z_]\w*)":/gm, '$1$2:');
}
