/** The timeline of an item in a planning run, as the API shows it (contract §4.15). */
import { z } from 'zod';
import { EntityId, EntityName, EntityNumber } from '../../entities/entities.schema.ts';
import { EntityRef } from '../../entities/resolve-entity.ts';
import { amount, idOrNull } from '../../procurement/records/schemas/text.schema.ts';
import { PlanningAction, RunId } from '../runs/planning-run.schema.ts';

/** Rows of each list of a timeline, and pegs of all its supplies and actions. */
export const TIMELINE_ROWS_MAX = 500;
export const PEGS_MAX = 1000;

export const TimelineParams = z.strictObject({ id: RunId, itemEntityId: EntityRef.describe('The item.') });

const date = (what: string) =>
  z.iso
    .date()
    .describe(what)
    .meta({ examples: ['2026-12-24'] });

const NeedKind = z
  .enum([
    'salesLine',
    'requirement',
    'forecast',
    'project',
    'whatIf',
    'plannedOrder',
    'manufacturingLine',
    'owed',
    'minimum',
  ])
  .describe(
    'Why it is needed. `forecast`: what sales lines leave of a forecast. `project`: a project whose whole structure the run needs. `plannedOrder`: a component of what the run proposes to make, `manufacturingLine`: of an order line without requirements. `owed`: more stock is reserved than there is. `minimum`: safety stock, reorder point or maximum.',
  );

const needOf = {
  kind: NeedKind,
  entityId: idOrNull('The sales line, requirement, project or manufacturing line; null: none.'),
  number: EntityNumber.describe('Its number.'),
  neededOn: date(
    'When it is needed. A need that is overdue or has no date is planned for the day of the run.',
  ),
};

const TimelineNeed = z
  .object({
    ...needOf,
    quantity: amount('Quantity that is needed.', 100),
    covered: amount('Quantity that stock, lines and proposals cover; the rest is not planned.', 100),
    parentEntityId: idOrNull('The item of which it is a component; null: none.'),
    parentNumber: EntityNumber,
  })
  .meta({ id: 'PlanningNeed' });

const Peg = z
  .object({
    quantity: amount('The part of the quantity that is for it.', 40),
    ...needOf,
    neededOn: needOf.neededOn.nullable().describe('When that is needed; null for a minimum.'),
    path: z
      .array(z.object({ itemEntityId: EntityId, itemNumber: EntityNumber }))
      .describe('Items that are made on the way, the nearest first; empty: it is needed itself.'),
  })
  .describe('A demand in the end, or a minimum, and the way to it.')
  .meta({ id: 'PlanningPeg' });

const pegged = {
  pegs: z.array(Peg).describe(`What it is for. At most ${PEGS_MAX} in the whole answer.`),
  others: amount('Quantity whose pegs are left out.', 0),
  surplus: amount('Quantity that no need uses: lot sizes, packs, or too much of it.', 0),
};

const TimelineSupply = z
  .object({
    lineId: z.uuid().describe('The order line.'),
    lineNumber: EntityNumber,
    comesOn: date('When it comes by its date; the day of the run, if that has passed or is not set.'),
    quantity: amount('Open quantity.', 100),
    ...pegged,
  })
  .meta({ id: 'PlanningSupply' });

const TimelineAction = PlanningAction.extend(pegged).meta({ id: 'PeggedPlanningAction' });

const TimelineDay = z
  .object({
    on: date('The day.'),
    needed: amount('Quantity that is needed.', 10),
    comes: amount('Quantity that comes by the lines as they are.', 0),
    planned: amount('Quantity that comes when all actions are carried out.', 10),
    projected: amount('Stock at the end of the day if nothing is done; below zero: it is short.', -10),
    projectedWithPlan: amount('Stock at the end of the day when all actions are carried out.', 0),
  })
  .meta({ id: 'PlanningDay' });

export const PlanningTimeline = z
  .object({
    runId: RunId,
    itemEntityId: EntityId,
    itemNumber: EntityNumber,
    itemName: EntityName,
    day: date('The day of the run.'),
    horizonEndsOn: date('The last day that is planned.'),
    isCurrent: z
      .boolean()
      .nullable()
      .describe(
        'Whether what is there now leads to the actions that the run found. If not, plan again: the timeline shows what is there now. Null: the item is part of more others than are planned at once, so that its needs as a component are those of the orders that the run found; the paths of its pegs end at them.',
      ),
    stock: amount('Stock that is available on the day of the run; below zero: more is reserved.', 12),
    minimum: amount('Quantity that is to be left: safety stock and reorder point.', 0),
    needs: z.array(TimelineNeed).describe('By date.'),
    supplies: z.array(TimelineSupply).describe('Open order lines, by date.'),
    actions: z.array(TimelineAction).describe('Actions of the run for this item.'),
    days: z.array(TimelineDay).describe('Days on which something comes or is needed, within the horizon.'),
    isTruncated: z
      .boolean()
      .describe(`Whether a list has more than ${TIMELINE_ROWS_MAX} rows, of which the first are shown.`),
  })
  .describe('Stock of an item over time, with all that is needed and all that comes, and what it is for.')
  .meta({ id: 'PlanningTimeline' });
export type PlanningTimeline = z.infer<typeof PlanningTimeline>;
