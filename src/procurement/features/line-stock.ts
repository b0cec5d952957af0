/** Feature automations by which stock follows lines (interface, Movement types). */
import { z } from 'zod';
import type { Tx } from '../../db/transaction.ts';
import type { Transitioned } from '../../entities/transition-entity.ts';
import { AppError } from '../../errors.ts';
import type { LineType } from '../../stock/entries/line-rules.ts';
import { beginLine, releaseLine } from '../lines/line-movements.ts';
import { findLine } from '../records/find-procured.ts';
import type { Line } from '../records/line.ts';
import { defineFeature } from './feature.ts';

/** Throws `feature_failed` where the entity is no such line: the feature is attached to the wrong lifecycle. */
export async function lineOfTransition(
  tx: Tx,
  { entity }: Transitioned,
  types: readonly LineType[],
): Promise<Line> {
  const line = await findLine(tx, entity.id).catch((error: unknown) => {
    if (error instanceof AppError && error.code === 'line_not_found') return null;
    throw error;
  });
  if (line !== null && types.includes(line.type)) return line;
  throw new AppError(
    'feature_failed',
    `It works on lines of type ${types.join(' or ')}, and ${entity.number ?? entity.id} is none: its category's lifecycle should not carry it.`,
  );
}

/** Settings of features that act when a line enters or leaves the state in which it is on order. */
export const OrderedStateSettings = z.strictObject({
  orderedState: z
    .string()
    .min(1)
    .max(255)
    .default('Ordered')
    .describe('Name of the state in which a line is on order.')
    .meta({ title: 'Ordered state', examples: ['Ordered'] }),
});

/** On Order follows purchase and manufacturing lines. */
export const updateOnOrderStock = defineFeature({
  key: 'updateOnOrderStock',
  name: 'Update On-Order Stock',
  description:
    'Raises On Order by what a purchase or manufacturing line has still to receive when it enters its ordered state, and takes down what is still open when it leaves it.',
  contextTypeId: 1,
  settingsSchema: OrderedStateSettings,
  implemented: true,
  run: async (tx, { happened, settings }) => {
    const line = await lineOfTransition(tx, happened, ['purchaseOrder', 'manufacturingOrder']);
    const { toState, fromState, note, by } = happened;
    if (toState === settings.orderedState) await beginLine(tx, by, line, note);
    else if (fromState === settings.orderedState) await releaseLine(tx, by, line, note);
  },
});

/** A sales line takes its stock aside … */
export const reserveSalesLine = defineFeature({
  key: 'reserveSalesLine',
  name: 'Reserve Sales Line',
  description:
    'Reserves what a sales line needs at its location. Where less is available the transition is refused.',
  contextTypeId: 1,
  settingsSchema: z.strictObject({}),
  implemented: true,
  run: async (tx, { happened }) => {
    const line = await lineOfTransition(tx, happened, ['salesOrder']);
    await beginLine(tx, happened.by, line, happened.note);
  },
});

/** … and gives back what it has not shipped. */
export const releaseSalesLine = defineFeature({
  key: 'releaseSalesLine',
  name: 'Release Sales Line',
  description: 'Releases what a sales line holds reserved.',
  contextTypeId: 1,
  settingsSchema: z.strictObject({}),
  implemented: true,
  run: async (tx, { happened }) => {
    const line = await lineOfTransition(tx, happened, ['salesOrder']);
    await releaseLine(tx, happened.by, line, happened.note);
  },
});
