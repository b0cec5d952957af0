/** The actions that users can run: buttons of automations, for one entity or all of the workspace. */
import { z } from 'zod';
import { mayDo } from '../areas.ts';
import { readPage } from '../db/read-page.ts';
import type { Tx } from '../db/transaction.ts';
import { EntityParams } from '../entities/entities.schema.ts';
import { findEntity } from '../entities/find-entity.ts';
import type { StoredEntity } from '../entities/show-entity.ts';
import { decodeCursor, ListQuery, listOf, pageOf } from '../http/list.ts';
import { type AnyRoute, defineRoute, type WorkspaceCall } from '../http/route.ts';
import { selectActions } from './automation.sql.ts';
import { automationsTag as tag } from './automations.routes.ts';
import { Action, AREAS_OF_ACTIONS, type Button } from './button.schema.ts';

const listActions = defineRoute({
  method: 'get',
  path: '/api/wid/{slug}/actions',
  operationId: 'listActions',
  tag,
  summary: 'List all actions',
  description:
    'The buttons of all enabled automations, in order of creation. `categories` and `states` say which entities offer an action; with neither it can also run without an entity. A key that may only read is offered none.',
  access: 'read',
  transaction: 'read',
  query: ListQuery,
  answers: { 200: { description: 'A page of actions.', schema: listOf(Action) } },
  handle: (call, tx) => showPage(tx, call, null),
});

const listEntityActions = defineRoute({
  method: 'get',
  path: '/api/wid/{slug}/entities/{id}/actions',
  operationId: 'listEntityActions',
  tag,
  summary: 'List the actions of an entity',
  description:
    'The actions that its category and its state offer. `triggerAutomation` runs one. A key that may only read is offered none.',
  access: 'read',
  transaction: 'read',
  params: EntityParams,
  query: ListQuery,
  answers: { 200: { description: 'A page of actions.', schema: listOf(Action) } },
  errors: ['entity_not_found'],
  handle: async (call, tx) => showPage(tx, call, await findEntity(tx, call.params.id)),
});

interface ActionRow {
  id: string;
  description: string;
  button: Button;
}

async function showPage(
  tx: Tx,
  { areas, query: { cursor, limit } }: WorkspaceCall<unknown, z.output<typeof ListQuery>>,
  entity: Pick<StoredEntity, 'id' | 'category' | 'state'> | null,
) {
  if (!mayDo({ areas }, AREAS_OF_ACTIONS)) return { status: 200, body: { items: [], nextCursor: null } };
  const list = `actions ${entity?.id ?? ''}`;
  const after = decodeCursor(list, cursor, z.uuid());
  const page = await readPage<ActionRow>(
    tx,
    selectActions,
    [tx.workspaceId, after, entity?.category ?? null, entity?.state ?? null, limit + 1],
    { limit, long: ['description', 'button'] },
  );
  const show = ({ id, description, button }: ActionRow): Action => ({
    automationId: id,
    description,
    ...button,
  });
  return { status: 200, body: pageOf(list, page, (row) => row.id, show) };
}

export const actionRoutes: AnyRoute[] = [listActions, listEntityActions];
