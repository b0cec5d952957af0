/** The work that waits for a member, as the interface shows it. */
import { z } from 'zod';
import { CountTask } from '../../stock/count-tasks/count-task.schema.ts';

/** Things of one kind that are shown; the count says how many there are. */
export const SHOWN_MAX = 10;
/** Things of one kind that are counted. */
export const COUNTED_MAX = 1000;

const Named = z.object({ id: z.uuid(), number: z.string().nullable(), name: z.string() });

function group<Item extends z.ZodType>(item: Item, description: string) {
  return z
    .object({
      count: z.int().min(0),
      isAtLeast: z.boolean().meta({ description: 'Whether there may be more: counting ends at a bound.' }),
      items: z.array(item).max(SHOWN_MAX),
    })
    .nullable()
    .meta({ description: `${description} Null without the area that it takes.` });
}

export const OwnWork = z
  .object({
    requirements: group(
      z.object({
        id: z.uuid(),
        number: z.string().nullable(),
        item: Named,
        project: Named.nullable(),
        requiredQty: z.number(),
        openQty: z
          .number()
          .meta({ description: 'The part that is neither reserved nor ordered.', examples: [4] }),
        requiredBy: z.iso.date().nullable(),
      }),
      'Open requirements of the workspace, which nobody has covered yet: order or reserve. The earliest date first. For members with `procurement`.',
    ),
    counts: group(
      CountTask,
      'Open count tasks that are assigned to the member, the earliest date first. For members with `stock`.',
    ),
    imports: group(
      z.object({
        id: z.uuid(),
        profileName: z.string(),
        status: z.enum(['completed', 'failed']),
        errors: z.int(),
        finishedAt: z.iso.datetime(),
      }),
      'Imports of the last 30 days that the member, or a key of the member, sent and that failed or ended with errors, unless they were sent again. Newest first, of the newest 200 of each key. For members with `engineering`.',
    ),
    plans: group(
      z.object({
        id: z.uuid(),
        status: z.enum(['completed', 'failed']),
        openActions: z
          .int()
          .meta({ description: 'Actions that nobody has committed or dismissed, of the first 1000.' }),
        finishedAt: z.iso.datetime(),
      }),
      'The newest planning runs of the member, three at most, that ended in the last 7 days and failed or have open actions. No what-if runs. For members with `procurement`.',
    ),
    mentions: z
      .object({ count: z.int().min(0), isAtLeast: z.boolean() })
      .meta({ description: 'Unread lines of the inbox that mention the member.' }),
  })
  .meta({ id: 'OwnWork', description: 'What waits for the calling member.' });
export type OwnWork = z.output<typeof OwnWork>;
