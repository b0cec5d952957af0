/** Schemas of the overview of a workspace. */
import { z } from 'zod';
import { Unread } from '../collaboration/inbox/inbox.schema.ts';
import { PlanningRun } from '../planning/runs/planning-run.schema.ts';
import { StockLine } from '../procurement/records/lines.schema.ts';
import { MaterialRequirement } from '../procurement/records/requirements.schema.ts';
import { movementTypes } from '../stock/entries/movement.ts';
import { SyncBatch } from '../sync/batch/sync.schema.ts';

const HOURS_MAX = 168;

export const OverviewQuery = z.strictObject({
  hours: z.coerce.number().int().min(1).max(HOURS_MAX).default(24).meta({
    description: 'How far to look back; whole hours of UTC, including the present one.',
  }),
});

const count = (description: string) => z.int().min(0).meta({ description });
const atLeast = (of: string) =>
  z.boolean().meta({ description: `Whether there are more ${of} than were counted.` });
const moment = (description: string) => z.iso.datetime().nullable().meta({ description });

const overdueLines = (description: string) =>
  z
    .object({
      count: count('Overdue lines.'),
      isAtLeast: atLeast('such lines'),
      items: z.array(StockLine).meta({ description: 'The longest overdue first.' }),
    })
    .meta({ description });

export const Overview = z
  .object({
    from: z.iso.datetime().meta({ description: 'The beginning of the first hour.' }),
    hours: z
      .array(
        z.object({
          at: z.iso.datetime().meta({ description: 'The beginning of the hour.' }),
          batches: count('Batches accepted. Dry runs are not counted here and below.'),
          elements: count('Elements in them.'),
          created: count('Entities that they created; of batches that have ended.'),
          updated: count('Entities that they updated.'),
          errors: count('Elements that they rejected and that no later import has accepted.'),
        }),
      )
      .meta({ description: 'Every hour, the oldest first.' }),
    batchesAreAtLeast: atLeast('batches'),
    rejected: z
      .object({
        count: count('Elements.'),
        batchCount: count('Batches that rejected them.'),
        batches: z
          .array(z.object({ batchId: z.uuid(), profileName: z.string(), count: count('Elements of it.') }))
          .meta({ description: 'The newest first, at most 10.' }),
      })
      .meta({
        description:
          'Elements of the window that were rejected and that no later import has accepted. An element is followed by its GUID; ' +
          'elements without one count until the next completed import from the same source. Dry runs are not counted.',
      }),
    movements: z
      .array(
        z.object({
          movementType: z.enum(movementTypes),
          count: count('Entries of the ledger.'),
          isAtLeast: atLeast('entries'),
        }),
      )
      .meta({ description: 'Movements of stock by type; only types with movements.' }),
    failedRuns: z.object({
      count: count('Failed runs that were not retried.'),
      isAtLeast: atLeast('runs'),
      automations: z
        .array(
          z.object({
            automationId: z.uuid(),
            name: z.string(),
            failed: count('Its failed runs.'),
            lastRunId: z.uuid().meta({ description: 'The latest of them.' }),
            lastFailedAt: moment('When that one ended.'),
            message: z.string().nullable().meta({ description: 'Its error, shortened.' }),
          }),
        )
        .meta({ description: 'The automations that failed most often.' }),
    }),
    failingWebhooks: z
      .array(
        z.object({
          webhookId: z.uuid(),
          url: z.string(),
          enabled: z.boolean(),
          failingSince: moment('Since when no delivery has succeeded; null if it was disabled by hand.'),
          disabledReason: z.string().nullable().meta({ description: 'Why it was disabled.' }),
        }),
      )
      .meta({
        description: 'Webhooks that fail now, whenever that began; the oldest ones of `failingWebhookCount`.',
      }),
    failingWebhookCount: count('Webhooks that fail now, or were disabled because they did.'),
    lateSchedules: z
      .object({
        count: count('Such schedules.'),
        items: z
          .array(
            z.object({
              automationId: z.uuid(),
              name: z.string(),
              nextRunAt: moment('When it should have run; null if no time is left.'),
              message: z.string().nullable().meta({
                description: 'Why its threshold is not watched, such as a deleted view; null for a schedule.',
              }),
            }),
          )
          .meta({ description: 'The longest late first, at most 10.' }),
      })
      .meta({
        description:
          'Schedules that are on and do not run (two minutes late while automations are not paused, or without a next time), and thresholds whose view cannot be counted.',
      }),
    failedMails: z
      .object({
        count: count('Mails of automations that were given up in the window.'),
        isAtLeast: atLeast('such mails'),
        lastRunId: z.uuid().nullable().meta({ description: 'The run that wrote the latest of them.' }),
        message: z.string().nullable().meta({ description: 'Why it was given up, shortened.' }),
      })
      .meta({ description: 'Mails that could not be sent.' }),
    failedBatches: z
      .object({
        count: count('Batches that failed and were not retried.'),
        isAtLeast: atLeast('batches'),
        items: z
          .array(
            z.object({
              batchId: z.uuid(),
              profileName: z.string(),
              failedAt: moment('When it failed.'),
              message: z.string().nullable().meta({ description: 'Reason, shortened.' }),
            }),
          )
          .meta({ description: 'Newest first.' }),
      })
      .meta({
        description:
          'Failed batches in the window, except stale plans, which are planned again instead of retried.',
      }),
    waitingBatches: z
      .object({
        count: count('Queued batches, including the running one.'),
        isAtLeast: atLeast('batches'),
        isFull: z.boolean().meta({
          description:
            'No further batch is accepted until one of them has ended. If more than 10 000 may be queued, this is not determined, and false.',
        }),
        first: z
          .object({
            batchId: z.uuid(),
            submittedAt: moment('When it was accepted.'),
            movedAt: moment('When it last progressed.'),
            standsStill: z.boolean().meta({
              description:
                'It has not progressed for longer than the service needs to retry it; also true while batches are paused.',
            }),
          })
          .nullable()
          .meta({ description: 'The batch that the others wait for; null if none is queued.' }),
      })
      .meta({ description: 'Now.' }),
    paused: z
      .array(
        z.object({
          work: z.enum(['batch', 'automation', 'webhook']).meta({ description: 'The paused work.' }),
          since: moment('Since when.'),
        }),
      )
      .meta({
        description:
          'Work that the operator of the installation has paused: it is accepted and kept, and continues when the operator resumes it.',
      }),
    overdueRequirements: z.object({
      count: count(
        'Overdue requirements: open and required before today (UTC), or with an open order line that is due after the required date.',
      ),
      isAtLeast: atLeast('such requirements'),
      items: z
        .array(
          MaterialRequirement.extend({
            orderedFor: z.iso.date().nullable().meta({
              description: 'The day for which it is ordered, if that is after the required date.',
            }),
          }),
        )
        .meta({ description: 'The longest overdue first.' }),
    }),
    overdueLines: z
      .object({
        toCome: overdueLines('`Ordered` lines: overdue receipts.'),
        toGo: overdueLines('`Reserved` lines of sales orders: overdue shipments.'),
      })
      .meta({ description: 'Open order lines that are overdue now.' }),
  })
  .meta({ id: 'Overview', description: 'Overview of a workspace: what happened, and what needs attention.' });
