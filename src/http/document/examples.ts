/**
 * The examples of the API reference: calls that a real service has taken, and its answers. `npm run examples` records
 * them; a test sends each again and holds both sides against the schemas.
 */
import { readFileSync } from 'node:fs';
import type { createDocument } from 'zod-openapi';

/** A body: of JSON its value, of what comes as a sequence one item, otherwise the text. */
export interface ExampleBody {
  type: string;
  value: unknown;
}

export interface Example {
  name: string;
  params?: Record<string, unknown>;
  query?: Record<string, unknown>;
  headers?: Record<string, unknown>;
  body?: ExampleBody;
  status: number;
  answer?: ExampleBody;
}

export interface Examples {
  /** Examples by operation, the simplest first. */
  operations: Record<string, Example[]>;
  /** Examples of webhook messages by type. */
  messages: Record<string, unknown>;
}

export const examplesFile = new URL('./examples.json', import.meta.url);

export function readExamples(): Examples {
  return JSON.parse(readFileSync(examplesFile, 'utf8')) as Examples;
}

type Document = ReturnType<typeof createDocument>;
type Operation = NonNullable<NonNullable<Document['paths']>[string]['get']>;

/** Puts each at its place in the document. */
export function addExamples(document: Document, { operations, messages }: Examples): void {
  for (const item of Object.values(document.paths ?? {})) {
    for (const operation of [item.get, item.post, item.put, item.patch, item.delete]) {
      const examples = operations[operation?.operationId ?? ''];
      if (operation !== undefined && examples !== undefined) addTo(operation, examples);
    }
  }
  for (const [type, message] of Object.entries(messages)) {
    const body = document.webhooks?.[type]?.post?.requestBody;
    if (body !== undefined && 'content' in body) put(body.content, 'application/json', 'example', message);
  }
}

function addTo(operation: Operation, examples: readonly Example[]): void {
  for (const parameter of operation.parameters ?? []) {
    if (!('name' in parameter)) continue;
    const { name, in: where } = parameter;
    const given = examples.map(({ params, query, headers }): unknown => {
      const path: Record<string, unknown> = { slug: 'acme', ...params };
      return where === 'path' ? path[name] : (where === 'query' ? query : headers)?.[name];
    });
    const example = given.find((value) => value !== undefined);
    if (example !== undefined) parameter.example = example;
  }
  const { requestBody, responses = {} } = operation;
  for (const { name, body, status, answer } of examples) {
    if (body !== undefined && requestBody !== undefined && 'content' in requestBody)
      put(requestBody.content, body.type, name, body.value);
    const response = Object.entries(responses).find(([code]) => code === String(status))?.[1];
    if (
      answer !== undefined &&
      response !== undefined &&
      'content' in response &&
      response.content !== undefined
    )
      put(response.content, answer.type, name, answer.value);
  }
}

/** Adds an example if the document has that media type. */
function put(content: object, type: string, name: string, value: unknown): void {
  const place = new Map<string, { examples?: object }>(Object.entries(content)).get(type);
  if (place !== undefined) place.examples = { ...place.examples, [name]: { value } };
}
