/** Automations as the interface shows and takes them (contract §5.1). */
import { z } from 'zod';
import { Name } from '../configuration/text.schema.ts';
import { contextTypeNames, contextTypes, isContextType } from '../events/record-events.ts';
import { ListQuery } from '../http/list.ts';
import { readOnly } from '../http/read-only.ts';
import { ACTIONS_MAX, AttachedAction, missingSubject } from './built-in/attached-action.schema.ts';
import { SCRIPT_HEAD } from './built-in/script-of-actions.ts';
import { Button } from './button.schema.ts';
import { Filter } from './filter.schema.ts';
import { Schedule } from './schedule.schema.ts';
import { Threshold, ThresholdStatus } from './threshold.schema.ts';

const exampleScript = "if (context.toState === 'Released') api.log('Released:', context.entityNumber);";
/** Bytes are limited by SCRIPT_SOURCE_BYTES_MAX; this bounds what is looked at. */
const SCRIPT_CHARS_MAX = 1024 * 1024;

export const ContextTypeId = z
  .int()
  .refine(isContextType, { error: 'must be 1 to 12' })
  .describe(
    '1 lifecycle transition, 2 import completed, 3 entity created, 4 entity updated, 5 feature, 6 stock moved, 7 order line or requirement changed, 8 schedule, 9 threshold crossed, 10 import not clean, 11 below reorder point, 12 planning run finished.',
  )
  .meta({ examples: [1] });

export const AutomationId = z
  .uuid()
  .describe('Id of the automation.')
  .meta({ examples: ['0199d0f0-0000-7000-8000-000000000010'] });

const Moment = z.iso.datetime().meta({ examples: ['2026-11-20T09:30:00.000Z'] });

export const Automation = z
  .object({
    id: AutomationId,
    kind: z
      .enum(['system', 'custom'])
      .describe(
        'System automations come with the service and are read-only: clone one to change and enable it.',
      )
      .meta({ examples: ['custom'] }),
    name: z.string().meta({ description: 'Name.', examples: ['Tell of releases'] }),
    description: z.string().meta({ description: 'Its purpose.', examples: ['Logs every release.'] }),
    contextTypeId: ContextTypeId,
    contextType: z
      .enum(contextTypeNames)
      .describe('The same by name.')
      .meta({ examples: ['lifecycleTransition'] }),
    script: z
      .string()
      .describe('JavaScript: the body of an async function with `api`, `context` and `console`.')
      .meta({ examples: [exampleScript] }),
    scriptVersion: z
      .int()
      .describe('Version of the script, from 1; every run names the version that it used.')
      .meta({ examples: [1] }),
    actions: z
      .array(AttachedAction)
      .nullable()
      .meta({ description: 'Its built-in actions, in their order; null if it is a script of its own.' }),
    button: Button.nullable().meta({ description: 'Its button; null if it has none.' }),
    filter: Filter.nullable().meta({ description: 'Its filter; null if it has none.' }),
    schedule: Schedule.nullable().meta({ description: 'When it runs; null unless its context type is 8.' }),
    threshold: Threshold.nullable().meta({
      description: 'The stock, or the count of a view, at which it runs; null unless its context type is 9.',
    }),
    thresholdStatus: ThresholdStatus.nullable().meta({
      description: 'The last count of the view of its threshold; null if it has none yet.',
    }),
    nextRunAt: Moment.nullable().meta({
      description:
        'When it runs next, or when the view of its threshold is counted next, UTC; null if it has neither, is disabled, or has stopped because no time is left.',
    }),
    enabled: z
      .boolean()
      .describe('A disabled automation is kept but does not run.')
      .meta({ examples: [true] }),
    createdAt: Moment.describe('When it was created, UTC.'),
    updatedAt: Moment.describe('When it was last changed, UTC.'),
  })
  .describe('A script that runs on events of its context type.')
  .meta({ id: 'Automation' });
export type Automation = z.infer<typeof Automation>;

export const ListedAutomation = Automation.extend({
  recentRuns: z
    .array(
      z.object({
        id: z.uuid().meta({ description: 'Id of the run.' }),
        status: z.enum(['queued', 'succeeded', 'failed', 'suppressed']).meta({ examples: ['succeeded'] }),
        finishedAt: Moment.nullable().describe('UTC; null while it is queued.'),
      }),
    )
    .describe('Its last ten runs, newest first.'),
}).meta({ id: 'ListedAutomation' });
export type ListedAutomation = z.infer<typeof ListedAutomation>;

export const AutomationParams = z.strictObject({ id: AutomationId });

export const AutomationQuery = ListQuery.extend({
  contextTypeId: z.coerce.number().int().min(1).max(12).optional().meta({
    description: 'Only automations of this context type.',
  }),
});

const script = z
  .string()
  .max(SCRIPT_CHARS_MAX)
  .optional()
  .describe(
    'JavaScript; refused as `script_syntax_error` where it does not compile. An automation with `actions` has none of its own: the service writes it.',
  )
  .meta({ examples: [exampleScript] });

