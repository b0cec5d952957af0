/**
 * `npm run client`: writes generated/types.ts and generated/operations.ts from docs/openapi.json. The first holds types
 * alone: of the schemas, and of the input, the answer and the error codes of each operation. The second is a table of
 * methods and paths, for whoever calls operations by name, as the web app does. A test holds both against the document.
 */
import { readFileSync, writeFileSync } from 'node:fs';

interface Schema {
  $ref?: string;
  type?: string | string[];
  const?: unknown;
  enum?: unknown[];
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: boolean | Schema;
}

interface Operation {
  operationId: string;
  summary: string;
  parameters?: { name: string; in: string; required?: boolean; schema: Schema }[];
  requestBody?: { required?: boolean; content: Record<string, { schema: Schema }> };
  responses: Record<string, { content?: Record<string, { schema: Schema }> }>;
}

interface OpenApi {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
}

export const documentFile = new URL('../../docs/openapi.json', import.meta.url);
export const typesFile = new URL('./generated/types.ts', import.meta.url);
export const operationsFile = new URL('./generated/operations.ts', import.meta.url);

const METHODS = ['get', 'post', 'put', 'patch', 'delete'];
const WORKSPACE = '/api/wid/{slug}';

interface Named {
  path: string;
  method: string;
  operation: Operation;
}

/** The text of generated/types.ts. */
export function generateTypes(document: OpenApi): string {
  const schemas = Object.entries(document.components.schemas).map(
    ([name, schema]) => `export type ${name} = ${typeOf(schema)};`,
  );
  const types = operationsIn(document).map(({ path, method, operation }) =>
    [
      `  /** ${operation.summary} */`,
      `  ${operation.operationId}: {`,
      `    route: '${method.toUpperCase()} ${path.replace(WORKSPACE, '')}';`,
      `    input: ${inputOf(operation)};`,
      `    answer: ${answerOf(operation)};`,
      `    error: ${errorsOf(operation)};`,
      '  };',
    ].join('\n'),
  );
  return [heading, ...schemas, '', 'export interface Operations {', ...types, '}', ''].join('\n');
}

/** The text of generated/operations.ts. */
export function generateOperations(document: OpenApi): string {
  const table = operationsIn(document).map(
    ({ path, method, operation }) =>
      `  ${operation.operationId}: ['${method.toUpperCase()}', '${path.replace(WORKSPACE, '')}', ${path.startsWith(WORKSPACE)}],`,
  );
  return [
    heading,
    "import type { Operations } from './types.ts';",
    '',
    '/** Method, path, and whether the path stands below the workspace. */',
    'export const operations: Record<keyof Operations, readonly [method: string, path: string, inWorkspace: boolean]> = {',
    ...table,
    '};',
    '',
  ].join('\n');
}

const heading = '// Generated from docs/openapi.json by `npm run client`; not to be edited.';

function operationsIn({ paths }: OpenApi): Named[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([method]) => METHODS.includes(method))
      .map(([method, operation]) => ({ path, method, operation })),
  );
}

/** The codes of all refusals that the operation declares. */
function errorsOf({ responses }: Operation): string {
  const codes = Object.values(responses).flatMap(({ content }) => {
    const schema = content?.['application/problem+json']?.schema;
    return (schema?.allOf ?? []).flatMap((one) => one.properties?.code?.enum ?? []);
  });
  return codes.length === 0 ? 'never' : [...new Set(codes)].map((code) => JSON.stringify(code)).join(' | ');
}

function inputOf({ parameters = [], requestBody }: Operation): string {
  const inPath = parameters
    .filter((one) => one.in === 'path' && one.name !== 'slug')
    .map((one) => `${quoted(one.name)}: ${typeOf(one.schema)}`);
  const inQuery = parameters
    .filter((one) => one.in === 'query')
    .map((one) => `${quoted(one.name)}${one.required === true ? '' : '?'}: ${typeOf(one.schema)}`);
  const body = requestBody?.content['application/json'];
  // If there are several media types, the others are sent as streams.
  const others = Object.keys(requestBody?.content ?? {}).length - 1;
  const fields = [
    ...inPath,
    ...(inQuery.length === 0 ? [] : [`query?: { ${inQuery.join('; ')} }`]),
    ...(body === undefined
      ? []
      : [`body${requestBody?.required === false || others > 0 ? '?' : ''}: ${typeOf(body.schema)}`]),
  ];
  return fields.length === 0 ? '{}' : `{ ${fields.join('; ')} }`;
}

function answerOf({ responses }: Operation): string {
  const answers = Object.entries(responses)
    .filter(([status]) => status.startsWith('2'))
    .map(([, answer]) => answer.content?.['application/json']?.schema)
    .map((schema) => (schema === undefined ? 'undefined' : typeOf(schema)));
  return [...new Set(answers)].join(' | ');
}

function typeOf(schema: Schema): string {
  if (schema.$ref !== undefined) return schema.$ref.split('/').at(-1) as string;
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum !== undefined) return schema.enum.map((value) => JSON.stringify(value)).join(' | ');
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices !== undefined) return [...new Set(choices.map(typeOf))].join(' | ');
  if (schema.allOf !== undefined) return schema.allOf.map((one) => `(${typeOf(one)})`).join(' & ');
  const kinds = [schema.type ?? 'any'].flat();
  return [...new Set(kinds.map((kind) => ofKind(schema, kind)))].join(' | ');
}

function ofKind(schema: Schema, kind: string): string {
  switch (kind) {
    case 'string':
    case 'boolean':
    case 'null':
    case 'number':
      return kind;
    case 'integer':
      return 'number';
    case 'array':
      return `(${typeOf(schema.items ?? {})})[]`;
    case 'object':
      return objectOf(schema);
    default:
      return 'unknown';
  }
}

function objectOf({ properties = {}, required = [], additionalProperties }: Schema): string {
  const fields = Object.entries(properties).map(
    ([name, field]) => `${quoted(name)}${required.includes(name) ? '' : '?'}: ${typeOf(field)}`,
  );
  if (fields.length > 0) return `{ ${fields.join('; ')} }`;
  return typeof additionalProperties === 'object'
    ? `Record<string, ${typeOf(additionalProperties)}>`
    : 'Record<string, unknown>';
}

function quoted(name: string): string {
  return /^[A-Za-z_]\w*$/.test(name) ? name : JSON.stringify(name);
}

if (import.meta.main) {
  const document = JSON.parse(readFileSync(documentFile, 'utf8')) as OpenApi;
  writeFileSync(typesFile, generateTypes(document));
  writeFileSync(operationsFile, generateOperations(document));
}
