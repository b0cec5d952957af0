/** The tools that read suppliers and what they sell. */
import type { McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { Partbook } from '../typescript/connect.ts';
import { answer, given, ITEMS_MAX, page, Reference, reads, type ToolOptions } from './answer-tool.ts';

export function registerSuppliers(server: McpServer, partbook: Partbook, options: ToolOptions): void {
  const limit = ITEMS_MAX;
  server.registerTool(
    'supplier_parts',
    {
      title: 'What suppliers sell',
      description:
        "Supplier parts of an item, of a supplier, or with a text in their SKU or manufacturer's number: packs, lead time and price breaks.",
      inputSchema: z.strictObject({
        item: Reference.optional(),
        supplierId: z.uuid().optional(),
        text: z.string().max(200).optional(),
        ...page,
      }),
      annotations: reads,
    },
    ({ item, supplierId, text, cursor }) =>
      answer(
        partbook(
          'GET /supplier-parts',
          { query: given({ itemEntityId: item, supplierId, q: text, cursor, limit }) },
          options,
        ),
      ),
  );
  server.registerTool(
    'reorder_list',
    {
      title: 'What is below its reorder point',
      description:
        'Items below their reorder point with what to order: supplier part, whole packs, price and the day of receipt. What is available, on order and drafted counts, less open demand. A page may be empty although there are more: follow `nextCursor`.',
      inputSchema: z.strictObject({ supplier: z.string().min(1).max(200).optional(), ...page }),
      annotations: reads,
    },
    ({ supplier, cursor }) =>
      answer(partbook('GET /planning/reorder', { query: given({ supplier, cursor, limit }) }, options)),
  );
  server.registerTool(
    'cost',
    {
      title: 'What an item costs',
      description:
        'Explodes the structure of an item down to what is purchased and prices each purchased item at its whole quantity: totals by currency, exact and in whole packs. Items in `unknown` have no price and are in no total: say so with every total.',
      inputSchema: z.strictObject({
        item: Reference,
        quantity: z.number().positive().optional(),
        at: z.iso.date().optional(),
      }),
      annotations: reads,
    },
    ({ item, quantity, at }) =>
      answer(partbook('GET /entities/{id}/cost', { id: item, query: given({ quantity, at }) }, options)),
  );
  server.registerTool(
    'rollup',
    {
      title: 'A property added up over a structure',
      description:
        'Adds up a numeric property, such as the mass, of everything that an item contains, without losses. Items in `unknown` have no value and are in no total: say so with every total. `stated` is the value that the item has itself.',
      inputSchema: z.strictObject({
        item: Reference,
        property: z.string().min(1).meta({ description: 'The key of the property.' }),
        quantity: z.number().positive().optional(),
      }),
      annotations: reads,
    },
    ({ item, property, quantity }) =>
      answer(
        partbook('GET /entities/{id}/rollup', { id: item, query: given({ property, quantity }) }, options),
      ),
  );
  server.registerTool(
    'offers',
    {
      title: 'What to order for needs',
      description:
        'For each item the supplier part to order, the quantity in whole packs, and the price at that quantity. A missing price is null, never 0.',
      inputSchema: z.strictObject({
        lines: z
          .array(
            z.strictObject({
              item: Reference,
              quantity: z.number().positive(),
              supplier: z.string().min(1).max(200).nullish(),
            }),
          )
          .min(1)
          .max(ITEMS_MAX),
      }),
      annotations: reads,
    },
    ({ lines }) =>
      answer(
        partbook(
          'POST /supplier-parts/offers',
          { body: { lines: lines.map(({ item, ...line }) => ({ itemEntityId: item, ...given(line) })) } },
          options,
        ),
      ),
  );
}
