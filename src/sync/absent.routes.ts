/** Serves the entities that earlier batches brought and this one does not (contract §2.11). */
import { z } from 'zod';
import {
  CategoryKey,
  EntityId,
  EntityName,
  EntityNumber,
  RevisionLabel,
  StateName,
} from '../entities/entities.schema.ts';
import { revisionLabel } from '../entities/revision-label.ts';
import { decodeCursor, ListQuery, listOf, pageOf } from '../http/list.ts';
import { type AnyRoute, defineRoute } from '../http/route.ts';
import { type AbsentRow, type Compared, findAbsent } from './absent/find-absent.ts';
import { BatchParams, syncTag as tag } from './batch/sync.schema.ts';

const AbsentEntity = z
  .object({
    entityId: EntityId,
    E_Guid: z.string().meta({ description: 'Its GUID, lowercase.' }),
    number: EntityNumber,
    name: EntityName,
    category: CategoryKey,
    state: StateName,
    revision: RevisionLabel,
    lastBatchId: z.uuid().meta({ description: 'The latest of those batches that contained it.' }),
    lastBroughtAt: z.iso.datetime().meta({ description: 'When that batch was accepted.' }),
  })
  .meta({
    id: 'AbsentEntity',
    description: 'An entity that earlier batches contained and this one does not.',
  });

const ComparedWith = z
  .object({
    batches: z
      .int()
      .meta({ description: 'Number of earlier batches of the same import definition.', examples: [12] }),
    since: z.iso
      .datetime()
      .nullable()
      .meta({ description: 'When the oldest of them was accepted; null if there is none.' }),
    complete: z.boolean().meta({
      description: 'False if older ones were left out: past their retention, or beyond the limits.',
    }),
  })
  .meta({ id: 'ComparedWith', description: 'The batches that were compared.' });

const listAbsentEntities = defineRoute({
  method: 'get',
  path: '/api/wid/{slug}/pdm/sync/batches/{id}/absent',
  operationId: 'listAbsentEntities',
  tag,
  summary: 'List entities that a batch no longer contains',
  description:
    'Entities that earlier batches of the same import definition contained and this one does not, in order of their GUIDs. Nothing is deleted or changed. A dry run reports what would be absent. A rejected element still names its GUID; one whose GUID could not be read does not, so check the errors of the batch first.',
  access: 'read',
  transaction: 'read',
  readsMuch: true,
  params: BatchParams,
  query: ListQuery,
  answers: {
    200: {
      description: 'Entities, and how far back the search went.',
      schema: listOf(AbsentEntity).extend({ comparedWith: ComparedWith }),
    },
  },
  errors: ['batch_not_found', 'batch_not_completed', 'batch_too_large', 'results_gone', 'invalid_cursor'],
  handle: async ({ ctx, params, query }, tx) => {
    const list = `absent ${params.id}`;
    const after = decodeCursor(list, query.cursor, z.uuid());
    const { page, compared } = await findAbsent(
      tx,
      params.id,
      { after, limit: query.limit },
      { elementsMax: ctx.config.SYNC_ABSENT_ELEMENTS_MAX, batchesMax: ctx.config.SYNC_ABSENT_BATCHES_MAX },
    );
    const shown = pageOf(
      list,
      page,
      ({ guid }) => guid,
      (row) => showAbsent(row, compared),
    );
    const comparedWith = {
      batches: compared.batches.length,
      since: compared.batches.at(-1)?.submittedAt ?? null,
      complete: compared.isComplete,
    };
    return { status: 200, body: { ...shown, comparedWith } };
  },
});

function showAbsent(row: AbsentRow, { batches }: Compared): z.infer<typeof AbsentEntity> {
  const last = batches[row.place - 1];
  if (last === undefined) throw new Error('An entity was brought by none of the batches compared');
  return {
    entityId: row.id,
    E_Guid: row.guid,
    number: row.number,
    name: row.name,
    category: row.category,
    state: row.state,
    revision: revisionLabel(row.revision_number),
    lastBatchId: last.id,
    lastBroughtAt: last.submittedAt,
  };
}

export const absentRoutes: AnyRoute[] = [listAbsentEntities];
