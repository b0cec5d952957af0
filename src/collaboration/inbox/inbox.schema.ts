/** Subscriptions and inboxes as the API shows them. */
import { z } from 'zod';
import { actorTypes } from '../../actor.ts';
import { EntityRef } from '../../entities/resolve-entity.ts';
import { ViewId } from '../../entities/views/view.schema.ts';
import { Instant } from '../../http/instant.ts';
import { lineKinds } from './news.ts';

const PROFILE_CHARS_MAX = 255;
const MARKED_MAX = 1000;
export const UNREAD_MAX = 100;

const shownTypes = ['entity', 'import', 'importProfile', 'view'] as const;

const Subject = z
  .object({
    type: z.enum(shownTypes),
    id: z
      .uuid()
      .nullable()
      .meta({ description: 'Id of the entity, import or saved view; null for an import profile.' }),
    number: z.string().nullable().meta({ description: 'Number of the entity.' }),
    name: z.string().nullable().meta({
      description: 'Name of the entity, the import profile or the saved view; null if it is no longer there.',
    }),
  })
  .meta({ id: 'FollowedSubject', description: 'A thing that a member follows.' });
export type Subject = z.output<typeof Subject>;

export const SubjectQuery = {
  entity: EntityRef.optional().describe(
    'Id or `guid:` of an entity: a part, location, order, line or requirement.',
  ),
  import: z.uuid().optional().describe('Id of an import (batch).'),
  importProfile: z.string().min(1).max(PROFILE_CHARS_MAX).optional().describe('Name of an import profile.'),
  view: ViewId.optional().describe(
    'Id of a saved view of `entities`, your own or a shared one: entities that are created in it, or change and are in it then.',
  ),
};
export const namesOne = (given: {
  entity?: unknown;
  import?: unknown;
  importProfile?: unknown;
  view?: unknown;
}) =>
  [given.entity, given.import, given.importProfile, given.view].filter((one) => one !== undefined).length ===
  1;

export const Subscription = z
  .object({
    id: z.uuid(),
    subject: Subject,
    below: z.boolean().meta({
      description: 'Whether it includes what is below the entity in structures, or lies in the location.',
    }),
    stock: z
      .boolean()
      .meta({ description: 'Whether it includes movements of stock of the item, or at the location.' }),
    muted: z.boolean().meta({ description: 'Whether the inbox tells of nothing but mentions.' }),
    automatic: z.boolean().meta({ description: 'Whether it began because the member took part.' }),
    createdAt: z.iso.datetime(),
  })
  .meta({ id: 'Subscription', description: 'A thing that the calling member follows.' });
export type Subscription = z.output<typeof Subscription>;

export const NewSubscription = z
  .strictObject({
    ...SubjectQuery,
    below: z.boolean().default(false).meta({
      description: 'Follow also what is below the entity in structures, or lies in the location.',
    }),
    stock: z.boolean().optional().meta({
      description: 'Follow movements of stock, too. Default: true for a location, false for everything else.',
    }),
    muted: z.boolean().default(false).meta({ description: 'Tell of nothing but mentions.' }),
  })
  .refine(namesOne, { error: 'must have one of `entity`, `import`, `importProfile` and `view`' })
  .meta({ id: 'NewSubscription' });
export type NewSubscription = z.output<typeof NewSubscription>;

export const SubscriptionParams = z.strictObject({ id: z.uuid().describe('Id of the subscription.') });

export const InboxLine = z
  .object({
    id: z.uuid(),
    kind: z.enum(lineKinds).meta({
      description:
        '`mentioned` and `commented` (the newest comment is in `comment`), `created` (in a saved view), `moved` (to the state in `detail`), `changed` (the properties in `detail`), `order` (an order, line or requirement), `stock`, `importEnded`, `importProblem` (`detail`: the number of errors, `failed` or `cancelled`).',
    }),
    subject: Subject.meta({ description: 'The thing that the member follows.' }),
    entity: z
      .object({ id: z.uuid(), number: z.string().nullable(), name: z.string() })
      .nullable()
      .meta({ description: 'The entity of the newest event, which can lie below the subject.' }),
    importId: z.uuid().nullable().meta({ description: 'The import of the newest event.' }),
    comment: z
      .object({ id: z.uuid(), text: z.string().meta({ description: 'The first 500 characters.' }) })
      .nullable()
      .meta({ description: 'The newest comment; null if it was deleted.' }),
    actor: z
      .object({ type: z.enum(actorTypes), id: z.uuid(), name: z.string() })
      .nullable()
      .meta({ description: 'Who caused the newest event; null if that is unknown or several.' }),
    detail: z.string().nullable(),
    count: z.int().meta({ description: 'Events that the line stands for.' }),
    firstAt: z.iso.datetime(),
    lastAt: z.iso.datetime(),
    readAt: z.iso.datetime().nullable(),
  })
  .meta({
    id: 'InboxLine',
    description:
      'Events of one kind about one followed thing; further ones are added until the line is read.',
  });
export type InboxLine = z.output<typeof InboxLine>;

export const Unread = z
  .object({
    unread: z.int().min(0).max(UNREAD_MAX),
    isAtLeast: z
      .boolean()
      .meta({ description: `Whether there may be more: counting ends at ${UNREAD_MAX}.` }),
  })
  .meta({ id: 'UnreadCount', description: 'The number of unread lines of an inbox.' });
export type Unread = z.output<typeof Unread>;

export const ReadMark = z
  .strictObject({
    ids: z.array(z.uuid()).min(1).max(MARKED_MAX).optional().describe('Lines to mark as read.'),
    upTo: Instant.optional().describe(
      'Mark all lines whose `lastAt` is not later. Send the `lastAt` of the newest line that was shown.',
    ),
  })
  .refine((given) => (given.ids === undefined) !== (given.upTo === undefined), {
    error: 'must have either `ids` or `upTo`',
  })
  .meta({ id: 'ReadMark' });
