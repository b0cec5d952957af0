/** The shapes of sync as the API shows them (contract §2.2). */
import { z } from 'zod';
import { actorTypes } from '../../actor.ts';
import { ListQuery } from '../../http/list.ts';
import { LinkChange, PlannedChange } from './plan.schema.ts';
import { ErrorCode, type ResultKind, WarningCode } from './result-codes.schema.ts';

export const SyncWarning = z
  .object({
    code: WarningCode.meta({ description: 'Code of the warning; stable, for programs.' }),
    property: z
      .string()
      .optional()
      .meta({
        description:
          'Key of the property, the field of the link, or with `source_warning` the column of the file.',
        examples: ['Mass'],
      }),
    count: z
      .int()
      .min(1)
      .optional()
      .meta({
        description:
          'Number of warnings that this one stands for; with `more_warnings`, and with a `source_warning` that counts several.',
        examples: [480],
      }),
    message: z.string().meta({ description: 'The same for people.' }),
  })
  .meta({
    id: 'SyncWarning',
    description: 'A remark on an element that was processed nevertheless.',
  });

const place = {
  index: z
    .int()
    .min(0)
    .meta({ description: 'Position of the element in the payload, from 0.', examples: [0] }),
};
const elementGuid = z.string().meta({ description: "The element's GUID, lowercase." });
const written = {
  entityId: z
    .uuid()
    .optional()
    .meta({ description: 'Id of the entity; absent if a dry run would create it.' }),
  versionId: z.uuid().optional().meta({ description: "Id of the entity's current revision." }),
  number: z
    .string()
    .optional()
    .meta({ description: 'Number of the entity as stored.', examples: ['A-100'] }),
  revision: z.string().meta({ description: 'Label of the current revision.', examples: ['A'] }),
};
const warnings = z.array(SyncWarning).optional().meta({ description: 'Absent if there are none.' });
const plannedChanges = {
  changes: z.array(PlannedChange).optional().meta({
    description:
      'Only in a dry run. A text is shown up to 1000 characters; changes beyond 16 KiB are counted.',
  }),
  changesOmitted: z
    .int()
    .min(1)
    .optional()
    .meta({ description: 'Number of changes that are not shown.', examples: [480] }),
  links: z.array(LinkChange).optional().meta({ description: 'Only in a dry run.' }),
  linksOmitted: z
    .int()
    .min(1)
    .optional()
    .meta({
      description: 'Number of removed links that are not shown: beyond a thousand.',
      examples: [480],
    }),
};

/** Returns the schema of an accepted element's result. */
function taken<const Kind extends Exclude<ResultKind, 'error'>>(kind: Kind, id: string, description: string) {
  return z
    .object({
      ...place,
      guid: elementGuid,
      result: z.literal(kind).meta({ description: 'The result of the element.' }),
      ...written,
      warnings,
      ...plannedChanges,
    })
    .meta({ id, description });
}

const SyncError = z
  .object({
    ...place,
    guid: elementGuid
      .nullable()
      .meta({ description: "The element's GUID, lowercase; null if it had none that could be read." }),
    result: z.literal('error').meta({ description: 'The result of the element.' }),
    ...z.object(written).partial().shape,
    code: ErrorCode.meta({
      description:
        'Why the element was rejected. `unreadable_line`: a line of a table, with line and column. `plan_stale`: its entity was edited while a reviewed plan was being applied.',
    }),
    message: z.string().meta({ description: 'The same for people.' }),
    warnings,
  })
  .meta({
    id: 'SyncError',
    description:
      'A rejected element; the others were processed. If its entity exists nevertheless, it is named.',
  });

/** Each kind of result has its own schema. */
export const resultForms = [
  taken('created', 'SyncCreated', 'The entity was created, or a dry run would create it.'),
  taken('updated', 'SyncUpdated', 'The entity was changed, in place or by a new revision.'),
  taken('skipped', 'SyncSkipped', 'Nothing in the element differs from what is stored.'),
  SyncError,
] as const;

export const SyncResult = z.discriminatedUnion('result', resultForms).meta({
  id: 'SyncResult',
  description: 'Result of one element of a payload; `result` says which form.',
});

const count = (description: string) =>
  z
    .int()
    .min(0)
    .meta({ description, examples: [0] });

export const SyncCounts = z
  .object({
    total: count('Elements in the payload.'),
    processed: count('Elements whose result is known.'),
    created: count('Entities created.'),
    updated: count('Entities updated.'),
    skipped: count('Elements without any difference.'),
    error: count('Rejected elements.'),
    warnings: count('Warnings over all elements.'),
  })
  .meta({ id: 'SyncCounts', description: 'Counts of a batch; live while it is being processed.' });

export const batchStatuses = ['queued', 'processing', 'completed', 'cancelled', 'failed'] as const;
export const BatchStatus = z.enum(batchStatuses).meta({
  id: 'BatchStatus',
  description:
    '`completed` means that every element has a result, possibly an error; `failed` that the service could not finish.',
});

const moment = (description: string) =>
  z.iso
    .datetime()
    .nullable()
    .meta({ description, examples: ['2026-11-20T09:30:00.000Z'] });

const StructureMode = z.enum(['additive', 'exact']);

