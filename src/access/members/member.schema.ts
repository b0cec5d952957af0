/** Members of a workspace and the links that let them in, as the interface shows them. */
import { z } from 'zod';
import { areas } from '../../areas.ts';
import { Instant } from '../../http/instant.ts';
import { readOnly } from '../../http/read-only.ts';
import { PersonName } from '../persons/person.schema.ts';

const Areas = z
  .array(z.enum(areas))
  .min(1)
  .max(areas.length)
  .meta({ description: 'What the member may do. Every member may read.' });

export const Member = z
  .object({
    id: z.uuid(),
    name: z.string().meta({ description: 'Name in the ledger, the history and the audit trail.' }),
    areas: Areas,
    managed: z.enum(['hand', 'groups']).meta({
      description:
        'Whether people give the areas by hand, or the group rules do at each sign-in by the provider.',
    }),
    createdAt: z.iso.datetime(),
    endedAt: z.iso
      .datetime()
      .nullable()
      .meta({ description: 'Since when the member may do nothing here; null: active.' }),
    lastSeenAt: z.iso
      .datetime()
      .nullable()
      .meta({ description: 'Last call in this workspace, to about five minutes; null: none yet.' }),
  })
  .meta({ id: 'Member' });
export type Member = z.output<typeof Member>;

export const MemberReplacement = z
  .strictObject({
    name: PersonName,
    areas: Areas,
    managed: Member.shape.managed
      .default('hand')
      .meta({ description: '`groups`: the group rules give the areas from the next sign-in on.' }),
    ...readOnly(Member, ['id', 'createdAt', 'endedAt', 'lastSeenAt'], { drifting: ['lastSeenAt'] }),
  })
  .meta({ id: 'MemberReplacement' });
export type MemberReplacement = z.output<typeof MemberReplacement>;

export const Invitation = z
  .object({
    id: z.uuid(),
    name: z.string(),
    areas: Areas,
    memberId: z.uuid().nullable().meta({
      description: 'The member whom a sign-in link lets in; null for an invitation, which makes a member.',
    }),
    createdAt: z.iso.datetime(),
    expiresAt: z.iso.datetime(),
  })
  .meta({ id: 'Invitation' });
export type Invitation = z.output<typeof Invitation>;

export const CreatedInvitation = Invitation.extend({
  url: z.string().meta({
    description:
      'The link. It is shown only once, and works once. Whoever opens it becomes the member: give it to that person alone.',
  }),
}).meta({ id: 'CreatedInvitation' });
export type CreatedInvitation = z.output<typeof CreatedInvitation>;

export const NewInvitation = z
  .strictObject({
    name: PersonName,
    areas: Areas,
    expiresAt: Instant.optional().meta({
      description: 'The link is refused from this time on: in seven days if absent, in thirty at most.',
    }),
  })
  .meta({ id: 'NewInvitation' });
export type NewInvitation = z.output<typeof NewInvitation>;
