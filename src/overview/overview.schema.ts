/** What happened in a workspace and what needs somebody, as the API shows it. */
import { z } from 'zod';
import { MaterialRequirement } from '../procurement/requirements.schema.ts';
import { movementTypes } from '../stock/movement.ts';

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

export const Overview = z
  .object({
    from: z.iso.datetime().meta({ description: 'The beginning of the first hour.' }),
    hours: z
      .array(
        z.object({
          at: z.iso.datetime().meta({ description: 'The beginning of the hour.' }),
          batches: count('Batches accepted, dry runs among them.'),
          elements: count('Elements in them.'),
          created: count('Entities that they created; of batches that have ended.'),
          updated: count('Entities that they updated.'),
          errors: count('Elements that they refused.'),
        }),
      )
      .meta({ description: 'Every hour, the oldest first.' }),
    batchesAreAtLeast: atLeast('batches'),
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
      count: count('Runs that failed.'),
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
      .meta({ description: 'Now, whenever it began.' }),
    overdueRequirements: z.object({
      count: count('Open requirements whose day is past.'),
      isAtLeast: atLeast('open requirements'),
      items: z.array(MaterialRequirement).meta({ description: 'The longest overdue first.' }),
    }),
  })
  .meta({ id: 'Overview', description: 'What happened in a workspace, and what needs somebody.' });
export type Overview = z.infer<typeof Overview>;
