/** The tools that read stock: positions, lots, movements, shortages, and components of a line. */
import type { McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { Partbook } from '../typescript/connect.ts';
import {
  answer,
  firstOf,
  given,
  ITEMS_MAX,
  page,
  Reference,
  reads,
  type ToolOptions,
} from './answer-tool.ts';
import { registerShortages } from './register-shortages.ts';
import { registerSuppliers } from './register-suppliers.ts';
import { registerValue } from './register-value.ts';

export function registerStock(server: McpServer, partbook: Partbook, options: ToolOptions): void {
  const limit = ITEMS_MAX;
  server.registerTool(
    'stock_positions',
    {
      title: 'Stock of an item',
      description:
        'How many of an item are on hand, reserved, available and on order, at each location. `blocked` is the part of `reserved` that is in quarantine or rejected: no order has it.',
      inputSchema: z.strictObject({ item: Reference, ...page }),
      annotations: reads,
    },
    ({ item, cursor }) =>
      answer(
        partbook(
          'GET /stock/positions/by-item/{itemEntityId}',
          { itemEntityId: item, query: given({ cursor, limit }) },
          options,
        ),
      ),
  );
  server.registerTool(
    'item_units',
    {
      title: 'Units of an item',
      description:
        'The unit in which stock of an item is kept (all quantities are in it), and its other units with their exact factors.',
      inputSchema: z.strictObject({ item: Reference }),
      annotations: reads,
    },
    ({ item }) => answer(partbook('GET /stock/units/{itemEntityId}', { itemEntityId: item }, options)),
  );
  server.registerTool(
    'location_stock',
    {
      title: 'Stock of a location',
      description:
        'The stock of each item, summed over a location and all locations that lie in it: a warehouse with its shelves and bins.',
      inputSchema: z.strictObject({ location: Reference, ...page }),
      annotations: reads,
    },
    ({ location, cursor }) =>
      answer(
        partbook(
          'GET /stock/sums/by-location/{locationEntityId}',
          { locationEntityId: location, query: given({ cursor, limit }) },
          options,
        ),
      ),
  );
  server.registerTool(
    'list_transfers_in_transit',
    {
      title: 'Goods in transit',
      description:
        'Goods that were sent from one location to another and have not arrived, newest first; of an item or of all.',
      inputSchema: z.strictObject({ item: Reference.optional(), ...page }),
      annotations: reads,
    },
    ({ item, cursor }) =>
      answer(
        partbook('GET /stock/transfers', { query: given({ itemEntityId: item, cursor, limit }) }, options),
      ),
  );
  server.registerTool(
    'list_lots',
    {
      title: 'Lots and serial numbers',
      description:
        "Lots of an item with quantity on hand, expiry date and the supplier's lot; or, without an item, the lots in stock that expire before a day, the first to expire first; or those of a status (`quarantine`, `rejected`), which cannot be used.",
      inputSchema: z.strictObject({
        item: Reference.optional(),
        expiresBefore: z.iso.date().optional(),
        status: z.enum(['quarantine', 'rejected']).optional(),
        ...page,
      }),
      annotations: reads,
    },
    ({ item, expiresBefore, status, cursor }) =>
      answer(
        partbook(
          'GET /stock/lots',
          {
            query: given({
              itemEntityId: item,
              expiresBefore,
              status,
              ...(expiresBefore === undefined ? {} : { inStock: 'true' as const }),
              cursor,
              limit,
            }),
          },
          options,
        ),
      ),
  );
  server.registerTool(
    'lot_holds',
    {
      title: 'Reservations that hold a lot',
      description:
        'Sales lines and requirements whose reservation holds a lot, with the quantity at each location.',
      inputSchema: z.strictObject({
        lot: z.uuid().meta({ description: 'Id of a lot from list_lots.' }),
      }),
      annotations: reads,
    },
    ({ lot }) => answer(partbook('GET /stock/holds', { query: { lotId: lot } }, options)),
  );
  server.registerTool(
    'trace_lot',
    {
      title: 'Trace a lot',
      description:
        'What a lot was used for, down to shipments (`up`: a recall list), or what it was made of, down to receipts (`down`); at most 50 steps.',
      inputSchema: z.strictObject({
        lot: z.uuid().meta({ description: 'Id of a lot from list_lots.' }),
        direction: z.enum(['up', 'down']),
      }),
      annotations: reads,
    },
    ({ lot, direction }) =>
      answer(
        partbook('GET /stock/lots/{id}/trace', { id: lot, query: { direction } }, options).then(firstOf),
      ),
  );
  server.registerTool(
    'list_locations',
    {
      title: 'Locations',
      description:
        'Locations with their path: those directly in one location, or those that lie in no other.',
      inputSchema: z.strictObject({ parent: Reference.optional(), ...page }),
      annotations: reads,
    },
    ({ parent, cursor }) =>
      answer(
        partbook(
          'GET /locations',
          {
            query: given({
              ...(parent === undefined ? { top: 'true' as const } : { parent }),
              cursor,
              limit,
            }),
          },
          options,
        ),
      ),
  );
  server.registerTool(
    'stock_ledger',
    {
      title: 'Movements of an item',
      description: 'The ledger of an item, newest first: who moved how many, when and why.',
      inputSchema: z.strictObject({ item: Reference, ...page }),
      annotations: reads,
    },
    ({ item, cursor }) =>
      answer(
        partbook(
          'GET /stock/ledger/by-item/{itemEntityId}',
          { itemEntityId: item, query: given({ cursor, limit }) },
          options,
        ),
      ),
  );
  registerShortages(server, partbook, options);
  registerSuppliers(server, partbook, options);
  registerValue(server, partbook, options);
  server.registerTool(
    'line_components',
    {
      title: 'Components of a manufacturing line',
      description:
        'What a manufacturing line is built from: required, issued, reserved, available; how many units can be built now, and what limits them.',
      inputSchema: z.strictObject({ line: Reference }),
      annotations: reads,
    },
    ({ line }) =>
      answer(
        partbook('GET /stock/lines/{id}/components', { id: line }, options).then(
          ({ components, ...rest }) => ({
            ...rest,
            components: components.slice(0, ITEMS_MAX),
          }),
        ),
      ),
  );
}
