/** `/entities/{id}/archive` and `/entities/{id}/unarchive`. */
import { Entity, EntityParams } from '../entities/entities.schema.ts';
import { findEntity } from '../entities/find-entity.ts';
import { showEntity } from '../entities/show-entity.ts';
import { type AnyRoute, defineRoute } from '../http/route.ts';
import { setArchived } from './archive-entity.ts';

const member = '/api/wid/{slug}/entities/{id}';

const archiving = (archived: boolean) =>
  defineRoute({
    method: 'post',
    path: `${member}/${archived ? 'archive' : 'unarchive'}`,
    operationId: archived ? 'archiveEntity' : 'unarchiveEntity',
    tag: 'Entities',
    summary: archived ? 'Archive an entity' : 'Take an entity out of the archive',
    description: archived
      ? 'Lists, search, pickers and where-used leave an archived entity out unless `archived=true` or `only` asks for it; reading it by its id or GUID still works. Nothing is deleted. Refused as `archive_refused`, with the `reasons`, while the entity has stock, open order lines, open requirements, links that wait for a parent, or is used by an assembly that is not released; a location also while other locations lie in it. Nothing new can be booked, ordered or required for an archived entity, and no assembly can be given it by hand; a sync that brings it says so with the warning `archived`. An entity that is archived already stays as it is.'
      : 'Lists show it again. Refused as `archive_refused`, with the `reasons`, while children of an assembly that is not released, or the location around a location, are archived.',
    access: 'engineering',
    transaction: 'write',
    params: EntityParams,
    answers: { 200: { description: 'The entity.', schema: Entity } },
    errors: ['entity_not_found', 'archive_refused'],
    handle: async ({ ctx, params, actor }, tx) => {
      const { ARCHIVE_LOOKED_MAX: lookedMax } = ctx.config;
      const id = await setArchived(tx, actor, { ref: params.id, archived, lookedMax });
      const row = await findEntity(tx, id);
      return { status: 200, body: showEntity(row), etag: String(row.version) };
    },
  });

export const archiveRoutes: AnyRoute[] = [archiving(true), archiving(false)];
