/** `/audit`: who changed which configuration or key. */
import { z } from 'zod';
import { decodeCursor, ListQuery, listOf, pageOf } from '../../http/list.ts';
import { type AnyRoute, defineRoute } from '../../http/route.ts';
import { workspaceOf } from '../workspace-of.ts';
import { AuditEntry } from './audit.schema.ts';
import { selectAuditPage } from './audit.sql.ts';

interface Row {
  id: string;
  /** As the driver gives it: text with microseconds. */
  recorded_at: string;
  action: AuditEntry['action'];
  subject_type: string;
  subject_key: string;
  before: unknown;
  after: unknown;
  actor_id: string;
  actor_type: AuditEntry['actor']['type'];
  actor_name: string;
}

const listAudit = defineRoute({
  method: 'get',
  path: '/api/wid/{slug}/audit',
  operationId: 'listAudit',
  tag: 'Configuration',
  summary: 'List changes of configuration and keys',
  description: 'Newest first. Entries are never changed or removed.',
  access: 'read',
  transaction: 'read',
  query: ListQuery,
  answers: { 200: { description: 'A page of the audit trail.', schema: listOf(AuditEntry) } },
  handle: async ({ query }, tx) => {
    const below = decodeCursor('audit', query.cursor, z.uuid());
    const rows = await tx.query<Row>(selectAuditPage, [workspaceOf(tx), below, query.limit + 1]);
    return { status: 200, body: pageOf('audit', rows, query.limit, (row) => row.id, showEntry) };
  },
});

function showEntry(row: Row): AuditEntry {
  return {
    id: row.id,
    recordedAt: new Date(row.recorded_at).toISOString(),
    actor: { type: row.actor_type, id: row.actor_id, name: row.actor_name },
    action: row.action,
    subjectType: row.subject_type,
    subjectKey: row.subject_key,
    before: row.before,
    after: row.after,
  };
}

export const auditRoutes: AnyRoute[] = [listAudit];
