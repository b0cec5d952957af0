/** The versions of a script. */
import { z } from 'zod';
import type { Actor } from '../actor.ts';
import { readPage } from '../db/read-page.ts';
import { rfc3339 } from '../db/time.ts';
import { decodeCursor, ListQuery, listOf, pageOf } from '../http/list.ts';
import { type AnyRoute, defineRoute } from '../http/route.ts';
import { AutomationParams } from './automation.schema.ts';
import { selectScriptVersions } from './automation.sql.ts';
import { automationsTag as tag } from './automations.routes.ts';
import { findAutomation } from './find-automation.ts';
import { ScriptVersion } from './script-version.schema.ts';

interface VersionRow {
  version: number;
  script: string;
  created_at: string;
  actor_id: string;
  actor_type: Actor['type'];
  actor_name: string;
}

const listScriptVersions = defineRoute({
  method: 'get',
  path: '/api/wid/{slug}/automations/{id}/versions',
  operationId: 'listScriptVersions',
  tag,
  summary: 'List the versions of a script',
  description: 'Newest first.',
  access: 'read',
  transaction: 'read',
  params: AutomationParams,
  query: ListQuery,
  answers: { 200: { description: 'A page of versions.', schema: listOf(ScriptVersion) } },
  errors: ['automation_not_found'],
  handle: async ({ params, query }, tx) => {
    await findAutomation(tx, params.id);
    const list = `script-versions ${params.id}`;
    const below = decodeCursor(list, query.cursor, z.int());
    const wanted = [tx.workspaceId, params.id, below, query.limit + 1];
    const page = await readPage<VersionRow>(tx, selectScriptVersions, wanted, {
      limit: query.limit,
      long: ['script'],
    });
    const show = (row: VersionRow): ScriptVersion => ({
      version: row.version,
      script: row.script,
      createdAt: rfc3339(row.created_at),
      createdBy: { type: row.actor_type, id: row.actor_id, name: row.actor_name },
    });
    return { status: 200, body: pageOf(list, page, (row) => row.version, show) };
  },
});

export const scriptVersionRoutes: AnyRoute[] = [listScriptVersions];
