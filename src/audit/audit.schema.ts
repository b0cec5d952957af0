/** An entry of the audit trail. */
import { z } from 'zod';
import { actorTypes } from '../actor.ts';
import { Instant } from '../http/instant.ts';
import { ListQuery } from '../http/list.ts';

const actions = ['create', 'update', 'delete', 'revoke'] as const;

export const AuditEntry = z
  .object({
    id: z
      .uuid()
      .describe('Id of the entry.')
      .meta({ examples: ['0199d0f0-0000-7000-8000-000000000001'] }),
    recordedAt: z.iso
      .datetime()
      .describe('When it was changed, UTC with milliseconds.')
      .meta({ examples: ['2026-11-20T09:30:00.000Z'] }),
    actor: z
      .object({
        type: z
          .enum(actorTypes)
          .describe('Type of the caller.')
          .meta({ examples: ['apiKey'] }),
        id: z
          .string()
          .describe('Id of the API key or automation.')
          .meta({ examples: ['0199d0f0-0000-7000-8000-000000000002'] }),
        name: z
          .string()
          .describe('Its name; the present one of an API key.')
          .meta({ examples: ['CAD connector'] }),
      })
      .describe('The caller that made the change.'),
    action: z
      .enum(actions)
      .describe('The action.')
      .meta({ examples: ['update'] }),
    subjectType: z
      .string()
      .describe('Type of the subject.')
      .meta({ examples: ['category'] }),
    subjectKey: z
      .string()
      .describe('Key or id of the subject.')
      .meta({ examples: ['part'] }),
    before: z
      .unknown()
      .describe('The subject before the change, as the API shows it; null if it was created.')
      .meta({ examples: [{ key: 'Mass', name: 'Mass', type: 'text' }] }),
    after: z
      .unknown()
      .describe('The subject after the change, as the API shows it; null if it was deleted.')
      .meta({ examples: [{ key: 'Mass', name: 'Mass (kg)', type: 'text' }] }),
    redacted: z
      .boolean()
      .describe(
        'Whether `before` and `after` are hidden from the caller: only administrators may read API keys, CSV links, members and invitations.',
      )
      .meta({ examples: [false] }),
  })
  .describe('A change: who changed what, when, from what to what.')
  .meta({ id: 'AuditEntry' });
export type AuditEntry = z.infer<typeof AuditEntry>;

const filters = {
  actorId: z
    .uuid()
    .optional()
    .describe(
      'Only changes by this caller, also those that automations made for the caller. Those of a member include the ones by its keys.',
    ),
  subjectType: z
    .string()
    .max(64)
    .optional()
    .describe('Only changes of this kind of subject.')
    .meta({ examples: ['category'] }),
  subjectKey: z
    .string()
    .max(255)
    .optional()
    .describe('Only changes of the subject with this key or id.')
    .meta({ examples: ['part'] }),
  action: z.enum(actions).optional().describe('Only this kind of change.'),
  from: Instant.optional().describe('Only entries recorded at this time or later.'),
  to: Instant.optional().describe('Only entries recorded before this time.'),
};

export const AuditQuery = ListQuery.extend(filters);
const AuditFilters = z.strictObject(filters);
export type AuditFilters = z.output<typeof AuditFilters>;
