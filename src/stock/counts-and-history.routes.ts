/** Counting stock, and how it was over time. */

import { z } from 'zod';
import { DAY_MS } from '../calendar/days.ts';
import { firstIdAt } from '../db/ids.ts';
import type { Tx } from '../db/transaction.ts';
import { EntityRef, resolveEntityId } from '../entities/resolve-entity.ts';
import { AppError } from '../errors.ts';
import { invalidInput } from '../http/bodies/validate-input.ts';
import { type AnyRoute, defineRoute } from '../http/route.ts';
import { microOfDecimal, numberOf } from '../quantity.ts';
import { endCountedTask, requireCountedPlace } from './count-tasks/count-tasks.ts';
import { StockCount, StockCounted } from './counts/count.schema.ts';
import { countErrors, countStock } from './counts/count-stock.ts';
import { countPositions, selectHistory } from './ledger/history.sql.ts';
import type { Side } from './positions/positions.sql.ts';

const tag = 'Stock';
const stock = '/api/wid/{slug}/stock';
const COUNT_BYTES_MAX = 4 * 1024 * 1024;

const count = defineRoute({
  method: 'post',
  path: `${stock}/counts`,
  operationId: 'countStock',
  tag,
  summary: 'Post a stock count: all or nothing',
  description:
    'Each line gives the counted quantity of a position. The difference to On Hand becomes an adjustment; no difference, no adjustment. With `seenOnHand`, a position that has moved since is refused as `position_moved`, with both figures in `moved`; a dry run shows it.',
  access: 'stock',
  transaction: 'write',
  body: StockCount,
  bodyBytesMax: COUNT_BYTES_MAX,
  answers: {
    200: { description: 'The entries that would be written.', schema: StockCounted },
    201: { description: 'The entries that were written.', schema: StockCounted },
  },
  errors: [...countErrors, 'too_many_adjustments', 'count_task_not_found', 'count_task_ended'],
  handle: async ({ ctx, actor, body }, tx) => {
    const most = ctx.config.STOCK_BATCH_ADJUSTMENTS_MAX;
    if (body.lines.length > most) {
      throw new AppError('too_many_adjustments', {
        detail: `A count takes up to ${most} lines; this one has ${body.lines.length}. Send several.`,
        extensions: { limit: most },
      });
    }
    const task = body.task == null ? null : await endCountedTask(tx, actor, body.task, body.dryRun);
    const counted = await countStock(tx, actor, body);
    if (task !== null) {
      const places = counted.lines.map(({ locationEntityId }) => locationEntityId);
      await requireCountedPlace(tx, task, places);
    }
    return { status: body.dryRun ? 200 : 201, body: counted };
  },
});

const POINTS_MAX = 200;
const POSITIONS_MAX = 500;
const DAYS_DEFAULT = 90;
const Moment = z.iso.datetime({ offset: true }).transform((text) => Date.parse(text));

const HistoryQuery = z.strictObject({
  from: Moment.optional().meta({
    description: `The first point; ${DAYS_DEFAULT} days before the last where it is absent.`,
  }),
  to: Moment.optional().meta({ description: 'The last point; by default now.' }),
  points: z.coerce
    .number()
    .int()
    .min(2)
    .max(POINTS_MAX)
    .default(60)
    .meta({ description: 'Number of points, evenly spread.' }),
  other: EntityRef.optional().meta({
    description: 'Only the position with this location, or with this item for the history of a location.',
  }),
  below: z.enum(['true', 'false']).default('false').meta({
    description: 'Include the stock of all locations that lie in the location.',
  }),
});

const amount = (description: string) => z.number().meta({ description, examples: [12] });
const History = z
  .object({
    items: z.array(
      z.object({
        at: z.iso.datetime(),
        onHand: amount('On Hand at the end of that millisecond, summed over the positions.'),
        reserved: amount('Reserved, likewise.'),
        onOrder: amount('On Order, likewise.'),
        available: amount('On Hand minus Reserved.'),
      }),
    ),
  })
  .meta({ id: 'StockHistory' });

function historyBy(side: Side) {
  return defineRoute({
    method: 'get',
    path: `${stock}/history/by-${side}/{${side}EntityId}`,
    operationId: side === 'item' ? 'getHistoryByItem' : 'getHistoryByLocation',
    tag,
    summary:
      side === 'item' ? 'Read the stock of an item over time' : 'Read the stock at a location over time',
    description: `For a chart: it costs its points and positions, however many entries lie between. More than ${POSITIONS_MAX} positions are refused as \`history_too_large\`: ask for one with \`other\`.`,
    access: 'read',
    transaction: 'read',
    params: z.strictObject({ [`${side}EntityId`]: EntityRef }),
    query: HistoryQuery,
    answers: { 200: { description: 'The points, oldest first.', schema: History } },
    errors: ['entity_not_found', 'history_too_large'],
    handle: async ({ params, query }, tx) => {
      const id = await resolveEntityId(tx, params[`${side}EntityId`] as EntityRef);
      const other = query.other === undefined ? null : await resolveEntityId(tx, query.other);
      const of = { side, id, other, below: query.below === 'true' };
      return { status: 200, body: { items: await readHistory(tx, of, timesOf(query)) } };
    },
  });
}

function timesOf({ from, to, points }: z.output<typeof HistoryQuery>): number[] {
  const last = to ?? Date.now();
  const first = from ?? last - DAYS_DEFAULT * DAY_MS;
  if (first >= last) {
    throw invalidInput([
      { pointer: '/from', in: 'query', code: 'out_of_range', message: 'Must lie before `to`.' },
    ]);
  }
  return Array.from({ length: points }, (_, n) => Math.round(first + ((last - first) * n) / (points - 1)));
}

interface HistoryOf {
  side: Side;
  id: string;
  other: string | null;
  /** Whether the locations inside the location count, too. */
  below: boolean;
}

async function readHistory(tx: Tx, { side, id, other, below }: HistoryOf, times: number[]) {
  const [found] = await tx.query<{ count: number }>(countPositions(side), [
    tx.workspaceId,
    id,
    other,
    below,
    POSITIONS_MAX + 1,
  ]);
  if (found !== undefined && found.count > POSITIONS_MAX) {
    throw new AppError('history_too_large', {
      detail: `There are more than ${POSITIONS_MAX} positions. Ask for the history of one of them with \`other\`.`,
      extensions: { limit: POSITIONS_MAX },
    });
  }
  const rows = await tx.query<{ on_hand: string; reserved: string; on_order: string }>(selectHistory(side), [
    tx.workspaceId,
    id,
    other,
    below,
    times.map((at) => firstIdAt(at + 1)),
  ]);
  return rows.map((row, index) => {
    const [onHand, reserved] = [microOfDecimal(row.on_hand), microOfDecimal(row.reserved)];
    return {
      at: new Date(times[index] as number).toISOString(),
      onHand: numberOf(onHand),
      reserved: numberOf(reserved),
      onOrder: numberOf(microOfDecimal(row.on_order)),
      available: numberOf(onHand - reserved),
    };
  });
}

export const countAndHistoryRoutes: readonly AnyRoute[] = [count, historyBy('item'), historyBy('location')];
