/** The history of runs as the interface shows it (contract §5.1). */
import { z } from 'zod';
import { actorTypes } from '../../actor.ts';
import { EntityRef } from '../../entities/resolve-entity.ts';
import { contextTypeNames } from '../../events/record-events.ts';
import { Instant } from '../../http/instant.ts';
import { ListQuery } from '../../http/list.ts';
import { AutomationId, ContextTypeId } from '../automation.schema.ts';
import { resultFields, ScriptFailure } from '../script-result.schema.ts';

const exampleRun = '0199d0f0-0000-7000-8000-000000000020';
const Moment = z.iso.datetime().meta({ examples: ['2026-11-20T09:30:00.000Z'] });

export const RunId = z
  .uuid()
  .describe('Id of the run.')
  .meta({ examples: [exampleRun] });
export const RunStatus = z
  .enum(['queued', 'succeeded', 'failed', 'suppressed'])
  .describe(
    '`queued`: it waits for its turn. `suppressed`: it was not run, because automations triggered each other too often, its automation was deleted, or the caller that triggered it had ended. A failed run has written nothing.',
  )
  .meta({ examples: ['succeeded'] });

const summaryFields = {
  id: RunId,
  automationId: AutomationId,
  scriptVersion: z.int().meta({ description: 'The version of the script that it used.', examples: [1] }),
  status: RunStatus,
  attempt: z.int().meta({ description: '1, plus one for each retry.', examples: [1] }),
  retryOf: z.uuid().nullable().meta({ description: 'The run that this one repeats.' }),
  triggeredBy: z
    .object({
      type: z.enum(actorTypes).meta({ examples: ['member'] }),
      id: z.uuid().meta({ description: 'Id of the caller.' }),
      name: z.string().meta({ description: 'Its present name.', examples: ['Erika Muster'] }),
    })
    .nullable()
    .meta({
      description:
        'The caller that triggered it, a member or an API key: the run may do what this caller may do. Null for an event that no button caused.',
    }),
  event: z
    .object({
      id: z.uuid().meta({ description: 'With `index` the identity of the event.' }),
      index: z.int().meta({ examples: [0] }),
      contextTypeId: ContextTypeId,
      contextType: z.enum(contextTypeNames).meta({ examples: ['entityCreated'] }),
      at: Moment.describe('When it happened, UTC.'),
    })
    .describe('Its trigger.'),
  depth: z.int().meta({
    description: 'Number of runs that led to it: 0 if no script caused its event.',
    examples: [0],
  }),
  causeRunId: z.uuid().nullable().meta({ description: 'The run that caused its event.' }),
  error: ScriptFailure.nullable().meta({ description: 'Why it failed or was suppressed.' }),
  logCount: z.int().meta({ examples: [1] }),
  changeCount: z.int().meta({ examples: [0] }),
  durationMs: z
    .number()
    .nullable()
    .meta({ examples: [3.2] }),
  cpuMs: z
    .number()
    .nullable()
    .meta({ examples: [0.8] }),
  startedAt: Moment.nullable().describe('UTC; null while it is queued.'),
  finishedAt: Moment.nullable().describe('UTC; null while it is queued.'),
};

export const RunSummary = z.object(summaryFields).meta({ id: 'AutomationRunSummary' });
export type RunSummary = z.infer<typeof RunSummary>;

const Related = z
  .object({ id: RunId, automationId: AutomationId, status: RunStatus, depth: z.int() })
  .meta({ id: 'RelatedRun' });

const TimelineEntry = z
  .object({
    at: Moment.describe('When, UTC.'),
    kind: z.enum(['event', 'start', 'log', 'call', 'change', 'end', 'mail', 'run']).meta({
      description:
        '`event`: what it is for happened. `start`, `end`: the run began and ended. `change`: it came into force with the end of the run. `mail`: a mail was sent or given up. `run`: its changes triggered another run.',
      examples: ['call'],
    }),
    text: z.string().meta({ description: 'What, in short.', examples: ['getEntity'] }),
    ms: z
      .number()
      .nullable()
      .meta({ description: 'How long it took; for `start` the wait since the event.', examples: [1.5] }),
    ok: z.boolean().meta({ description: 'False for what failed.', examples: [true] }),
    runId: z.uuid().nullable().meta({ description: 'The other run, for `run`.' }),
  })
  .meta({ id: 'RunTimelineEntry' });
export type TimelineEntry = z.infer<typeof TimelineEntry>;

