/** An entry of the audit trail. */
import { z } from 'zod';
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
          .enum(['apiKey', 'operator', 'automation', 'system'])
          .describe('What kind of caller it was.')
          .meta({ examples: ['apiKey'] }),
        id: z
          .string()
          .describe("The API key's or the automation's id.")
          .meta({ examples: ['0199d0f0-0000-7000-8000-000000000002'] }),
        name: z
          .string()
          .describe('Its name; of an API key, the present one.')
          .meta({ examples: ['CAD connector'] }),
      })
      .describe('Who changed it.'),
    action: z
      .enum(actions)
      .describe('What was done.')
      .meta({ examples: ['update'] }),
    subjectType: z
      .string()
      .describe('What kind of thing was changed.')
      .meta({ examples: ['category'] }),
    subjectKey: z
      .string()
      .describe("The thing's key or id.")
      .meta({ examples: ['part'] }),
    before: z
      .unknown()
      .describe('The thing before the change, as the API shows it; null when it was created.')
      .meta({ examples: [{ key: 'Mass', name: 'Mass', type: 'text' }] }),
    after: z
      .unknown()
      .describe('The thing after the change, as the API shows it; null when it was deleted.')
      .meta({ examples: [{ key: 'Mass', name: 'Mass (kg)', type: 'text' }] }),
    redacted: z
      .boolean()
      .describe(
        'Whether `before` and `after` are kept from the caller: only administrators read API keys and CSV links.',
      )
      .meta({ examples: [false] }),
  })
  .describe('Who changed what, when, from what to what.')
  .meta({ id: 'AuditEntry' });
export type AuditEntry = z.infer<typeof AuditEntry>;

const filters = {
  actorId: z.uuid().optional().describe('Only what this caller changed.'),
  subjectType: z
    .string()
    .max(64)
    .optional()
    .describe('Only changes of this kind of thing.')
    .meta({ examples: ['category'] }),
  subjectKey: z
    .string()
    .max(255)
    .optional()
    .describe('Only changes of the thing of this key or id.')
    .meta({ examples: ['part'] }),
  action: z.enum(actions).optional().describe('Only changes of this sort.'),
  from: Instant.optional().describe('Only what was recorded at this time or later.'),
  to: Instant.optional().describe('Only what was recorded before this time.'),
};

export const AuditQuery = ListQuery.extend(filters);
const AuditFilters = z.strictObject(filters);
export type AuditFilters = z.output<typeof AuditFilters>;
