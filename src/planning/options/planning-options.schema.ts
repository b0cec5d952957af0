/** Options of a planning run as the API takes them, and as they are stored (contract §4.15). */
import { z } from 'zod';
import { everyDay } from '../../calendar/working-calendar.ts';
import { workingDays } from '../../configuration/stock-settings/stock-settings.schema.ts';
import { EntityRef } from '../../entities/resolve-entity.ts';
import { Day } from '../../http/day.ts';

/** Demands, revisions and dates of a what-if run. */
const DEMANDS_MAX = 500;
const REVISIONS_MAX = 100;
const DATES_MAX = 500;
/** Projects, items and categories of a scope. */
const SCOPE_MAX = 500;
/** Projects whose whole structure a run needs. */
const PROJECTS_MAX = 100;
const HORIZON_DAYS_MAX = 730;

const day = (what: string) => Day.describe(what).meta({ examples: ['2026-12-24'] });

/** Options that a run shows as they were given. */
export const options = {
  horizonDays: z
    .int()
    .min(1)
    .max(HORIZON_DAYS_MAX)
    .describe(
      'Days from today that are planned. Later needs keep their supply, but nothing is proposed for them.',
    )
    .meta({ examples: [180] }),
  periodDays: z
    .int()
    .min(1)
    .max(90)
    .describe('Needs of an item within so many days are covered by one order.')
    .meta({ examples: [7] }),
  toleranceDays: z
    .int()
    .min(0)
    .max(365)
    .describe('A line is deferred only when it comes more than so many days before its need.')
    .meta({ examples: [7] }),
  weekdays: workingDays.weekdays,
  holidays: workingDays.holidays,
  usesSubstitutes: z
    .boolean()
    .describe('Whether free stock of substitutes covers needs of the items that they may replace.')
    .meta({ examples: [true] }),
  structure: z
    .enum(['current', 'released'])
    .describe(
      'Which structures are planned. `current`: as they are now. `released`: those of the newest released revisions; an item that was never released is planned as it is now.',
    )
    .meta({ examples: ['released'] }),
};

const listed = <T extends z.ZodType>(of: T, what: string) =>
  z.array(of).min(1).max(SCOPE_MAX).optional().describe(`${what} At most ${SCOPE_MAX}.`);

const scope = z
  .strictObject({
    projects: listed(
      EntityRef,
      'Only actions of items that requirements of these projects need, and of all below them.',
    ),
    items: listed(EntityRef, 'Only actions of these items, and of all below them.'),
    categories: listed(
      z.string().min(1).max(100),
      'Only actions of items of these categories, by their keys.',
    ),
    locationEntityId: EntityRef.nullish().describe(
      'Only stock, goods under way and order lines of this location and of all that lie in it. Requirements of projects count in full, those of manufacturing lines by the locations of their lines.',
    ),
  })
  .refine((one) => Object.values(one).some((value) => value != null), {
    error: 'must name projects, items, categories or a location',
  })
  .nullish()
  .describe(
    'Actions of other items are left out; an item must be in all lists that are named. Needs of all items are netted all the same, so that no supply of others is taken. Null: the whole workspace.',
  );

export const revisionOf = <T extends z.ZodType>(ref: T) => ({
  itemEntityId: ref,
  revision: z
    .int()
    .min(1)
    .max(2_147_483_647)
    .describe('Number of the revision.')
    .meta({ examples: [2] }),
});
export const dateOf = {
  id: z.uuid().describe('The order line or requirement.'),
  requiredBy: day('The date that it has in this run.'),
};

export const projectFields = {
  quantity: z
    .number()
    .describe('How many of the project are needed, above 0. At most 9 integer and 6 fractional digits.')
    .meta({ examples: [1] }),
  requiredBy: day('When it is needed.'),
};

export const NewPlanningRun = z
  .strictObject({
    horizonDays: options.horizonDays.default(180),
    periodDays: options.periodDays.default(7),
    toleranceDays: options.toleranceDays.default(7),
    weekdays: options.weekdays
      .optional()
      .describe(`${options.weekdays.description} If they are omitted, those of the settings of stock.`),
    holidays: options.holidays
      .optional()
      .describe(`${options.holidays.description} If they are omitted, those of the settings of stock.`),
    structure: options.structure.default('current'),
    usesSubstitutes: options.usesSubstitutes.default(true),
    projects: z
      .array(
        z.strictObject({
          projectId: EntityRef.describe('The project.'),
          quantity: projectFields.quantity.default(1),
          requiredBy: projectFields.requiredBy,
        }),
      )
      .max(PROJECTS_MAX)
      .default([])
      .describe(
        `Projects whose whole structure is needed, whether requirements were raised for it or not, at most ${PROJECTS_MAX}. Of other projects only the requirements count.`,
      ),
    scope,
    whatIf: z
      .strictObject({
        demand: z
          .array(
            z.strictObject({
              itemEntityId: EntityRef.describe('The item.'),
              quantity: z
                .number()
                .describe('Quantity in the base unit, above 0. At most 9 integer and 6 fractional digits.')
                .meta({ examples: [100] }),
              requiredBy: day('When it is needed.'),
            }),
          )
          .min(1)
          .max(DEMANDS_MAX)
          .optional()
          .describe(`Demand beside that of the workspace, at most ${DEMANDS_MAX}.`),
        revisions: z
          .array(z.strictObject(revisionOf(EntityRef.describe('The item.'))))
          .min(1)
          .max(REVISIONS_MAX)
          .optional()
          .describe(
            `Items that are planned with the structure of another revision, at most ${REVISIONS_MAX}.`,
          ),
        dates: z
          .array(z.strictObject(dateOf))
          .min(1)
          .max(DATES_MAX)
          .optional()
          .describe(`Order lines and requirements that are planned with another date, at most ${DATES_MAX}.`),
      })
      .refine((one) => Object.values(one).some((value) => value !== undefined), {
        error: 'must name demand, revisions or dates',
      })
      .nullish()
      .describe(
        'Plans as if there were more demand, other revisions or other dates. Such a run can be read and compared, and not committed.',
      ),
  })
  .meta({ id: 'NewPlanningRun' });
export type NewPlanningRun = z.output<typeof NewPlanningRun>;

export interface PlanningScope {
  projects: string[] | null;
  items: string[] | null;
  categories: string[] | null;
  locationEntityId: string | null;
}

/** Options as they are stored. */
export interface PlanningOptions
  extends Omit<NewPlanningRun, 'whatIf' | 'scope' | 'projects' | 'weekdays' | 'holidays'> {
  weekdays: number[];
  holidays: string[];
  projects: { projectId: string; quantity: number; requiredBy: string }[];
  scope: PlanningScope | null;
  demand: { itemEntityId: string; quantity: number; requiredBy: string }[];
  revisions: { itemEntityId: string; revision: number }[];
  dates: { id: string; requiredBy: string }[];
}

/** Options of a plan that nobody has chosen any for, and of runs of earlier versions. */
export const standardOptions: PlanningOptions = {
  ...NewPlanningRun.omit({ whatIf: true, scope: true, weekdays: true, holidays: true }).parse({}),
  weekdays: [...everyDay.weekdays],
  holidays: [...everyDay.holidays],
  scope: null,
  demand: [],
  revisions: [],
  dates: [],
};
