/**
 * Makes the tools that agents get: tools that read, and, where the person who runs the server allows it, tools that write. An agent sees
 * only the tools that the areas of its key allow. One factory for standard input and output and for HTTP.
 */
import { McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { Partbook } from '../typescript/connect.ts';
import { answer, Configuration, firstOf, given, ITEMS_MAX, page, Reference, reads } from './answer-tool.ts';
import { type Area, mayUse } from './areas-of-tools.ts';
import { registerRuns } from './register-actions.ts';
import { registerBatches } from './register-batches.ts';
import { registerPlanning } from './register-planning.ts';
import { registerStock } from './register-stock.ts';
import { registerWrites } from './register-writes.ts';

/** Gone through for an answer of some lines: what comes of more is read in one turn of the loop. */
const LINKS_MAX = 10_000;

export interface ServerOptions {
  partbook: Partbook;
  /** Whether changes may be proposed and applied. */
  allowsWrites: boolean;
  /** Areas of the agent's key. */
  areas: readonly Area[];
  signal?: AbortSignal;
}

export function makeServer({ partbook, allowsWrites, areas, signal }: ServerOptions): McpServer {
  const server = new McpServer(
    { name: 'partbook', version: '1.0.0' },
    {
      instructions:
        'The book of record for parts, their structure and their stock. Find entities with search_entities, then use their ids. ' +
        `Lists come in pages of 50. ${aboutWrites(allowsWrites, areas)}`,
    },
  );
  offerTools(server, areas);
  const options = signal === undefined ? {} : { signal };
  const limit = ITEMS_MAX;

  server.registerTool(
    'search_entities',
    {
      title: 'Search entities',
      description:
        'Parts, assemblies, materials, locations and orders, by what stands in their number or name, and by their properties.',
      inputSchema: z.strictObject({
        text: z.string().max(200).optional(),
        number: z.string().max(255).optional().meta({ description: 'The exact number.' }),
        category: z.string().max(100).optional(),
        state: z.string().max(100).optional(),
        where: z.array(z.string().max(1000)).min(1).max(20).optional().meta({
          description:
            'Conditions on properties, all of which must hold: KEY:lt:VALUE, also le gt ge eq ne, KEY:in:A,B, KEY:has:TEXT, KEY:has, KEY:none. A refusal lists the keys and choices that there are.',
        }),
        sort: z
          .string()
          .max(280)
          .optional()
          .meta({ description: 'number, name, updatedAt or properties.KEY.' }),
        view: z.uuid().optional().meta({
          description: 'Id of a saved view (list_views), whose filters and order count.',
        }),
        ...page,
      }),
      annotations: reads,
    },
    ({ text, sort, ...rest }) =>
      answer(
        partbook(
          'GET /entities',
          { query: given({ ...rest, sort: sort as 'number' | undefined, q: text, limit }) },
          options,
        ),
      ),
  );
  server.registerTool(
    'list_views',
    {
      title: 'List saved views',
      description: 'Named filters and orders that people have saved for lists of entities.',
      inputSchema: z.strictObject(page),
      annotations: reads,
    },
    (rest) =>
      answer(
        partbook('GET /views', { query: given({ ...rest, list: 'entities' as const, limit }) }, options),
      ),
  );
  server.registerTool(
    'read_inbox',
    {
      title: 'Read the inbox',
      description:
        'What others did with the things that the person follows, and where they were mentioned, latest first. For keys that a person made for themselves.',
      inputSchema: z.strictObject({ unread: z.boolean().optional(), ...page }),
      annotations: reads,
    },
    ({ unread, ...rest }) =>
      answer(
        partbook(
          'GET /me/inbox',
          { query: given({ ...rest, unread: unread === true ? ('true' as const) : undefined, limit }) },
          options,
        ),
      ),
  );
  server.registerTool(
    'my_work',
    {
      title: 'What waits for the person',
      description:
        'Requirements to decide, counts assigned to the person, their imports with errors, their planning runs with open actions. For keys that a person made for themselves.',
      inputSchema: z.strictObject({}),
      annotations: reads,
    },
    () => answer(partbook('GET /me/work', options)),
  );
  server.registerTool(
    'get_entity',
    {
      title: 'Read an entity',
      description: 'One entity with its values, state and revision.',
      inputSchema: z.strictObject({ entity: Reference }),
      annotations: reads,
    },
    ({ entity }) => answer(partbook('GET /entities/{id}', { id: entity }, options)),
  );
  server.registerTool(
    'get_tree',
    {
      title: 'Explode an assembly',
      description:
        'What an entity is made of, level by level, with quantities; at most 50 lines, then say a smaller depth.',
      inputSchema: z.strictObject({
        entity: Reference,
        depth: z.int().min(1).max(20).default(3),
        configuration: Configuration,
      }),
      annotations: reads,
    },
    ({ entity, ...query }) =>
      answer(partbook('GET /entities/{id}/tree', { id: entity, query }, options).then(firstOf)),
  );
  server.registerTool(
    'where_used',
    {
      title: 'Where an entity is used',
      description:
        'The assemblies that an entity is in: its parents, page by page; or of all levels each once, the nearest first, with how many of the entity one of it takes in all (at most 50); or of these the ones that nothing uses. `revisions` released: by the newest released revision of each assembly, which is what was built, whatever its draft says; all: by both.',
      inputSchema: z.strictObject({
        entity: Reference,
        levels: z.enum(['parents', 'all', 'top']).default('parents'),
        revisions: z.enum(['current', 'released', 'all']).default('current'),
        ...page,
      }),
      annotations: reads,
    },
    ({ entity, levels, revisions, cursor }) =>
      answer(
        levels === 'parents'
          ? partbook(
              'GET /entities/{id}/where-used',
              { id: entity, query: given({ cursor, limit, revisions }) },
              options,
            )
          : partbook(
              'GET /entities/{id}/where-used/all',
              {
                id: entity,
                query: { revisions, linksMax: LINKS_MAX, ...(levels === 'top' ? { top: 'true' } : {}) },
              },
              options,
            ).then(firstOf),
      ),
  );
  server.registerTool(
    'compare_revisions',
    {
      title: 'Compare two revisions',
      description: 'What changed between two revisions of an entity: fields, properties and structure.',
      inputSchema: z.strictObject({
        entity: Reference,
        from: z.int().min(1),
        to: z.int().min(1),
        configuration: Configuration,
      }),
      annotations: reads,
    },
    ({ entity, ...query }) =>
      answer(partbook('GET /entities/{id}/revisions/compare', { id: entity, query }, options)),
  );
  registerRuns(server, partbook, options);
  registerStock(server, partbook, options);
  registerPlanning(server, partbook, options);
  registerBatches(server, partbook, options);
  if (allowsWrites) registerWrites(server, partbook, options);
  return server;
}

/** Says to the agent, and so to its user, why tools that write are absent. */
function aboutWrites(allowsWrites: boolean, areas: readonly Area[]): string {
  if (allowsWrites)
    return `Changes are proposed with propose_sync, shown to a person, and applied with commit_plan. The areas of the key are ${areas.join(', ')}; tools of other areas are not offered.`;
  const switches = 'the option --allow-writes of `partbook mcp`, or ?writes=allowed in the address';
  return `No tool of this connection changes anything, so run_action and other tools that write are not offered. They take ${switches}, and a key with more areas than read. The areas of the key are ${areas.join(', ')}.`;
}

const jsonSchemas = new Map<string, Record<string, unknown>>();

/**
 * Registers the tools that the areas allow. The schema of each is converted to JSON once in a process: a server serves one request, and all
 * conversions take 10 ms.
 */
function offerTools(server: McpServer, areas: readonly Area[]): void {
  const register = server.registerTool.bind(server) as (
    name: string,
    config: object,
    handle: unknown,
  ) => unknown;
  const registerConverted = (name: string, config: { inputSchema: z.ZodType }, handle: unknown) => {
    if (!mayUse(name, areas)) return undefined;
    const { inputSchema } = config;
    const standard = inputSchema['~standard'];
    const input = (options: Parameters<typeof standard.jsonSchema.input>[0]) => {
      const key = `${name} ${options.target}`;
      const known = jsonSchemas.get(key) ?? standard.jsonSchema.input(options);
      jsonSchemas.set(key, known);
      return known;
    };
    const jsonSchema = { ...standard.jsonSchema, input };
    const converted = Object.create(inputSchema, { '~standard': { value: { ...standard, jsonSchema } } });
    return register(name, { ...config, inputSchema: converted }, handle);
  };
  server.registerTool = registerConverted as typeof server.registerTool;
}
