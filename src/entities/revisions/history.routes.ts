/** The history of an entity: its revisions, what differs between two, and its way through the lifecycle. */
import { z } from 'zod';
import { readPage } from '../../db/read-page.ts';
import { rfc3339 } from '../../db/time.ts';
import { decodeCursor, encodeCursor, ListQuery, listOf, pageOf } from '../../http/list.ts';
import { type AnyRoute, defineRoute } from '../../http/route.ts';
import { EntityParams } from '../entities.schema.ts';
import { findEntity } from '../find-entity.ts';
import { AREAS_OF_ENTITIES, requireAreaOfEntity } from '../require-area.ts';
import { resolveEntityId } from '../resolve-entity.ts';
import { revisionLabel } from '../revision-label.ts';
import { showEntity } from '../show-entity.ts';
import { Configuration } from '../structure/configuration.schema.ts';
import { configuredUses } from '../structure/configured-uses.ts';
import { showUse } from '../structure/show-use.ts';
import { Use } from '../structure/structure.schema.ts';
import { transitionEntity } from '../transition-entity.ts';
import { selectTransitions, selectTransitionsEnd } from '../transitions.sql.ts';
import { compareRevisions } from './compare-revisions.ts';
import { findRevisions, listRevisions, listRevisionUses, showRevision } from './read-revisions.ts';
import {
  CompareQuery,
  NewTransition,
  Revision,
  RevisionComparison,
  RevisionParams,
  RevisionWithUses,
  Transition,
  TransitionedEntity,
} from './revisions.schema.ts';
import { transitionErrors } from './transition-errors.ts';

const member = '/api/wid/{slug}/entities/{id}';
const INLINE_USES_MAX = 1000;
/** Transitions of an entity that a page looks at for those of one caller. */
const TRANSITIONS_LOOKED_AT_MAX = 5000;

const getRevisions = defineRoute({
  method: 'get',
  path: `${member}/revisions`,
  operationId: 'listRevisions',
  tag: 'Entities',
  summary: 'List the revisions of an entity',
  description: 'Newest first, including the current one.',
  access: 'read',
  transaction: 'read',
  params: EntityParams,
  query: ListQuery,
  answers: { 200: { description: 'A page of revisions.', schema: listOf(Revision) } },
  errors: ['entity_not_found'],
  handle: async ({ params, query }, tx) => {
    const id = await resolveEntityId(tx, params.id);
    const list = `revisions ${id}`;
    const below = decodeCursor(list, query.cursor, z.int());
    const page = await listRevisions(tx, id, below, query.limit);
    return {
      status: 200,
      body: pageOf(list, page, (row) => row.revision_number, showRevision),
    };
  },
});

const getRevision = defineRoute({
  method: 'get',
  path: `${member}/revisions/{n}`,
  operationId: 'getRevision',
  tag: 'Entities',
  summary: 'Read a revision with its structure',
  access: 'read',
  transaction: 'read',
  params: RevisionParams,
  answers: { 200: { description: 'The revision.', schema: RevisionWithUses } },
  errors: ['entity_not_found', 'revision_not_found'],
  handle: async ({ params }, tx) => {
    const id = await resolveEntityId(tx, params.id);
    const [revision] = await findRevisions(tx, id, [params.n]);
    const page = await listRevisionUses(tx, id, params.n, null, INLINE_USES_MAX);
    const uses = pageOf(usesList(id, params.n), page, (row) => row.id, showUse);
    const body = { ...showRevision(revision), uses: uses.items, usesNextCursor: uses.nextCursor };
    return { status: 200, body };
  },
});

const getRevisionUses = defineRoute({
  method: 'get',
  path: `${member}/revisions/{n}/uses`,
  operationId: 'listRevisionUses',
  tag: 'Structure',
  summary: 'List the children of a revision',
  description:
    'In order of the child ids. Children are shown in their present state, or with `configuration` in the revisions with which this one was released, or in their newest released ones.',
  access: 'read',
  transaction: 'read',
  params: RevisionParams,
  query: ListQuery.extend({ configuration: Configuration }),
  answers: { 200: { description: 'A page of children.', schema: listOf(Use) } },
  errors: ['entity_not_found', 'revision_not_found'],
  handle: async ({ params, query }, tx) => {
    const id = await resolveEntityId(tx, params.id);
    await findRevisions(tx, id, [params.n]);
    const { configuration } = query;
    if (configuration !== 'current')
      return { status: 200, body: await configuredUses(tx, { id, n: params.n, configuration }, query) };
    const list = usesList(id, params.n);
    const after = decodeCursor(list, query.cursor, z.uuid());
    const page = await listRevisionUses(tx, id, params.n, after, query.limit);
    return { status: 200, body: pageOf(list, page, (row) => row.id, showUse) };
  },
});

function usesList(id: string, revision: number): string {
  return `uses ${id} ${revision}`;
}

