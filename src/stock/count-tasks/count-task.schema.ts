/** Count tasks as the interface shows and takes them. */
import { z } from 'zod';
import { actorTypes } from '../../actor.ts';
import { EntityRef } from '../../entities/resolve-entity.ts';
import { Day } from '../../http/day.ts';
import { ListQuery } from '../../http/list.ts';
import { readOnly } from '../../http/read-only.ts';

const NOTE_CHARS_MAX = 2000;
const countTaskStates = ['open', 'done', 'cancelled'] as const;

const Who = z.object({ type: z.enum(actorTypes), id: z.uuid(), name: z.string() });
const assignedTo = z.uuid().nullable().meta({
  description: 'Id of the active member who counts; it needs the area `stock`. Null: nobody is named.',
});
const below = z
  .boolean()
  .meta({ description: 'Whether the locations inside the location are counted, too.' });
const dueOn = Day.nullable().meta({
  description: 'The day until which it is counted.',
  examples: ['2026-12-31'],
});
const note = z.string().max(NOTE_CHARS_MAX).nullable().meta({ description: 'What to take care of.' });

const Counter = z.object({ id: z.uuid(), name: z.string() });

export const CountTask = z
  .object({
    id: z.uuid(),
    location: z.object({ id: z.uuid(), number: z.string().nullable(), name: z.string() }),
    below,
    assignedTo: Counter.nullable().meta({ description: 'The member who counts; null if nobody is named.' }),
    dueOn,
    note,
    status: z.enum(countTaskStates),
    createdBy: Who,
    createdAt: z.iso.datetime(),
    endedBy: Who.nullable().meta({ description: 'Who counted or cancelled it.' }),
    endedAt: z.iso.datetime().nullable(),
  })
  .meta({ id: 'CountTask', description: 'A location that somebody is asked to count.' });
export type CountTask = z.output<typeof CountTask>;

export const NewCountTask = z
  .strictObject({
    location: EntityRef.meta({ description: 'Id or `guid:` of the location.' }),
    below: below.default(false),
    assignedTo: assignedTo.default(null),
    dueOn: dueOn.default(null),
    note: note.default(null),
  })
  .meta({ id: 'NewCountTask' });
export type NewCountTask = z.output<typeof NewCountTask>;

export const CountTaskPatch = z
  .strictObject({
    below: below.optional(),
    assignedTo: z
      .union([z.uuid(), Counter])
      .nullable()
      .optional()
      .meta({ description: `${assignedTo.description ?? ''} It may also be sent as it was read.` }),
    dueOn: dueOn.optional(),
    note: note.optional(),
    ...readOnly(CountTask, ['id', 'location', 'createdBy', 'createdAt', 'endedBy', 'endedAt'], {
      drifting: ['location'],
    }),
    status: z
      .enum(countTaskStates)
      .optional()
      .meta({ description: '`done` and `cancelled` end the task, `open` opens it again.' }),
  })
  .meta({ id: 'CountTaskPatch' });
export type CountTaskPatch = z.output<typeof CountTaskPatch>;

export const CountTaskParams = z.strictObject({ id: z.uuid().describe('Id of the count task.') });

export const CountTaskQuery = ListQuery.extend({
  status: z.enum(['open', 'any']).default('open').meta({ description: '`any`: ended ones, too.' }),
  assignedTo: z.uuid().optional().meta({ description: 'Open tasks of this member alone.' }),
});
