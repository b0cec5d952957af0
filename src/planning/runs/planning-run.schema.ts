/** Planning runs as the API takes and shows them (contract §4.15). */
import { z } from 'zod';
import { EntityId, EntityName, EntityNumber, Moment } from '../../entities/entities.schema.ts';
import { EntityRef } from '../../entities/resolve-entity.ts';
import { ListQuery } from '../../http/list.ts';
import { Currency, shownMoney } from '../../money/money.ts';
import { StockLine } from '../../procurement/records/lines.schema.ts';
import { OrderWithLines } from '../../procurement/records/orders.schema.ts';
import { amount, givenNote, idOrNull } from '../../procurement/records/schemas/text.schema.ts';
import { actionNames, exceptionNames } from '../netting/plan-actions.ts';
import { dateOf, options, projectFields, revisionOf } from '../options/planning-options.schema.ts';

/** Actions that one call commits or dismisses. */
export const ACTIONS_MAX = 500;

export const RunId = z.uuid().describe('Id of the planning run.');
export const RunParams = z.strictObject({ id: RunId });

const count = (description: string) =>
  z
    .int()
    .min(0)
    .describe(description)
    .meta({ examples: [12] });
const counts = <Name extends string>(names: readonly Name[], description: string) =>
  z.partialRecord(z.enum(names), count('How many.')).describe(description);

const shownList = <T extends z.ZodType>(of: T, what: string) => z.array(of).nullable().describe(what);

export const PlanningRun = z
  .object({
    id: RunId,
    status: z
      .enum(['queued', 'running', 'completed', 'cancelled', 'failed'])
      .describe('The runs of a workspace are computed one after the other.'),
    ...options,
    projects: z
      .array(z.object({ projectId: EntityId, ...projectFields }))
      .describe('Projects whose whole structure is needed.'),
    demand: z
      .array(
        z.object({ itemEntityId: EntityId, quantity: amount('Quantity.', 100), requiredBy: z.iso.date() }),
      )
      .describe('Further demand of a what-if run; empty for any other.'),
    revisions: z
      .array(z.object(revisionOf(EntityId)))
      .describe('Other revisions of a what-if run; empty for any other.'),
    dates: z.array(z.object(dateOf)).describe('Other dates of a what-if run; empty for any other.'),
    scope: z
      .object({
        projects: shownList(EntityId, 'Projects; null: all.'),
        items: shownList(EntityId, 'Items; null: all.'),
        categories: shownList(z.string(), 'Categories of items; null: all.'),
        locationEntityId: idOrNull('The location whose stock and lines count; null: all.'),
      })
      .nullable()
      .describe(
        'The items whose actions are stored, and the location that counts; null: the whole workspace.',
      ),
    isWhatIf: z.boolean().describe('Whether it cannot be committed.'),
    day: z.iso
      .date()
      .nullable()
      .describe('The day for which it was computed (UTC); null until then.')
      .meta({ examples: ['2026-11-27'] }),
    items: count('Items of the workspace; null until it is completed.').nullable(),
    links: count('Links of their structures; null until it is completed.').nullable(),
    actions: counts(actionNames, 'Number of actions by kind; `none`: exceptions that propose nothing.'),
    exceptions: counts(exceptionNames, 'Number of actions with each exception.'),
    isTruncated: z
      .boolean()
      .describe(
        'Whether there are more actions than are stored (`PLANNING_ACTIONS_MAX`), of which the first by date are.',
      ),
    sameAs: idOrNull(
      'The run before it that found the same. Null: it found something else, and shares only actions that are the same. One that is committed or dismissed is so in all runs that share it.',
    ),
    by: z.object({ type: z.string(), id: z.uuid(), name: z.string() }).describe('The caller.'),
    failure: z
      .object({ code: z.string(), message: z.string() })
      .nullable()
      .describe('Why it failed; null if it did not.'),
    createdAt: Moment.describe('When it was accepted, UTC.'),
    startedAt: Moment.nullable().describe('When it began, UTC.'),
    finishedAt: Moment.nullable().describe('When it ended, UTC; null while it runs.'),
  })
  .describe('A planning run: what to order, make and change so that all needs are met in time.')
  .meta({ id: 'PlanningRun' });
export type PlanningRun = z.infer<typeof PlanningRun>;

const actionStatuses = ['open', 'committed', 'dismissed'] as const;
const Ordinal = z.int().min(1).max(2_147_483_647);

