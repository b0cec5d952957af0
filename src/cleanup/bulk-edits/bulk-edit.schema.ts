/** Bulk edits as the API takes and shows them (contract §3.17). */
import { z } from 'zod';
import { EntityId, EntityName, EntityNumber, EntityQuery, Moment } from '../../entities/entities.schema.ts';
import { EntityRef } from '../../entities/resolve-entity.ts';
import { byView } from '../../entities/views/view.schema.ts';
import { ListQuery } from '../../http/list.ts';
import { mapOf } from '../../http/map-of.ts';

/** Entities that one call can name; a filter finds any number of them. */
export const NAMED_MAX = 1000;
const PROPERTIES_MAX = 20;
const TEXT_CHARS_MAX = 1000;

const filters = EntityQuery.pick({
  category: true,
  state: true,
  role: true,
  number: true,
  archived: true,
  q: true,
  where: true,
});

export const BulkEditFilter = z
  .strictObject({
    ...filters.shape,
    ...byView,
    ids: z
      .array(EntityRef)
      .min(1)
      .max(NAMED_MAX)
      .optional()
      .describe(`Exactly these entities, at most ${NAMED_MAX}, in place of all other filters.`),
  })
  .describe('The filters of `GET /entities`. An empty object finds all entities that are not archived.')
  .meta({ examples: [{ category: ['part'], where: ['Material:eq:EN AW6082'] }] });
export type BulkEditFilter = z.output<typeof BulkEditFilter>;

const Value = z.union([z.string(), z.number(), z.boolean(), z.null()]);

const Replacement = z.strictObject({
  find: z
    .string()
    .min(1)
    .max(TEXT_CHARS_MAX)
    .describe('Text to look for; case counts.')
    .meta({ examples: ['AW6082'] }),
  with: z
    .string()
    .max(TEXT_CHARS_MAX)
    .describe('Text in its place. A value of which nothing is left is removed.')
    .meta({ examples: ['AW-6082'] }),
});

export const BulkEditChange = z
  .strictObject({
    properties: mapOf(Value, PROPERTIES_MAX)
      .optional()
      .meta({
        description: `Values to set, by property definition key; null removes a value. At most ${PROPERTIES_MAX}.`,
        examples: [{ Material: 'EN AW-6082' }],
      }),
    replace: mapOf(Replacement, PROPERTIES_MAX)
      .optional()
      .meta({
        description: `Text to replace within the values of properties of type text, choice or url. At most ${PROPERTIES_MAX}.`,
        examples: [{ Material: { find: 'AW6082', with: 'AW-6082' } }],
      }),
    category: z
      .string()
      .min(1)
      .max(255)
      .optional()
      .describe('Key of the category to move to: one with the same lifecycle and the same role.')
      .meta({ examples: ['part'] }),
    state: z
      .string()
      .min(1)
      .max(255)
      .optional()
      .describe('State to move to, by a transition of the lifecycle.')
      .meta({ examples: ['In Review'] }),
  })
  .describe('The change of each entity: first the category, then the properties, then the state.')
  .meta({ id: 'BulkEditChange' });
export type BulkEditChange = z.output<typeof BulkEditChange>;

const Reason = z
  .string()
  .trim()
  .min(1)
  .max(2000)
  .nullish()
  .describe('Why, for the audit trail of each entity.')
  .meta({ examples: ['One spelling for the alloy'] });

export const NewBulkEdit = z
  .strictObject({
    filter: BulkEditFilter,
    change: BulkEditChange,
    dryRun: z
      .boolean()
      .default(false)
      .describe('Only report what would change. `POST /bulk-edits/{id}/apply` then applies it.')
      .meta({ examples: [true] }),
    reason: Reason,
  })
  .meta({ id: 'NewBulkEdit' });
export type NewBulkEdit = z.output<typeof NewBulkEdit>;

export const BulkEditFollowUp = z.strictObject({ reason: Reason }).meta({ id: 'BulkEditFollowUp' });

const BulkEditId = z.uuid().describe('Id of the bulk edit.');
export const BulkEditParams = z.strictObject({ id: BulkEditId });

export const BulkEditStatus = z
  .enum(['queued', 'running', 'completed', 'cancelled', 'failed'])
  .describe('`queued` until its first step. The bulk edits of a workspace run one after the other.');

const count = (description: string) => z.int().min(0).describe(description);

export const BulkEdit = z
  .object({
    id: BulkEditId,
    status: BulkEditStatus,
    dryRun: z.boolean().describe('Whether nothing is written.'),
    applies: BulkEditId.nullable().describe('The dry run whose changes it applies; null for any other.'),
    undoes: BulkEditId.nullable().describe('The bulk edit whose changes it takes back; null for any other.'),
    filter: z
      .record(z.string(), z.union([z.string(), z.array(z.string())]))
      .describe('The filters, with those of a view resolved; empty where it applies or undoes another one.'),
    change: z
      .object({
        properties: z.record(z.string(), Value).optional(),
        replace: z.record(z.string(), z.object({ find: z.string(), with: z.string() })).optional(),
        category: z.string().optional(),
        state: z.string().optional(),
      })
      .describe('The change that was asked for.'),
    reason: z.string().nullable().describe('Why; null if no reason was given.'),
    expected: count(
      'Entities that it will look at; null if they are too many to be counted first.',
    ).nullable(),
    changed: count('Entities that were changed, or would be.'),
    unchanged: count('Entities that were as wanted already.'),
    refused: count('Entities that cannot be changed so; the results say why.'),
    by: z
      .object({ type: z.string(), id: z.uuid(), name: z.string() })
      .describe('The caller, in whose name the entities are changed.'),
    failure: z
      .object({ code: z.string(), message: z.string() })
      .nullable()
      .describe('Why it failed; null if it did not. Changes that were made stay, and can be undone.'),
    createdAt: Moment.describe('When it was accepted, UTC.'),
    startedAt: Moment.nullable().describe('When its first step began, UTC.'),
    finishedAt: Moment.nullable().describe('When it ended, UTC; null while it runs.'),
  })
  .describe('A change of all entities that a filter finds.')
  .meta({ id: 'BulkEdit' });
export type BulkEdit = z.infer<typeof BulkEdit>;

const FieldValue = Value.describe('Null if there is no value.');

export const BulkEditResult = z
  .object({
    entityId: EntityId,
    number: EntityNumber,
    name: EntityName,
    result: z.enum(['changed', 'refused']).describe('In a dry run `changed` means that it would be changed.'),
    changes: z
      .array(
        z.object({
          field: z
            .string()
            .describe(
              '`category`, `state`, `properties.` and the key of the property, or `revision` for a released entity, which gets a new revision.',
            )
            .meta({ examples: ['properties.Material'] }),
          from: FieldValue,
          to: FieldValue,
        }),
      )
      .describe('The differences; empty if it was refused.'),
    code: z
      .string()
      .nullable()
      .describe(
        'Why it was refused: an error code, `changed_since` for an entity that is not as the dry run or the undone edit left it, or `not_bulk_editable` for orders, lines and requirements.',
      ),
    message: z.string().nullable().describe('The same in words.'),
  })
  .describe('An entity of a bulk edit; entities that were as wanted already have no result.')
  .meta({ id: 'BulkEditResult' });
export type BulkEditResult = z.infer<typeof BulkEditResult>;

export const BulkEditQuery = ListQuery;
export const BulkEditResultQuery = ListQuery.extend({
  result: z.enum(['changed', 'refused']).optional().describe('Only these results.'),
});