const fields = {
  name: Name.describe('Name, 1 to 255 characters.').meta({ examples: ['Tell of releases'] }),
  description: z
    .string()
    .max(4000)
    .default('')
    .describe('Description, at most 4000 characters.')
    .meta({ examples: ['Logs every release.'] }),
  contextTypeId: ContextTypeId,
  script,
  actions: z
    .array(AttachedAction)
    .min(1)
    .max(ACTIONS_MAX)
    .nullable()
    .default(null)
    .meta({
      description: `Built-in actions that it performs instead of a script, 1 to ${ACTIONS_MAX}, in their order; null for a script.`,
    }),
  button: Button.nullable()
    .default(null)
    .meta({ description: 'Its button, only with context type 5; null for none.' }),
  filter: Filter.nullable().default(null).meta({
    description: 'Events that it leaves out, with context types 1, 3, 4, 6, 7 and 9; null for none.',
  }),
  schedule: Schedule.nullable()
    .default(null)
    .meta({ description: 'When it runs: with context type 8, and with no other.' }),
  threshold: Threshold.nullable().default(null).meta({
    description:
      'The stock, or the count of a view, at which it runs: with context type 9, and with no other.',
  }),
  enabled: z
    .boolean()
    .default(true)
    .describe('Whether it is enabled.')
    .meta({ examples: [true] }),
};

/** Context types whose events are each of an entity. */
const filtered: ReadonlySet<number> = new Set([
  contextTypes.lifecycleTransition,
  contextTypes.entityCreated,
  contextTypes.entityUpdated,
  contextTypes.stockMoved,
  contextTypes.orderChanged,
  contextTypes.thresholdCrossed,
  contextTypes.belowReorderPoint,
]);

interface Settings {
  contextTypeId: number;
  script?: string | undefined;
  actions: AttachedAction[] | null;
  button: Button | null;
  filter: Filter | null;
  schedule: Schedule | null;
  threshold: Threshold | null;
}

/** An automation is a script or a list of actions. The script that the service writes for actions may be sent back. */
function requireWork(
  { contextTypeId, script: text, actions, threshold }: Settings,
  check: z.core.$RefinementCtx,
): void {
  const isOfView = threshold?.view !== undefined;
  if (actions === null && text === undefined)
    check.addIssue({ code: 'custom', path: ['script'], message: 'an automation needs a script or actions' });
  if (actions !== null && text && !text.startsWith(SCRIPT_HEAD))
    check.addIssue({
      code: 'custom',
      path: ['script'],
      message: 'an automation with actions has no script of its own: leave it out, or set "actions" to null',
    });
  for (const [index, action] of (actions ?? []).entries()) {
    const missing = missingSubject(action, contextTypeId, isOfView);
    if (missing !== null)
      check.addIssue({
        code: 'custom',
        path: ['actions', index, 'settings', missing],
        message: isOfView
          ? 'is needed: the count of a view has no entity'
          : `is needed: events of context type ${contextTypeId} have no entity`,
      });
  }
}

/** Settings that belong to one context type are refused with any other. */
function requireFitting(settings: Settings, check: z.core.$RefinementCtx): void {
  const { contextTypeId, button, filter, schedule, threshold } = settings;
  requireWork(settings, check);
  if (button !== null && contextTypeId !== contextTypes.feature)
    check.addIssue({
      code: 'custom',
      path: ['button'],
      message: 'only an automation of context type 5 (feature) has a button',
    });
  if ((threshold !== null) !== (contextTypeId === contextTypes.thresholdCrossed))
    check.addIssue({
      code: 'custom',
      path: ['threshold'],
      message:
        threshold === null
          ? 'an automation of context type 9 (threshold crossed) needs one'
          : 'only an automation of context type 9 (threshold crossed) has one',
    });
  if ((schedule !== null) !== (contextTypeId === contextTypes.schedule))
    check.addIssue({
      code: 'custom',
      path: ['schedule'],
      message:
        schedule === null
          ? 'an automation of context type 8 (schedule) needs one'
          : 'only an automation of context type 8 (schedule) has one',
    });
  if (filter !== null && !filtered.has(contextTypeId))
    check.addIssue({
      code: 'custom',
      path: ['filter'],
      message: 'only events of an entity are filtered: context types 1, 3, 4, 6, 7 and 9',
    });
  if (filter !== null && threshold?.view !== undefined)
    check.addIssue({
      code: 'custom',
      path: ['filter'],
      message: 'the count of a view is no event of an entity: filter the view',
    });
  if (filter !== null && filter.changed.length > 0 && contextTypeId !== contextTypes.entityUpdated)
    check.addIssue({
      code: 'custom',
      path: ['filter', 'changed'],
      message: 'only events of context type 4 (entity updated) have changed properties',
    });
}

export const NewAutomation = z.strictObject(fields).superRefine(requireFitting).meta({ id: 'NewAutomation' });
export type NewAutomation = z.output<typeof NewAutomation>;
/** With the script that runs: its own, or the one that performs its actions. */
export type WithScript<Body> = Body & { script: string };

export const AutomationReplacement = z
  .strictObject({
    ...fields,
    ...readOnly(
      Automation,
      [
        'id',
        'kind',
        'contextType',
        'scriptVersion',
        'thresholdStatus',
        'nextRunAt',
        'createdAt',
        'updatedAt',
      ],
      {
        drifting: ['scriptVersion', 'thresholdStatus', 'nextRunAt', 'updatedAt'],
      },
    ),
    // As the list shows it.
    ...readOnly(ListedAutomation, ['recentRuns'], { drifting: ['recentRuns'] }),
  })
  .superRefine(requireFitting)
  .meta({ id: 'AutomationReplacement' });
export type AutomationReplacement = z.output<typeof AutomationReplacement>;

export const AutomationClone = z
  .strictObject({
    name: Name.optional().describe('Name of the copy; "Copy of …" by default.'),
  })
  .prefault({})
  .meta({ id: 'AutomationClone' });
