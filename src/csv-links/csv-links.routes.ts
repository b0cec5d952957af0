/** CSV links: addresses that a spreadsheet, which sends no header, reads one list by. */
import { z } from 'zod';
import { requireProof } from '../access/proof/require-proof.ts';
import { readPage } from '../db/read-page.ts';
import { inTransaction } from '../db/transaction.ts';
import { AppError } from '../errors.ts';
import { ShareError } from '../fairness/fair-share.ts';
import { sendTable } from '../http/answers/send-table.ts';
import { invalidInput } from '../http/bodies/validate-input.ts';
import { requireMatch } from '../http/entity-tag.ts';
import { decodeCursor, ListQuery, listOf, pageOf } from '../http/list.ts';
import { ownAddress } from '../http/own-address.ts';
import { type AnyRoute, defineRoute } from '../http/route.ts';
import { createCsvLink } from './create-csv-link.ts';
import { CreatedCsvLink, CsvLink, NewCsvLink } from './csv-link.schema.ts';
import { type CsvLinkRow, selectCsvLinks } from './csv-links.sql.ts';
import { findCsvLink } from './find-csv-link.ts';
import { revokeCsvLink } from './revoke-csv-link.ts';
import { csvLinkTag, showCsvLink } from './show-csv-link.ts';
import { tableLines, tableOf, withinBytes } from './table-lines.ts';

const tag = 'CSV links';
const collection = '/api/wid/{slug}/csv-links';
const single = `${collection}/{id}`;
const LinkParams = z.object({ id: z.uuid() });

const list = defineRoute({
  method: 'get',
  path: collection,
  operationId: 'listCsvLinks',
  tag,
  summary: 'List CSV links, newest first',
  description:
    'Includes expired links and the newest revoked ones, but not their secrets, which are stored nowhere.',
  access: 'admin',
  transaction: 'read',
  query: ListQuery,
  answers: { 200: { description: 'A page of links.', schema: listOf(CsvLink) } },
  handle: async ({ workspace, query }, tx) => {
    const after = decodeCursor('csv-links', query.cursor, z.uuid());
    const page = await readPage<CsvLinkRow>(tx, selectCsvLinks, [workspace.id, after, query.limit + 1], {
      limit: query.limit,
      long: ['weight', 'name', 'created_by_name'],
    });
    return { status: 200, body: pageOf('csv-links', page, (row) => row.id, showCsvLink) };
  },
});

const create = defineRoute({
  method: 'post',
  path: collection,
  operationId: 'createCsvLink',
  tag,
  summary: 'Create a CSV link',
  description:
    'The response contains the address, which is shown only once. Anybody who has it can read the list, and nothing else, until the link expires or is revoked.',
  access: 'admin',
  transaction: 'write',
  body: NewCsvLink,
  answers: { 201: { description: 'The link was created.', schema: CreatedCsvLink } },
  errors: ['proof_needed', 'configuration_full', 'unknown_property', 'invalid_condition', 'view_not_found'],
  before: requireProof,
  handle: async ({ ctx, actor, workspace, body, req }, tx) => {
    if (body.expiresAt !== null && Date.parse(body.expiresAt) <= Date.now()) {
      throw invalidInput([
        { pointer: '/expiresAt', code: 'in_the_past', message: 'Must lie in the future.' },
      ]);
    }
    const root = `${ownAddress(req)}/api/wid/${workspace.slug}`;
    const { link, token } = await createCsvLink(tx, actor, body, ctx.config.CSV_LINKS_MAX);
    return {
      status: 201,
      body: { ...link, url: `${root}/csv/${token}.csv` },
      etag: csvLinkTag(link),
      headers: { Location: `/api/wid/${workspace.slug}/csv-links/${link.id}` },
    };
  },
});

const read = defineRoute({
  method: 'get',
  path: single,
  operationId: 'getCsvLink',
  tag,
  summary: 'Read a CSV link',
  access: 'admin',
  transaction: 'read',
  params: LinkParams,
  answers: { 200: { description: "The link's attributes.", schema: CsvLink } },
  errors: ['csv_link_not_found'],
  handle: async ({ params }, tx) => {
    const link = await findCsvLink(tx, params.id);
    return { status: 200, body: link, etag: csvLinkTag(link) };
  },
});

const revoke = defineRoute({
  method: 'delete',
  path: single,
  operationId: 'revokeCsvLink',
  tag,
  summary: 'Revoke a CSV link',
  description: 'The link is refused from the next request on, in every process. Running downloads end.',
  access: 'admin',
  transaction: 'write',
  params: LinkParams,
  answers: { 204: { description: 'The link is revoked.' } },
  errors: ['csv_link_not_found'],
  handle: async (call, tx) => {
    await revokeCsvLink(tx, call.actor, call.params.id, {
      check: (before) => requireMatch(call, csvLinkTag(before)),
      revokedMax: call.ctx.config.REVOKED_CSV_LINKS_MAX,
    });
    return { status: 204 };
  },
});

const download = defineRoute({
  method: 'get',
  path: '/api/wid/{slug}/csv/{token}',
  operationId: 'readCsvLink',
  tag,
  summary: 'Fetch the table of a CSV link',
  description:
    'Needs no key, only the link. Texts that look like formulas are prefixed with an apostrophe. The table is not a snapshot of one moment: each page is read when its turn comes. The download ends when the link is revoked, and is limited in bytes and time.',
  access: 'csvLink',
  transaction: 'none',
  params: z.object({
    token: z
      .string()
      .max(255)
      .meta({ description: 'The secret of the link, optionally followed by `.csv`.' }),
  }),
  answers: {
    200: { description: 'The table.', alternatives: { 'text/csv': 'One row per line, with a header line.' } },
  },
  errors: ['not_acceptable', 'too_many_streams', 'too_many_to_sort', 'table_too_large', 'view_not_found'],
  handle: async (call) => {
    const { ctx, req, res, workspace, linkId, gone } = call;
    const { CSV_LINK_BYTES_MAX, CSV_LINK_SECONDS } = ctx.config;
    if (req.accepts('text/csv') === false)
      throw new AppError('not_acceptable', 'The table is to be had as text/csv.');
    const table = await inTransaction(
      ctx.db,
      { workspaceId: workspace.id },
      async (tx) => tableOf(tx, (await findCsvLink(tx, linkId)).table),
      {
        readOnly: true,
        gone,
      },
    );
    // Cut off whoever reads too slowly too: half a table must not pass as whole.
    const late = setTimeout(() => res.destroy(), CSV_LINK_SECONDS * 1000);
    try {
      return await ctx.linkDownloads.run(linkId, () => {
        const lines = withinBytes(tableLines(ctx.db, workspace.id, table, gone), CSV_LINK_BYTES_MAX);
        return sendTable(call, `${table.of}-${workspace.slug}.csv`, lines);
      });
    } catch (error) {
      if (!(error instanceof ShareError) || error.share !== ctx.linkDownloads) throw error;
      throw new AppError('too_many_streams', {
        detail: 'This link is being fetched as often at once as it can be. Try again.',
        headers: { 'Retry-After': '5' },
        cause: error,
      });
    } finally {
      clearTimeout(late);
    }
  },
});

export const csvLinkRoutes: readonly AnyRoute[] = [list, create, read, revoke, download];
