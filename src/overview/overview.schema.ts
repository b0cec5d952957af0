/** What happened in a workspace and what needs somebody, as the API shows it. */
import { z } from 'zod';
import { StockLine } from '../procurement/records/lines.schema.ts';
import { MaterialRequirement } from '../procurement/records/requirements.schema.ts';
import { movementTypes } from '../stock/entries/movement.ts';
import { SyncBatch } from '../sync/batch/sync.schema.ts';

const HOURS_MAX = 168;

export const OverviewQuery = z.strictObject({
  hours: z.coerce.number().int().min(1).max(HOURS_MAX).default(24).meta({
    description: 'How far to look back; whole hours of UTC, the present one included.',
  }),
});

const count = (description: string) => z.int().min(0).meta({ description });
const atLeast = (of: string) =>
  z.boolean().meta({ description: `Whether there are more ${of} than were counted.` });
const moment = (description: string) => z.iso.datetime().nullable().meta({ description });

const overdueLines = (description: string) =>
  z
    .object({
      count: count('Such lines whose day is past.'),
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
      .meta({ description: 'Movements of stock by type; none where nothing moved.' }),
    failedRuns: z.object({
      count: count('Runs that failed and were not run again.'),
      isAtLeast: atLeast('runs'),
      automations: z
        .array(
          z.object({
            automationId: z.uuid(),
            name: z.string(),
            failed: count('Runs of it that failed.'),
            lastRunId: z.uuid().meta({ description: 'The last of them.' }),
            lastFailedAt: moment('When that ended.'),
            message: z.string().nullable().meta({ description: 'What it said, shortened.' }),
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
          failingSince: moment('Since when nothing has arrived; null where it was switched off.'),
          disabledReason: z.string().nullable().meta({ description: 'Why it was switched off.' }),
        }),
      )
      .meta({
        description: 'Now, whenever it began; the oldest webhooks, `failingWebhookCount` says of how many.',
      }),
    failingWebhookCount: count('Webhooks that fail now, or were switched off because they did.'),
    failedBatches: z
      .object({
        count: count('Batches that could not be finished and were not taken up again.'),
        isAtLeast: atLeast('batches'),
        items: z
          .array(
            z.object({
              batchId: z.uuid(),
              profileName: z.string(),
              failedAt: moment('When it failed.'),
              message: z.string().nullable().meta({ description: 'Why, shortened.' }),
            }),
          )
          .meta({ description: 'The newest first.' }),
      })
      .meta({ description: 'Of the window; a stale plan is not among them: it is made again, not retried.' }),
    waitingBatches: z
      .object({
        count: count('Batches in line, with the one that is being applied.'),
        isAtLeast: atLeast('batches'),
        isFull: z.boolean().meta({
          description:
            'No further batch is accepted until one of them has ended. Where more than 10 000 may be in line it is not looked for, and false.',
        }),
        first: z
          .object({
            batchId: z.uuid(),
            submittedAt: moment('When it was accepted.'),
            movedAt: moment('When it last got on.'),
            standsStill: z.boolean().meta({
              description:
                'It has taken no step for longer than the service needs to take it up again; also while batches are paused.',
            }),
          })
          .nullable()
          .meta({ description: 'The one that the others wait for; null where none is in line.' }),
      })
      .meta({ description: 'Now.' }),
    paused: z
      .array(
        z.object({
          work: z.enum(['batch', 'automation', 'webhook']).meta({ description: 'What is held back.' }),
          since: moment('Since when.'),
        }),
      )
      .meta({
        description:
          'What the operator of the installation holds back now: it is accepted and kept, and goes on when he lets it.',
      }),
    overdueRequirements: z.object({
      count: count('Open requirements whose day is past.'),
      isAtLeast: atLeast('open requirements'),
      items: z.array(MaterialRequirement).meta({ description: 'The longest overdue first.' }),
    }),
    overdueLines: z
      .object({
        toCome: overdueLines('Lines that are `Ordered`: what was to be received by then.'),
        toGo: overdueLines('Lines of sales orders that are `Reserved`: what was to be shipped by then.'),
      })
      .meta({ description: 'Lines of orders whose day is past and of which something is open, now.' }),
  })
  .meta({ id: 'Overview', description: 'What happened in a workspace, and what needs somebody.' });
export type Overview = z.infer<typeof Overview>;

const ChangedRun = z.object({
  id: z.uuid().meta({ description: 'Id of the run.' }),
  automationId: z.uuid().meta({ description: 'Id of the automation.' }),
  status: z.enum(['queued', 'succeeded', 'failed', 'suppressed']).meta({ description: 'What it is now.' }),
});
export type ChangedRun = z.infer<typeof ChangedRun>;

const nothing = z.object({}).meta({ description: 'Says nothing besides.' });

/** One event of a workspace's stream. */
export const WorkspaceEvent = z
  .discriminatedUnion('event', [
    z.object({ event: z.literal('open'), data: nothing }).meta({ description: 'Begins every connection.' }),
    z
      .object({
        event: z.literal('batch'),
        data: SyncBatch.meta({ description: 'The batch without results.' }),
      })
      .meta({ description: 'A batch is accepted, goes on or has ended.' }),
    z
      .object({ event: z.literal('run'), data: ChangedRun })
      .meta({ description: 'A run of an automation is queued or has ended.' }),
    z
      .object({ event: z.literal('missed'), data: nothing })
      .meta({ description: 'More has happened than is told: ask anew for what you show.' }),
  ])
  .meta({
    id: 'WorkspaceEvent',
    description: 'An event of the stream: its fields `event` and `data`, the latter as JSON.',
  });
export type WorkspaceEvent = z.infer<typeof WorkspaceEvent>;
