/**
 * The OpenAPI 3.1 document, made of the route declarations: the same zod schemas that validate requests.
 * Nothing in it is written twice, so it says what the service does.
 */
import { z } from 'zod';
import { createDocument, type ZodOpenApiOperationObject, type ZodOpenApiParameters } from 'zod-openapi';
import { type ErrorCode, errorCodes } from '../../errors.ts';
import { commonErrors } from '../common-errors.ts';
import { readOnlyNames } from '../read-only.ts';
import { queryOfRoute } from '../requests/format-query.ts';
import { API_VERSION } from '../requests/identify-request.ts';
import { type AnyRoute, honoursIdempotencyKey } from '../route.ts';
import { addCodeSamples } from './code-samples.ts';
import { describeMessages } from './describe-messages.ts';
import { addExamples, readExamples } from './examples.ts';

const introduction = `
Product data, stock and automations. Everything inside a workspace lies below \`/api/wid/{slug}\`.

- **Keys**: \`Authorization: Bearer <API_KEY>\` or \`X-API-Key: <API_KEY>\`. Each operation needs an area of its caller (\`x-area\`): read, stock, procurement, engineering, configuration or admin; a key without it gets 403 \`area_missing\`. The levels of keys are sets of areas: read is \`read\`; write adds \`stock\`, \`procurement\` and \`engineering\`; admin is all of them.
- **Errors** are problem documents (RFC 9457) with a stable \`code\`, the \`requestId\` and, for invalid input, \`errors\` with JSON pointers.
- **Lists** are \`{ items, nextCursor }\`; pass \`nextCursor\` as \`?cursor=\`. Unknown query parameters are refused.
- **Repeating a POST** is safe with an \`Idempotency-Key\`: the first answer comes again, with \`Idempotent-Replayed: true\`.
- **Concurrent edits**: what carries an \`ETag\` takes \`If-Match\` on PUT, PATCH and DELETE, and \`If-None-Match\` on GET (304).
- **Bodies** may be sent with \`Content-Encoding\` gzip, br, zstd or deflate; limits count decompressed bytes.
- **Reads that may be old**: a GET with \`Prefer: stale-ok\` may be answered by a standby of the database, where the installation has one. Then \`Preference-Applied: stale-ok\` says so, and \`Age\` within how many seconds everything that was acknowledged before is in the answer; what the caller has just written need not be. Refusals are those of the moment.
- **Limits of rate** are told in \`RateLimit\` and \`RateLimit-Policy\`; a 429 says in \`Retry-After\` when to come back.
- Every response carries \`X-Request-Id\` (taken from the request where it is sent) and \`X-Api-Version\`.
`.trim();

const Problem = z
  .looseObject({
    type: z.string(),
    title: z.string(),
    status: z.int(),
    detail: z.string().meta({ description: 'Description of what was wrong with this request, for people.' }),
    instance: z.string(),
    code: z.string().meta({ description: 'Stable; for programs.' }),
    requestId: z.string(),
    errors: z
      .array(
        z.looseObject({
          pointer: z.string().meta({ description: 'RFC 6901 pointer; the empty one is the whole document.' }),
          in: z.enum(['path', 'query']).optional().meta({ description: 'Absent for the body.' }),
          code: z.string(),
          message: z.string(),
        }),
      )
      .optional(),
  })
  .meta({ id: 'Problem', description: 'Problem details by RFC 9457.' });

const Slug = z.string().meta({ description: 'The slug of the workspace.', example: 'acme' });

export interface OpenApiOptions {
  /**
   * Whether objects in answers forbid fields that are not declared: for tests. Published schemas are open,
   * because an additive change must not break a client that validates.
   */
  closed?: boolean;
}

export type OpenApiDocument = ReturnType<typeof createDocument>;