export type Overview = z.infer<typeof Overview>;

const ChangedRun = z.object({
  id: z.uuid().meta({ description: 'Id of the run.' }),
  automationId: z.uuid().meta({ description: 'Id of the automation.' }),
  status: z
    .enum(['queued', 'succeeded', 'failed', 'suppressed'])
    .meta({ description: 'The present status.' }),
});
export type ChangedRun = z.infer<typeof ChangedRun>;

const ChangedPlan = z.object({
  id: z.uuid().meta({ description: 'Id of the planning run.' }),
  status: PlanningRun.shape.status.meta({ description: 'The present status.' }),
});
export type ChangedPlan = z.infer<typeof ChangedPlan>;

const nothing = z.object({}).meta({ description: 'Contains nothing else.' });

/** An event of a workspace's stream. */
export const WorkspaceEvent = z
  .discriminatedUnion('event', [
    z.object({ event: z.literal('open'), data: nothing }).meta({ description: 'Begins every connection.' }),
    z
      .object({
        event: z.literal('batch'),
        data: SyncBatch.meta({ description: 'The batch without results.' }),
      })
      .meta({ description: 'A batch was accepted, progressed or ended.' }),
    z
      .object({ event: z.literal('run'), data: ChangedRun })
      .meta({ description: 'A run of an automation was queued or ended.' }),
    z
      .object({ event: z.literal('plan'), data: ChangedPlan })
      .meta({ description: 'A planning run was accepted, begun or ended.' }),
    z
      .object({ event: z.literal('inbox'), data: Unread })
      .meta({ description: 'Your inbox changed. Only for the session of a member.' }),
    z
      .object({ event: z.literal('missed'), data: nothing })
      .meta({ description: 'More happened than is reported: read again what you show.' }),
  ])
  .meta({
    id: 'WorkspaceEvent',
    description: 'An event of the stream: its fields `event` and `data`, the latter as JSON.',
  });
export type WorkspaceEvent = z.infer<typeof WorkspaceEvent>;