export const PlanningAction = z
  .object({
    number: Ordinal.describe('Number of the action. Runs that share it name it by the same number.'),
    itemEntityId: EntityId,
    itemNumber: EntityNumber,
    itemName: EntityName,
    action: z
      .enum(actionNames)
      .describe(
        '`order` and `make` propose a line of a purchase or manufacturing order. `expedite`, `defer`, `increase`, `decrease` and `cancel` change the line `lineId`. `useSubstitute` says what free stock of a substitute covers, beside what is ordered: it is taken when components are reserved or issued, and is not committed. `none` is an exception that proposes nothing.',
      ),
    exceptions: z
      .array(z.enum(exceptionNames))
      .describe(
        'What is wrong. `late`: the lead time is longer than what is left, by `lateDays`. `noSupplier`, `noLeadTime`, `noStructure`: the item lacks it. `archivedItem`, `cycle`, `quantityOutOfRange`: the item is not planned; nor is a project that was archived after the run was accepted. `demandWithoutDate`: that part of its demand is planned for today. `overdueSupply`: the line should have come, and is planned for today. `leadTimeTooLong`: more than ten years.',
      ),
    lineId: idOrNull('The order line that the action changes or the exception is about; null: none.'),
    lineNumber: EntityNumber,
    lineDate: z.iso
      .date()
      .nullable()
      .describe('The date that the line, or the part of it, has now; null: it has none, or there is no line.')
      .meta({ examples: ['2026-12-31'] }),
    partOn: z.iso
      .date()
      .nullable()
      .describe(
        'The day of the part that the action is about, of a line that comes in parts: dates and quantities are those of the part. Null: the whole line.',
      )
      .meta({ examples: ['2026-12-31'] }),
    neededOn: z.iso
      .date()
      .describe('When it is needed: the date of a new line, or the new date of a line that is moved.')
      .meta({ examples: ['2026-12-24'] }),
    startsOn: z.iso
      .date()
      .describe(
        'When to order or to begin; of a line that is expedited the new date, and of one that is changed otherwise the date that it had.',
      )
      .meta({ examples: ['2026-12-10'] }),
    quantity: amount(
      'What to order or make, or the open quantity that the line is to have, in the base unit.',
      100,
    ),
    lateDays: count('Days by which it would come after its need.'),
    supplierPartId: idOrNull('The supplier part to order by; null: none is known, or it is made.'),
    supplier: z
      .string()
      .nullable()
      .describe('Its supplier.')
      .meta({ examples: ['DigiKey'] }),
    substitute: z
      .object({
        itemEntityId: EntityId,
        itemNumber: EntityNumber,
        quantity: amount('How much of it is used, in its base unit.', 8),
      })
      .nullable()
      .describe('What is used in place of the item; null: nothing.'),
    locationEntityId: idOrNull('Where it is received, by the planning of the item; null: a commit says so.'),
    amount: shownMoney('What it costs; null: no price is known.').nullable(),
    currency: Currency.nullable(),
    status: z
      .enum(actionStatuses)
      .describe('`dismissed` stays so in later runs, while the need is the same.'),
    orderId: idOrNull('The order that was created of it; null: none.'),
  })
  .describe('Something to do, or an exception.')
  .meta({ id: 'PlanningAction' });
export type PlanningAction = z.infer<typeof PlanningAction>;

export const PlanningActionQuery = ListQuery.extend({
  action: z.enum(actionNames).optional().describe('Only actions of this kind.'),
  exception: z.enum(exceptionNames).optional().describe('Only actions with this exception.'),
  item: EntityRef.optional().describe('Only actions of this item.'),
  supplierId: z.uuid().optional().describe('Only orders from this supplier.'),
  project: EntityRef.optional().describe(
    'Only actions that serve a need of this project, directly or through what is made of them: needs that the run has found.',
  ),
  has: z
    .enum(['proposal', 'exception'])
    .optional()
    .describe('`proposal`: only what is proposed. `exception`: only what has an exception.'),
  status: z.enum(actionStatuses).optional().describe('Only actions with this status.'),
});

const numbers = z
  .array(Ordinal)
  .min(1)
  .max(ACTIONS_MAX)
  .describe(`Numbers of the actions, 1 to ${ACTIONS_MAX}.`)
  .meta({ examples: [[1, 2, 3]] });

export const PlanningCommit = z
  .strictObject({
    actions: numbers
      .optional()
      .describe(
        `Numbers of the actions; absent: all open actions of kind order and make, at most ${ACTIONS_MAX}.`,
      ),
    as: z
      .enum(['draft', 'ordered'])
      .default('draft')
      .describe('State of the new lines. Draft lines write no ledger entry.')
      .meta({ examples: ['draft'] }),
    locationEntityId: EntityRef.nullish().describe(
      'Where items are received whose planning names no location.',
    ),
    note: givenNote,
  })
  .meta({ id: 'PlanningCommit' });
export type PlanningCommit = z.output<typeof PlanningCommit>;

export const PlanningCommitted = z
  .object({
    orders: z
      .array(OrderWithLines)
      .describe('The created orders: one for each supplier, and one for what is made.'),
    lines: z
      .array(StockLine)
      .describe('The order lines that were moved, changed or cancelled, each once, as they are now.'),
  })
  .meta({ id: 'PlanningCommitted' });

export const PlanningDismissal = z
  .strictObject({
    actions: numbers,
    dismissed: z
      .boolean()
      .default(true)
      .describe('False takes the dismissal back.')
      .meta({ examples: [true] }),
  })
  .meta({ id: 'PlanningDismissal' });

export const ComparisonQuery = ListQuery.extend({ with: RunId.describe('The run to compare with.') });

export const PlanningDifference = z
  .object({
    change: z
      .enum(['added', 'removed'])
      .describe('`added`: only the run has it. `removed`: only the run that it is compared with has it.'),
    action: PlanningAction,
  })
  .meta({ id: 'PlanningDifference' });
export type PlanningDifference = z.infer<typeof PlanningDifference>;