export function buildOpenApi(routes: readonly AnyRoute[], options: OpenApiOptions = {}): OpenApiDocument {
  const paths: Record<string, Record<string, ZodOpenApiOperationObject>> = {};
  const operationIds = new Set<string>();
  for (const route of routes) {
    if (operationIds.has(route.operationId)) throw new Error(`${route.operationId} is declared twice`);
    operationIds.add(route.operationId);
    paths[route.path] ??= {};
    (paths[route.path] as Record<string, ZodOpenApiOperationObject>)[route.method] = operationOf(route);
  }
  const document = createDocument(
    {
      openapi: '3.1.1',
      info: {
        title: 'Partbook',
        version: API_VERSION,
        description: introduction,
        license: { name: 'MIT', identifier: 'MIT' },
      },
      servers: [{ url: '/' }],
      tags: tagsOf(routes),
      paths,
      webhooks: describeMessages(routes),
      components: {
        schemas: { Problem },
        securitySchemes: {
          bearer: { type: 'http', scheme: 'bearer', description: 'A workspace API key.' },
          apiKeyHeader: {
            type: 'apiKey',
            in: 'header',
            name: 'X-API-Key',
            description: 'A workspace API key.',
          },
          session: {
            type: 'apiKey',
            in: 'cookie',
            name: 'partbook_session',
            description:
              'A session in a browser (`POST /api/sessions`), over TLS as `__Secure-partbook_session`; its page must be of the same origin.',
          },
          operator: { type: 'http', scheme: 'bearer', description: "The operator's token (OPERATOR_TOKEN)." },
        },
      },
    },
    {
      override: ({ jsonSchema, io, zodSchema }) => {
        for (const name of io === 'output' ? readOnlyNames(zodSchema) : []) {
          const field = jsonSchema.properties?.[name];
          if (typeof field === 'object') field.readOnly = true;
        }
        if (io === 'output' && options.closed !== true && jsonSchema.additionalProperties === false) {
          delete jsonSchema.additionalProperties;
        }
        // Validators that take read-only fields out of a request's schema would otherwise refuse them as unknown: the
        // names say the same and stay.
        const { properties = {} } = jsonSchema;
        const readOnly = Object.values(properties).some((field) => 'readOnly' in Object(field));
        if (io === 'input' && readOnly && jsonSchema.additionalProperties === false) {
          delete jsonSchema.additionalProperties;
          jsonSchema.propertyNames = { enum: Object.keys(properties) };
        }
      },
    },
  );
  // A test that wants to know every field compares with answers of its own.
  if (options.closed !== true) {
    const examples = readExamples();
    addExamples(document, examples);
    addCodeSamples(document, examples);
  }
  return document;
}

/** Tags in the order of the table of contents. A new tag needs its sentence. */
function tagsOf(routes: readonly AnyRoute[]): { name: string; description: string }[] {
  return [...new Set(routes.map((route) => route.tag))].map((name) => {
    const description = tagDescriptions[name];
    if (description === undefined) throw new Error(`The tag ${name} has no description`);
    return { name, description };
  });
}

const tagDescriptions: Readonly<Record<string, string>> = {
  Workspaces:
    'Create and list workspaces; for the operator. Each has its own entities, configuration, keys and stock.',
  'API keys': 'Credentials of a workspace, with the areas that each may work in.',
  'CSV links': 'Addresses from which a spreadsheet reads one list without a key, until the link is revoked.',
  'Saved views': 'Filters, order and columns of lists under a name, private or shared in the workspace.',
  Comments: 'Comments on entities and imports, with mentions of members.',
  Inbox: 'What a member follows, and what it is told of.',
  'Bulk edits': 'Changes of all entities that a filter finds: previewed, applied, cancelled and undone.',
  Persons:
    'People who sign in with a passkey or a password, once for all workspaces of which they are members.',
  Members: 'The people of a workspace: invitations, areas, sign-in links, and the end of a member.',
  Sessions: 'Sign in to the web app with an API key, and sign out.',
  Configuration:
    'Categories, lifecycles and property definitions of entities, and the audit trail of their changes.',
  Entities:
    'Parts, assemblies, materials, locations, orders, …: their values, revisions and lifecycle transitions.',
  Pictures: 'A picture for each entity, with renditions of 64, 256 and 1024 pixels.',
  Structure: 'Bills of materials: children, parents, the exploded tree, and changes by hand.',
  Overview: 'What happened in a workspace, what needs attention, and a live stream of changes.',
  Synchronisation:
    'Payloads of a PDM or CAD system. They are applied in batches, which are durable once they are acknowledged.',
  KiCad: "A read-only library for KiCad's symbol chooser, with stock on hand.",
  Imports: 'Definitions of how files of a tool become elements of a sync, stored by name.',
  Stock: 'Quantities of items at locations, and the ledger of all movements.',
  Procurement: 'Orders and their lines, material requirements, and shortages of projects.',
  Automations: 'Scripts that run on events, their runs, and the built-in actions of transitions.',
  Webhooks: 'External addresses that receive events, and their deliveries.',
  Operations: 'Health of the process, for load balancers and orchestrators.',
};