const getComparison = defineRoute({
  method: 'get',
  path: `${member}/revisions/compare`,
  operationId: 'compareRevisions',
  tag: 'Entities',
  summary: 'Compare two revisions of an entity',
  description:
    'With `configuration=asReleased` children are named as each revision was released with them, and `structure.revisions` lists those whose revision differs. With `latestReleased` they are named as their newest released revisions are.',
  access: 'read',
  transaction: 'read',
  params: EntityParams,
  query: CompareQuery,
  answers: { 200: { description: 'The differences.', schema: RevisionComparison } },
  errors: ['entity_not_found', 'revision_not_found'],
  handle: async ({ params, query }, tx) => {
    const id = await resolveEntityId(tx, params.id);
    return { status: 200, body: await compareRevisions(tx, id, query) };
  },
});

const postTransition = defineRoute({
  method: 'post',
  path: `${member}/transitions`,
  operationId: 'transitionEntity',
  tag: 'Entities',
  summary: 'Move an entity to another lifecycle state',
  description:
    'The state changes in place, also between two released states. Leaving the released states opens a revision, so that the released one stays unchanged. If the lifecycle has no such transition, the response is 409 with the possible states in `allowed`. If the lifecycle says so of the new state (`whenInUse`), an item with stock, open order lines or open requirements, or a location with stock or goods on order to it, is a warning or 409 `in_use`. Orders, their lines and requirements need the area `procurement`, all other categories `engineering`.',
  access: AREAS_OF_ENTITIES,
  transaction: 'write',
  params: EntityParams,
  body: NewTransition,
  answers: { 200: { description: 'The entity in its new state.', schema: TransitionedEntity } },
  errors: ['entity_not_found', ...transitionErrors, 'in_use', 'unreleased_children'],
  handle: async ({ ctx, params, body, actor, areas }, tx) => {
    await requireAreaOfEntity(tx, { areas }, params.id);
    const wanted = { entity: params.id, toState: body.toState, note: body.note };
    const { entity, warnings } = await transitionEntity(tx, ctx.moverOf(actor), wanted);
    const row = await findEntity(tx, entity.id);
    return { status: 200, body: { ...showEntity(row), warnings }, etag: String(row.version) };
  },
});

const TransitionsQuery = ListQuery.extend({
  actorId: z
    .uuid()
    .optional()
    .describe('Only transitions by this caller; those of a member include the ones by its keys.')
    .meta({ examples: ['0199d0f0-0000-7000-8000-000000000002'] }),
});

interface StoredTransition {
  id: string;
  version_id: string;
  revision_number: number;
  from_state: string;
  to_state: string;
  note: string | null;
  recorded_at: string;
  actor_id: string;
  actor_type: Transition['actor']['type'];
  actor_name: string;
}

const listTransitions = defineRoute({
  method: 'get',
  path: `${member}/transitions`,
  operationId: 'listTransitions',
  tag: 'Entities',
  summary: 'List the lifecycle transitions of an entity',
  description:
    'Newest first: who, when, from and to which state, and why. Entries are never changed or removed. With `actorId` a page may contain fewer than `limit` and still have a next page, because each looks at a bounded number of transitions.',
  access: 'read',
  transaction: 'read',
  params: EntityParams,
  query: TransitionsQuery,
  answers: { 200: { description: 'A page of transitions.', schema: listOf(Transition) } },
  errors: ['entity_not_found'],
  handle: async ({ params, query }, tx) => {
    const id = await resolveEntityId(tx, params.id);
    const { actorId = null, limit } = query;
    const list = actorId === null ? `transitions ${id}` : `transitions ${id} ${actorId}`;
    const below = decodeCursor(list, query.cursor, z.uuid());
    // Only those of one caller can be few among many.
    const lookedAt = actorId === null ? limit + 1 : TRANSITIONS_LOOKED_AT_MAX;
    const page = await readPage<StoredTransition>(
      tx,
      selectTransitions,
      [tx.workspaceId, id, below, limit + 1, lookedAt, actorId],
      { limit, long: ['from_state', 'to_state', 'note'] },
    );
    const body = pageOf(list, page, (row) => row.id, showTransition);
    if (actorId === null || page.more) return { status: 200, body };
    const [end] = await tx.query<{ id: string }>(selectTransitionsEnd, [tx.workspaceId, id, below, lookedAt]);
    return {
      status: 200,
      body: { ...body, nextCursor: end === undefined ? null : encodeCursor(list, end.id) },
    };
  },
});

function showTransition(row: StoredTransition): Transition {
  return {
    id: row.id,
    fromState: row.from_state,
    toState: row.to_state,
    note: row.note,
    revision: revisionLabel(row.revision_number),
    revisionNumber: row.revision_number,
    versionId: row.version_id,
    recordedAt: rfc3339(row.recorded_at),
    actor: { type: row.actor_type, id: row.actor_id, name: row.actor_name },
  };
}

export const historyRoutes: AnyRoute[] = [
  getRevisions,
  getRevision,
  getRevisionUses,
  getComparison,
  postTransition,
  listTransitions,
];
