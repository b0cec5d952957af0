/** The tools that read what stock is worth. */
import type { McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { Partbook } from '../typescript/connect.ts';
import { answer, given, ITEMS_MAX, page, Reference, reads, type ToolOptions } from './answer-tool.ts';

const scope = {
  at: z.iso.datetime().optional().meta({ description: 'At the end of this moment; by default now.' }),
  below: Reference.optional().meta({ description: 'Only stock at this location and at all that lie in it.' }),
};

export function registerValue(server: McpServer, partbook: Partbook, options: ToolOptions): void {
  const limit = ITEMS_MAX;
  server.registerTool(
    'stock_value',
    {
      title: 'What stock is worth, by item',
      description:
        'Items in stock with their value, or one item. `unknownQuantity` has no known cost and is in no value, and never counts as zero: say so with every value. `item` cannot be combined with `below`. A page may be empty although there are more: follow `nextCursor`.',
      inputSchema: z.strictObject({ item: Reference.optional(), ...scope, ...page }),
      annotations: reads,
    },
    ({ item, at, below, cursor }) =>
      answer(partbook('GET /stock/value', { query: given({ item, at, below, cursor, limit }) }, options)),
  );
  server.registerTool(
    'stock_value_total',
    {
      title: 'What all stock is worth',
      description:
        'The sum over all items, and how many items have stock without a known cost (`unknownItems`), which is in no sum: say so with every total.',
      inputSchema: z.strictObject(scope),
      annotations: reads,
    },
    ({ at, below }) => answer(partbook('GET /stock/value/total', { query: given({ at, below }) }, options)),
  );
  server.registerTool(
    'cost_layers',
    {
      title: 'Cost layers of an item',
      description:
        'What is left of each receipt of an item, by location and age, with its cost; null where the cost is unknown.',
      inputSchema: z.strictObject({ item: Reference, ...page }),
      annotations: reads,
    },
    ({ item, cursor }) =>
      answer(
        partbook(
          'GET /stock/value/{itemEntityId}/layers',
          { itemEntityId: item, query: given({ cursor, limit }) },
          options,
        ),
      ),
  );
  server.registerTool(
    'cost_variances',
    {
      title: 'What was paid compared with the standard cost of an item',
      description:
        'What arrived of an item while it had a standard cost, the newest first: at the standard, what was paid, and the difference; null where what was paid is unknown. Empty for an item that never had a standard cost.',
      inputSchema: z.strictObject({ item: Reference, ...page }),
      annotations: reads,
    },
    ({ item, cursor }) =>
      answer(
        partbook(
          'GET /stock/value/{itemEntityId}/variances',
          { itemEntityId: item, query: given({ cursor, limit }) },
          options,
        ),
      ),
  );
}