const RunMail = z
  .object({
    id: z.uuid().meta({ description: 'Id of the mail.' }),
    to: z.array(z.string()).meta({ description: 'Its addresses.', examples: [['stock@example.com']] }),
    subject: z.string().meta({ examples: ['Stock is low'] }),
    status: z.enum(['waiting', 'sent', 'failed']).meta({ examples: ['sent'] }),
    attempts: z.int().meta({ description: 'Attempts at sending it.', examples: [1] }),
    error: z.string().nullable().meta({ description: 'Why the last attempt failed.' }),
    createdAt: Moment.describe('When the run wrote it, UTC.'),
    sentAt: Moment.nullable().describe('When it was sent, UTC.'),
  })
  .meta({ id: 'RunMail', description: 'A mail that a run has written.' });
export type RunMail = z.infer<typeof RunMail>;

export const Run = z
  .object({
    ...summaryFields,
    context: z.record(z.string(), z.unknown()).meta({ description: '`context` of the script.' }),
    ...resultFields,
    chain: z.array(Related).meta({ description: 'The runs that led to it, nearest first.' }),
    mails: z.array(RunMail).meta({ description: 'The mails that it has written; at most 200.' }),
    timeline: z
      .array(TimelineEntry)
      .meta({ description: 'From its event to its consequences, in order; at most 1000 entries.' }),
    effects: z.array(Related).meta({ description: 'The runs that its changes have triggered; at most 100.' }),
  })
  .describe('A run of an automation.')
  .meta({ id: 'AutomationRun' });
export type Run = z.infer<typeof Run>;

export const RunParams = z.strictObject({ id: RunId });
/** Time that a call waits for the end of a run. */
const RUN_WAIT_SECONDS_MAX = 5;
export const RunWait = z.strictObject({
  wait: z.coerce
    .number()
    .int()
    .min(0)
    .max(RUN_WAIT_SECONDS_MAX)
    .default(0)
    .meta({ description: 'Seconds to wait for the end of a queued run.', examples: [5] }),
});
export const RunQuery = ListQuery.extend({
  status: RunStatus.optional().describe('Only runs with this status.'),
  triggeredBy: z
    .uuid()
    .optional()
    .describe('Only runs that this API key, or this member or one of its keys, has triggered.')
    .meta({ examples: ['0199d0f0-0000-7000-8000-000000000002'] }),
});

export const RunRetry = z
  .strictObject({
    script: z
      .enum(['current', 'same'])
      .default('current')
      .describe('The present version of the script, or the one that the run used.')
      .meta({ examples: ['current'] }),
  })
  .prefault({})
  .meta({ id: 'RunRetry' });

export const RunRetries = z
  .strictObject({
    status: z
      .literal('failed')
      .default('failed')
      .describe('Failed runs whose event nobody has retried since.'),
    automationId: AutomationId.optional().describe('Only runs of this automation.'),
    from: Instant.optional().describe('Only runs planned at this time or later.'),
    to: Instant.optional().describe('Only runs planned before this time.'),
    script: z
      .enum(['current', 'same'])
      .default('current')
      .describe('The present version of the script, or the one that each run used.')
      .meta({ examples: ['current'] }),
    dryRun: z
      .boolean()
      .default(false)
      .describe('Only count them.')
      .meta({ examples: [true] }),
  })
  .prefault({})
  .meta({ id: 'RunRetries' });
export type RunRetries = z.output<typeof RunRetries>;

export const RunsRetried = z
  .object({
    dryRun: z.boolean().meta({ examples: [true] }),
    matching: z.int().meta({ description: 'Number of matching runs before the call.', examples: [12] }),
    isPartial: z.boolean().meta({
      description: 'Whether older failed runs were not considered: only the newest 10 000 are.',
      examples: [false],
    }),
    disabled: z.int().meta({
      description:
        'Other matching runs, which are not retried: their automation is disabled or deleted, or the caller that triggered them has ended.',
      examples: [0],
    }),
    runs: z
      .array(z.object({ id: RunId, retryOf: RunId }))
      .meta({ description: 'The new, queued runs; at most 100 per call.' }),
    left: z.int().meta({ description: 'Matching runs that are left for another call.', examples: [0] }),
  })
  .meta({ id: 'RunsRetried' });
export type RunsRetried = z.output<typeof RunsRetried>;

export const Trigger = z
  .strictObject({
    entityId: EntityRef.nullish().describe('The entity of the action.'),
    context: z
      .custom<Record<string, unknown>>(
        (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
        { error: 'must be an object' },
      )
      .meta({
        override: { type: 'object' },
        description: '`context.parameters` of the script.',
        examples: [{ reason: 'Asked for' }],
      })
      .optional(),
  })
  .prefault({})
  .meta({ id: 'AutomationTrigger' });
