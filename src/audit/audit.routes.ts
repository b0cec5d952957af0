/** `/audit`: who changed which configuration or key. */
import { z } from 'zod';
import { mayDo } from '../areas.ts';
import { inTransaction } from '../db/transaction.ts';
import { AppError } from '../errors.ts';
import { sendPieces } from '../http/answers/send-pieces.ts';
import { inStream } from '../http/in-stream.ts';
import { decodeCursor, encodeCursor, listOf, pageOf } from '../http/list.ts';
import { type AnyRoute, defineRoute, type WorkspaceCall } from '../http/route.ts';
import { AuditEntry, AuditQuery } from './audit.schema.ts';
import { type AuditWanted, readAudit } from './read-audit.ts';
import { type AuditFormat, streamAudit } from './stream-audit.ts';

const formats: Readonly<Record<string, AuditFormat>> = {
  'text/csv': 'csv',
  'application/x-ndjson': 'ndjson',
};

const listAudit = defineRoute({
  method: 'get',
  path: '/api/wid/{slug}/audit',
  operationId: 'listAudit',
  tag: 'Configuration',
  summary: 'List changes of configuration and keys',
  description:
    'Newest first. An entry must match all filters. A page looks at a bounded number of entries, so it may contain few and still have a next page. Entries are never changed or removed. As CSV or NDJSON all matching entries are streamed, from the cursor if one is given, regardless of `limit`. Changes of an API key are shown to administrators only, as the key itself is.',
  access: 'read',
  transaction: 'none',
  query: AuditQuery,
  answers: {
    200: {
      description: 'A page of the audit trail.',
      schema: listOf(AuditEntry),
      alternatives: {
        'text/csv': 'All matching entries, one per line, with a header line.',
        'application/x-ndjson': 'All entries that fit, one JSON object a line; the schema is that of one.',
      },
      alternativeSchemas: { 'application/x-ndjson': AuditEntry },
    },
  },
  errors: ['not_acceptable', 'too_many_streams'],
  handle: async (call) => {
    const { ctx, query, req, res, workspace } = call;
    const accepted = req.accepts(['application/json', ...Object.keys(formats)]);
    if (accepted === false) {
      throw new AppError(
        'not_acceptable',
        'The audit trail is to be had as application/json, text/csv or application/x-ndjson.',
      );
    }
    const { limit, cursor, ...filters } = query;
    const wanted = { showsKeys: mayDo(call, 'admin'), filters };
    const below = decodeCursor('audit', cursor, z.uuid());
    const format = formats[accepted];
    if (format !== undefined) {
      await inStream(call, () => exportAudit(call, wanted, below, { type: accepted, format }));
      return null;
    }
    res.setHeader('Vary', 'Accept');
    const entries = await inTransaction(
      ctx.db,
      { workspaceId: workspace.id },
      (tx) => readAudit(tx, wanted, below, limit),
      { readOnly: true, gone: call.gone },
    );
    const { nextBelow } = entries;
    const page = pageOf(
      'audit',
      entries,
      (entry) => entry.id,
      (entry) => entry,
    );
    const nextCursor = nextBelow === null ? null : encodeCursor('audit', nextBelow);
    return { status: 200, body: { ...page, nextCursor } };
  },
});

async function exportAudit(
  call: WorkspaceCall,
  wanted: AuditWanted,
  below: string | null,
  { type, format }: { type: string; format: AuditFormat },
): Promise<void> {
  const { ctx, gone, workspace } = call;
  const headers = {
    'Content-Type': `${type}; charset=utf-8`,
    'Content-Disposition': `attachment; filename="audit-${workspace.slug}.${format}"`,
    'Cache-Control': 'no-store',
    Vary: 'Accept',
  };
  const lines = streamAudit(ctx.db, workspace.id, wanted, below, { format, gone });
  await sendPieces(call, lines, { headers, buffering: { highWaterMark: 2 } });
}

export const auditRoutes: AnyRoute[] = [listAudit];
