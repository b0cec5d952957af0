/** The tools for the shortages of a project: reading them, and supplying the project. */
import type { McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { Partbook } from '../typescript/connect.ts';
import {
  answer,
  Configuration,
  firstOf,
  given,
  ITEMS_MAX,
  Reference,
  reads,
  type ToolOptions,
  writes,
} from './answer-tool.ts';

export function registerShortages(server: McpServer, partbook: Partbook, options: ToolOptions): void {
  server.registerTool(
    'shortages',
    {
      title: 'Shortages of a project',
      description:
        'What a project needs and does not have, against what is available and on order; also items with an open requirement, or all items.',
      inputSchema: z.strictObject({
        project: Reference,
        configuration: Configuration,
        include: z.enum(['short', 'open', 'all']).default('short'),
        kind: z
          .enum(['purchased', 'made'])
          .optional()
          .meta({ description: 'Only parts without children, or only those with some.' }),
        text: z.string().max(200).optional().meta({ description: 'A part of the number or the name.' }),
        sort: z.enum(['structure', 'number', 'name', 'supplier', 'shortageQty']).optional(),
        order: z.enum(['asc', 'desc']).optional(),
      }),
      annotations: reads,
    },
    ({ project, include, text, ...rest }) =>
      answer(
        partbook(
          'GET /projects/{id}/shortages',
          {
            id: project,
            query: given({
              ...rest,
              q: text,
              open: include === 'open' ? ('true' as const) : undefined,
              all: include === 'all' ? ('true' as const) : undefined,
            }),
          },
          options,
        ).then(({ items, ...counts }) => {
          const first = firstOf({ items });
          return {
            ...counts,
            more: first.more,
            items: first.items.map(({ usedIn, ...item }) => ({ ...item, usedIn: usedIn.slice(0, 5) })),
          };
        }),
      ),
  );
}

/** The tools that supply a project. The service has no dry run of them: `shortages` shows the figures before. */
export function registerSupply(server: McpServer, partbook: Partbook, options: ToolOptions): void {
  const ask = 'Show a person what it will do, from the figures of shortages, before you call it.';
  const items = z.array(Reference).min(1).max(ITEMS_MAX);
  const note = z.string().max(2000).optional();
  const requiredBy = z.iso.date().optional();
  server.registerTool(
    'raise_requirements',
    {
      title: 'Require what a project is short of',
      description: `Creates a requirement for the shortage of each item; a second call creates no more. ${ask}`,
      inputSchema: z.strictObject({ project: Reference, items, requiredBy, configuration: Configuration }),
      annotations: { ...writes, idempotentHint: true },
    },
    ({ project, items: itemEntityIds, ...rest }) =>
      answer(
        partbook(
          'POST /projects/{id}/shortages/requirements',
          { id: project, body: given({ itemEntityIds, ...rest }) },
          options,
        ),
      ),
  );
  server.registerTool(
    'reserve_shortages',
    {
      title: 'Reserve stock for a project',
      description: `Reserves what is available of each item, up to what the project needs: all or nothing. ${ask}`,
      inputSchema: z.strictObject({ project: Reference, items, note, configuration: Configuration }),
      annotations: writes,
    },
    ({ project, items: chosen, ...rest }) =>
      answer(
        partbook(
          'POST /projects/{id}/shortages/reservations',
          {
            id: project,
            body: { lines: chosen.map((itemEntityId) => ({ itemEntityId })), ...given(rest) },
          },
          options,
        ),
      ),
  );
  server.registerTool(
    'order_shortages',
    {
      title: 'Order items for a project',
      description: `Creates one purchase order for each supplier: all or nothing. Draft lines promise nothing until a person orders them. ${ask}`,
      inputSchema: z.strictObject({
        project: Reference,
        location: Reference,
        lines: z
          .array(
            z.strictObject({
              itemEntityId: Reference,
              quantity: z.number().positive(),
              supplier: z.string().min(1).max(200).nullish(),
            }),
          )
          .min(1)
          .max(ITEMS_MAX),
        state: z.enum(['Draft', 'Ordered']).default('Draft'),
        requiredBy,
        note,
        configuration: Configuration,
      }),
      annotations: writes,
    },
    ({ project, location, lines, state, ...rest }) =>
      answer(
        partbook(
          'POST /projects/{id}/shortages/orders',
          {
            id: project,
            body: {
              locationEntityId: location,
              lines: lines.map((line) => given(line)),
              state,
              ...given(rest),
            },
          },
          options,
        ),
      ),
  );
}
