/** `/orders/{id}/document` and `/order-template`: an order as PDF or CSV, by the template of the workspace (contract §4.5). */
import { lockConfiguration } from '../../configuration/lock-configuration.ts';
import { inTransaction } from '../../db/transaction.ts';
import { AppError } from '../../errors.ts';
import { requireMatch } from '../../http/entity-tag.ts';
import { type AnyRoute, defineRoute } from '../../http/route.ts';
import { OrderParams } from '../records/orders.schema.ts';
import { csvOf, readOrderDocument } from './order-document.ts';
import { NewOrderTemplate, OrderTemplate } from './order-template.schema.ts';
import { readTemplate, replaceTemplate } from './order-template.ts';

const path = '/api/wid/{slug}/order-template';

const getDocument = defineRoute({
  method: 'get',
  path: '/api/wid/{slug}/orders/{id}/document',
  operationId: 'getOrderDocument',
  tag: 'Procurement',
  summary: 'An order as PDF or CSV',
  description:
    'Printed by the template of the workspace (`/order-template`); cancelled lines are left out. PDF unless `Accept` or `format` asks for CSV. A PDF prints Latin, Greek, Cyrillic, Vietnamese, Chinese, Japanese, Korean, Hebrew and Arabic text and emoji; another character is printed as a box and named by its code below the lines, and is in the CSV.',
  access: 'read',
  // A thread draws it when the connection has been given back.
  transaction: 'none',
  params: OrderParams,
  answers: {
    200: {
      description: 'The document.',
      alternatives: {
        'application/pdf': 'Pages to print or send.',
        'text/csv': 'One row per line, with a header line.',
      },
    },
  },
  errors: ['order_not_found', 'document_too_large', 'not_acceptable', 'invalid_header'],
  handle: async ({ ctx, req, params, workspace, gone }) => {
    const accepted = req.accepts(['application/pdf', 'text/csv']);
    if (accepted === false)
      throw new AppError('not_acceptable', 'An order can be had as application/pdf or text/csv.');
    const { name, document } = await inTransaction(
      ctx.db,
      { workspaceId: workspace.id },
      (tx) => readOrderDocument(tx, params.id),
      { readOnly: true, gone },
    );
    const isCsv = accepted === 'text/csv';
    const bytes = isCsv
      ? Buffer.from(csvOf(document))
      : Buffer.from(
          await ctx.documents.inTurn(workspace.id, gone, () => printed(ctx.documents.run(document))),
        );
    return {
      status: 200,
      bytes,
      headers: {
        'Content-Type': isCsv ? 'text/csv; charset=utf-8' : 'application/pdf',
        'Content-Disposition': `attachment; filename="${name}.${isCsv ? 'csv' : 'pdf'}"`,
        'Cache-Control': 'no-store',
        Vary: 'Accept',
      },
    };
  },
});

/** Throws `document_too_large` where the thread that prints has too little memory for the texts of the order. */
async function printed<Printed>(printing: Promise<Printed>): Promise<Printed> {
  try {
    return await printing;
  } catch (error) {
    if ((error as { code?: unknown } | null)?.code !== 'ERR_WORKER_OUT_OF_MEMORY') throw error;
    throw new AppError(
      'document_too_large',
      'The lines and texts of the order take more memory than printing has. Order in parts, or read the order as CSV (`Accept: text/csv`).',
    );
  }
}

const getTemplate = defineRoute({
  method: 'get',
  path,
  operationId: 'getOrderTemplate',
  tag: 'Procurement',
  summary: 'Read the template of printed orders',
  access: 'read',
  transaction: 'read',
  answers: { 200: { description: 'The template.', schema: OrderTemplate } },
  handle: async (_, tx) => {
    const { template, version } = await readTemplate(tx);
    return { status: 200, body: template, etag: String(version) };
  },
});

const putTemplate = defineRoute({
  method: 'put',
  path,
  operationId: 'replaceOrderTemplate',
  tag: 'Procurement',
  summary: 'Replace the template of printed orders',
  description: 'The audit trail keeps the previous template.',
  access: 'configuration',
  transaction: 'write',
  body: NewOrderTemplate,
  answers: { 200: { description: 'The changed template.', schema: OrderTemplate } },
  handle: async (call, tx) => {
    await lockConfiguration(tx);
    const { template, version } = await readTemplate(tx);
    requireMatch(call, String(version));
    await replaceTemplate(tx, call.actor, template, call.body);
    const after = await readTemplate(tx);
    return { status: 200, body: after.template, etag: String(after.version) };
  },
});

export const documentRoutes: readonly AnyRoute[] = [getDocument, getTemplate, putTemplate];