function operationOf(route: AnyRoute): ZodOpenApiOperationObject {
  const params = paramsOf(route);
  return {
    operationId: route.operationId,
    tags: [route.tag],
    summary: route.summary,
    ...(route.description === undefined ? {} : { description: route.description }),
    security: securityOf(route),
    ...areaOf(route),
    ...(params === null ? {} : { requestParams: params }),
    ...requestBodyOf(route),
    responses: { ...answersOf(route), ...problemsOf(route) },
  };
}

/** The area that the operation needs; several are alternatives, of which what the call concerns decides one. */
function areaOf({ access }: AnyRoute): { 'x-area'?: string | string[] } {
  if (access === 'public' || access === 'operator' || access === 'csvLink') return {};
  return { 'x-area': typeof access === 'string' ? access : [...access] };
}

function securityOf(route: AnyRoute): Record<string, string[]>[] {
  // The secret of a CSV link stands in its path: there is no other.
  if (route.access === 'public' || route.access === 'csvLink') return [];
  if (route.access === 'operator') return [{ operator: [] }];
  return [{ bearer: [] }, { apiKeyHeader: [] }, { session: [] }];
}

function paramsOf(route: AnyRoute): ZodOpenApiParameters | null {
  const path = {
    ...(route.path.includes('{slug}') ? { slug: Slug } : {}),
    ...(route.params === undefined ? {} : route.params.shape),
  };
  const header = {
    ...(honoursIdempotencyKey(route) ? { 'Idempotency-Key': idempotencyKey } : {}),
    ...(['put', 'patch', 'delete'].includes(route.method) ? { 'If-Match': ifMatch } : {}),
    ...(route.headers === undefined ? {} : route.headers.shape),
  };
  const query = queryOfRoute(route);
  const params: ZodOpenApiParameters = {
    ...(Object.keys(path).length === 0 ? {} : { path: z.object(path) }),
    ...(query === undefined ? {} : { query }),
    ...(Object.keys(header).length === 0 ? {} : { header: z.object(header) }),
  };
  return Object.keys(params).length === 0 ? null : params;
}

const idempotencyKey = z
  .string()
  .regex(/^[\x21-\x7e]{1,255}$/)
  .optional()
  .meta({
    description: 'Repeating the request with the same key and body returns the first response, for 7 days.',
  });
const ifMatch = z
  .string()
  .optional()
  .meta({ description: 'The `ETag` that you read: 412 if the resource has changed since.' });

function requestBodyOf(route: AnyRoute): Pick<ZodOpenApiOperationObject, 'requestBody'> {
  if (route.rawBody !== undefined) {
    const content = Object.entries(route.rawBody).map(([type, description]) => [
      type,
      {
        schema:
          route.rawSchemas?.[type] ??
          (type.endsWith('json') && !type.includes('ndjson')
            ? { description }
            : { type: 'string' as const, description }),
      },
    ]);
    return { requestBody: { required: true, content: Object.fromEntries(content) } };
  }
  if (route.body === undefined) return {};
  const required = !route.body.safeParse(undefined).success;
  return { requestBody: { required, content: { 'application/json': { schema: route.body } } } };
}

function answersOf(route: AnyRoute): ZodOpenApiOperationObject['responses'] {
  const answers = Object.entries(route.answers).map(([status, answer]) => {
    const { description, schema, alternatives, alternativeSchemas } = answer;
    const content = {
      ...(schema === undefined ? {} : { 'application/json': { schema } }),
      ...Object.fromEntries(
        Object.entries(alternatives ?? {}).map(([type, form]) => [
          type,
          { schema: alternativeSchemas?.[type] ?? { type: 'string' as const, description: form } },
        ]),
      ),
    };
    return [status, { description, ...(Object.keys(content).length === 0 ? {} : { content }) }];
  });
  return Object.fromEntries(answers);
}

/** Returns a response for each status, with its possible codes. A declared answer of that status stays. */
function problemsOf(route: AnyRoute): ZodOpenApiOperationObject['responses'] {
  const codes = [...new Set<ErrorCode>([...commonErrors(route), ...(route.errors ?? [])])];
  const byStatus = Map.groupBy(codes, (code) => errorCodes[code][0]);
  return Object.fromEntries(
    [...byStatus]
      .filter(([status]) => route.answers[status] === undefined)
      .toSorted(([a], [b]) => a - b)
      .map(([status, of]) => [
        String(status),
        {
          description: of.map((code) => `\`${code}\`: ${errorCodes[code][1]}.`).join(' '),
          content: {
            'application/problem+json': {
              schema: {
                allOf: [
                  { $ref: '#/components/schemas/Problem' },
                  { type: 'object' as const, properties: { code: { enum: of } } },
                ],
              },
            },
          },
        },
      ]),
  );
}