export const SyncBatch = z
  .object({
    batchId: z.uuid().meta({ description: 'Id of the batch.' }),
    profileName: z.string().meta({ description: 'Name of the import definition.', examples: ['pdm'] }),
    status: BatchStatus,
    dryRun: z.boolean().meta({ description: 'Whether the batch only reports what it would do.' }),
    structure: StructureMode.meta({
      description: '`exact`: assemblies that are in it with their children have exactly these afterwards.',
      examples: ['additive'],
    }),
    submittedAt: moment('When the batch was accepted.'),
    startedAt: moment('When processing of its first element started.'),
    finishedAt: moment('When it ended.'),
    submittedBy: z
      .object({
        type: z.enum(actorTypes).meta({ description: 'Kind of caller.' }),
        id: z.uuid().meta({ description: "The API key's id." }),
        name: z.string().meta({ description: "The API key's name.", examples: ['CAD connector'] }),
      })
      .meta({ description: 'The caller that submitted the batch.' }),
    counts: SyncCounts,
    stillRejected: z
      .int()
      .min(0)
      .optional()
      .meta({
        description:
          'Rejected elements that no later batch has accepted; an element without a GUID counts until the next completed batch of the same profile. Present when a batch with errors is read by its id, and in the list with `stillRejected=true`; absent for dry runs.',
        examples: [3],
      }),
    resultsGone: z.literal(true).optional().meta({
      description: 'Present if the results are past their retention: requesting them returns 410.',
    }),
    commitOf: z.uuid().optional().meta({ description: 'The dry run that this batch commits.' }),
    resendOf: z.uuid().optional().meta({
      description: 'The batch whose elements this one resends; their `index` is the position in that batch.',
    }),
    failure: z
      .object({
        code: z
          .enum(['chunk_failed', 'plan_stale'])
          .meta({ description: 'Why the batch failed; stable, for programs.' }),
        message: z.string().meta({ description: 'The same for people.' }),
        guids: z
          .array(z.string())
          .optional()
          .meta({ description: 'With `plan_stale`: the first entities that have changed.' }),
      })
      .optional()
      .meta({ description: 'Only with status `failed`.' }),
    cancellation: z
      .object({
        at: moment('When it was cancelled.'),
        by: z
          .object({
            type: z.enum(actorTypes).meta({ description: '`operator`: whoever runs the service.' }),
            name: z.string().meta({ description: "The API key's name.", examples: ['CAD connector'] }),
          })
          .meta({ description: 'The caller that cancelled it.' }),
        reason: z
          .string()
          .nullable()
          .meta({ description: 'Reason given by the operator; null if an API key cancelled it.' }),
      })
      .optional()
      .meta({
        description:
          'Who cancelled the batch, and why. With status `processing`, it ends when what it wrote is linked.',
      }),
    results: z.array(SyncResult).optional().meta({
      description: 'In payload order; absent above 10 000 elements and in lists: see `links.results`.',
    }),
    links: z
      .object({
        self: z.string().meta({ description: 'Path of this batch.' }),
        results: z.string().meta({ description: 'Path of its results, page by page.' }),
        events: z.string().meta({ description: 'Path of its progress as Server-Sent Events.' }),
      })
      .meta({ description: 'Links to related resources.' }),
  })
  .meta({ id: 'SyncBatch', description: 'The envelope of a batch.' });
export type SyncBatch = z.infer<typeof SyncBatch>;

/** An event of a batch's stream. */
export const SyncEvent = z
  .object({
    id: z.string().meta({ description: 'Id of the event; for `Last-Event-ID`.' }),
    event: z
      .enum(['progress', 'completed', 'cancelled', 'failed'])
      .meta({ description: '`progress` while something changes; one of the others ends the stream.' }),
    data: SyncBatch.meta({ description: 'The batch without results, as JSON.' }),
  })
  .meta({ id: 'SyncEvent', description: 'An event of the stream: its fields `id`, `event` and `data`.' });

/** How long a call may wait (RFC 7240). */
export const PreferHeader = z.object({
  Prefer: z
    .string()
    .optional()
    .meta({ description: '`wait=N` (0 to 60 seconds) or `respond-async`.', examples: ['wait=30'] }),
});

export const SyncQuery = z.strictObject({
  profile: z
    .string()
    .regex(/^[A-Za-z0-9._ -]{1,100}$/)
    .default('pdm')
    .meta({ description: 'Name of the import definition; becomes `profileName`.', examples: ['pdm'] }),
  dryRun: z
    .enum(['true', 'false'])
    .default('false')
    .meta({ description: 'Only report what would happen: same envelope, nothing is written.' }),
  structure: StructureMode.default('additive').meta({
    description:
      '`additive`: links that the payload does not name stay. `exact`: an assembly that is in the payload with its children has exactly these afterwards; entities are never deleted.',
    examples: ['exact'],
  }),
});

export const syncTag = 'Synchronisation';
export const BatchQuery = ListQuery.extend({
  status: BatchStatus.optional(),
  profile: z.string().max(100).optional().meta({ description: 'Only batches of this import definition.' }),
  dryRun: z
    .stringbool()
    .optional()
    .meta({ description: '`false`: without dry runs; `true`: only dry runs.', examples: ['false'] }),
  stillRejected: z
    .stringbool()
    .default(false)
    .meta({
      description: '`true`: count for each batch with errors which elements are still rejected.',
      examples: ['true'],
    }),
});

export const BatchParams = z.strictObject({ id: z.uuid().meta({ description: 'Id of the batch.' }) });
