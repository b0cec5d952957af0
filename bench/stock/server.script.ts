/** The service as `../stock.ts` measures it, with one more route: the same call with an empty handler, the limit of HTTP. */
import { routes, startWeb } from '../../src/api.ts';
import { readConfig } from '../../src/config.ts';
import { openContext, openResources } from '../../src/context.ts';
import { defineRoute } from '../../src/http/route.ts';
import { openLog } from '../../src/log.ts';
import { collectAsWeb, collectAtWork, collectWhileStarting } from '../../src/process/collect-garbage.ts';
import { StockAdjusted, StockAdjustment } from '../../src/stock/entries/stock.schema.ts';

collectWhileStarting();
const config = readConfig(process.env);
const databaseUrl = config.DATABASE_URL as string;
const prefix = config.QUEUE_PREFIX;
const resources = await openResources(config, openLog(config, 'web'), {
  databaseUrl,
  queue:
    config.REDIS_URL === undefined
      ? { kind: 'postgres', url: databaseUrl, prefix }
      : { kind: 'redis', url: config.REDIS_URL, prefix },
});
const context = openContext(resources, config.OPERATOR_TOKEN as string);

const id = '0199d0f0-0000-7000-8000-000000000001';
const recordedAt = '2026-11-20T09:30:00.000Z';
const nothing = defineRoute({
  method: 'post',
  path: '/api/wid/{slug}/stock/nothing',
  operationId: 'postNothing',
  tag: 'Bench',
  summary: 'An adjustment without its work',
  access: 'stock',
  transaction: 'none',
  idempotent: true,
  body: StockAdjustment,
  answers: { 201: { description: 'What an adjustment answers.', schema: StockAdjusted } },
  handle: async ({ body, actor }) => ({
    status: 201,
    body: {
      entry: {
        id,
        sequence: 1,
        recordedAt,
        movementType: 'Adjustment',
        itemEntityId: body.itemEntityId,
        itemNumber: 'N-1',
        locationEntityId: body.locationEntityId,
        locationNumber: 'L-1',
        quantity: body.quantity,
        onHandAfter: 1000,
        reservedAfter: 0,
        onOrderAfter: 0,
        note: null,
        lineId: null,
        orderId: null,
        requirementId: null,
        actor,
        hash: 'f'.repeat(64),
      },
      position: {
        itemEntityId: body.itemEntityId,
        itemNumber: 'N-1',
        itemName: 'An entity',
        locationEntityId: body.locationEntityId,
        locationNumber: 'L-1',
        locationName: 'An entity',
        onHand: 1000,
        reserved: 0,
        onOrder: 0,
        available: 1000,
        updatedAt: recordedAt,
      },
    },
  }),
});

const server = await startWeb(context, { routes: [...routes, nothing] });
collectAtWork();
collectAsWeb();
process.stdout.write(`${JSON.stringify({ port: server.port })}\n`);
process.stdin.resume().once('end', async () => {
  await server.close();
  await context.closeWeb();
  await resources.close();
  process.exit();
});
