/**
 * `/kicad/v1/…`: a read-only library for KiCad's symbol chooser, with what is on hand; `/kicad/with-symbol/v1/…` is the same without
 * parts that have no symbol. KiCad appends its paths to the address of a library, which therefore has no query.
 */
import { createHash } from 'node:crypto';
import { z } from 'zod';
import { loadConfiguration } from '../configuration/current/read-configuration.ts';
import { readPage } from '../db/read-page.ts';
import { AppError } from '../errors.ts';
import { Slices } from '../fairness/slices.ts';
import { ownAddress } from '../http/own-address.ts';
import { type AnyRoute, defineRoute, type WorkspaceCall } from '../http/route.ts';
import {
  LibraryCategory,
  LibraryFile,
  LibraryFileQuery,
  LibraryPart,
  LibraryRoot,
} from './library.schema.ts';
import {
  longLibraryColumns,
  selectLargeCategories,
  selectLibraryPart,
  selectLibraryParts,
} from './library.sql.ts';
import { hasSymbol, type LibraryRow, showLibraryPart } from './show-library-part.ts';

/** A library: where it is, what its operations are called, and what it contains. */
interface Library {
  root: string;
  suffix: '' | 'WithSymbol';
  onlyWithSymbol: boolean;
}

const base = '/api/wid/{slug}/kicad';
const WITH_SYMBOL = 'with-symbol';
const libraries: readonly Library[] = [
  { root: `${base}/v1`, suffix: '', onlyWithSymbol: false },
  { root: `${base}/${WITH_SYMBOL}/v1`, suffix: 'WithSymbol', onlyWithSymbol: true },
];
const described = ({ onlyWithSymbol }: Library) =>
  onlyWithSymbol ? ', without parts that have no symbol' : '';
const tag = 'KiCad';
/** Maximum of pages, of about a mebibyte each. */
const PAGES_MAX = 16;
const LEAST_ID = '00000000-0000-0000-0000-000000000000';
/** KiCad asks again whenever its chooser opens. */
const KEPT = { 'Cache-Control': 'private, max-age=60' };

const getLibraryRoot = (library: Library) =>
  defineRoute({
    method: 'get',
    path: `${library.root}/`,
    operationId: `getKicadRoot${library.suffix}`,
    tag,
    summary: `The root of the KiCad library${described(library)}`,
    access: 'read',
    transaction: 'none',
    answers: { 200: { description: 'Identifies the service as a library.', schema: LibraryRoot } },
    handle: async () => ({ status: 200, body: { categories: '', parts: '' } }),
  });

const downloadLibrary = defineRoute({
  method: 'get',
  path: `${base}/partbook.kicad_httplib`,
  operationId: 'downloadKicadLibrary',
  tag,
  summary: 'The file that adds the library to KiCad',
  description:
    "Contains the requesting key if that key may only read; otherwise a placeholder, because a file on designers' disks must not contain a key that can write.",
  access: 'read',
  transaction: 'none',
  query: LibraryFileQuery,
  answers: { 200: { description: 'The file.', schema: LibraryFile } },
  errors: ['invalid_header'],
  handle: async ({ req, query, workspace, areas, sessionToken }) => {
    const withSymbol = query.parts === 'withSymbol';
    const shown = req.get('authorization')?.split(' ')[1] ?? req.get('x-api-key');
    const isReader = areas.length === 1 && sessionToken === null;
    const body = {
      meta: { version: 1 },
      name: `Partbook ${workspace.slug}${withSymbol ? ', with symbols' : ''}`,
      description: 'Parts with stock on hand',
      source: {
        type: 'REST_API',
        api_version: 'v1',
        root_url: `${ownAddress(req)}/api/wid/${workspace.slug}/kicad${withSymbol ? `/${WITH_SYMBOL}` : ''}`,
        token: isReader && shown !== undefined ? shown : 'PUT A KEY THAT READS HERE',
        timeout_parts_seconds: 60,
        timeout_categories_seconds: 600,
      },
    };
    const headers = {
      'Cache-Control': 'no-store',
      'Content-Disposition': `attachment; filename="${workspace.slug}${withSymbol ? `-${WITH_SYMBOL}` : ''}.kicad_httplib"`,
    };
    return { status: 200, body, headers };
  },
});

const listLibraryCategories = (library: Library) =>
  defineRoute({
    method: 'get',
    path: `${library.root}/categories.json`,
    operationId: `listKicadCategories${library.suffix}`,
    tag,
    summary: `Categories of items, for KiCad${described(library)}`,
    access: 'read',
    transaction: 'read',
    answers: {
      200: { description: 'All categories whose entities are items.', schema: z.array(LibraryCategory) },
    },
    handle: async ({ ctx }, tx) => {
      const { categories } = await loadConfiguration(tx);
      const most = ctx.config.KICAD_PARTS_MAX;
      const items = [...categories.values()].filter(
        ({ role }) => role === 'item' || role === 'itemAndLocation',
      );
      const keys = items.map(({ key }) => key);
      const rows = await tx.query<{ key: string }>(selectLargeCategories, [tx.workspaceId, keys, most]);
      const large = new Set(rows.map(({ key }) => key));
      const names = Map.groupBy(items, ({ name }) => name);
      const body = items.map(({ key, name }) => ({
        id: idOf(key),
        // KiCad shows one of several categories with the same name.
        name: (names.get(name)?.length ?? 0) > 1 ? `${name} (${key})` : name,
        description: large.has(key) ? `Has more than ${most} parts: KiCad is shown the first ${most}.` : '',
      }));
      return { status: 200, body, headers: KEPT, etag: tagOf(body) };
    },
  });

const listLibraryParts = (library: Library) =>
  defineRoute({
    method: 'get',
    path: `${library.root}/parts/category/{file}`,
    operationId: `listKicadParts${library.suffix}`,
    tag,
    summary: `Parts of a category, for KiCad${described(library)}`,
    description:
      'Includes their fields, so that KiCad need not request each part. KiCad has no paging: the response contains the first `KICAD_PARTS_MAX` parts (10 000), at most 16 MiB. If there are more, `X-Parts-Omitted` is `true`, and the description of the category says so. The library `kicad/with-symbol` leaves out parts that have no symbol.',
    access: 'read',
    transaction: 'read',
    params: z.strictObject({
      file: z
        .string()
        .max(1024)
        .regex(/.\.json$/)
        .meta({ description: 'The id of the category, followed by `.json`.', examples: ['part.json'] }),
    }),
    answers: { 200: { description: 'The parts.', schema: z.array(LibraryPart) } },
    handle: async ({ ctx, params }: WorkspaceCall<{ file: string }>, tx) => {
      const { categories } = await loadConfiguration(tx);
      const key = [...categories.keys()].find((one) => `${idOf(one)}.json` === params.file);
      if (key === undefined) throw new AppError('not_found', 'There is no such category.');
      const limit = ctx.config.KICAD_PARTS_MAX;
      const slices = new Slices(tx.gone);
      const body: LibraryPart[] = [];
      const digest = createHash('sha256');
      let more = true;
      let after = LEAST_ID;
      for (let page = 0; more && page < PAGES_MAX && body.length < limit; page++) {
        const wanted = limit - body.length;
        const read = await readPage<LibraryRow>(
          tx,
          selectLibraryParts,
          [tx.workspaceId, key, wanted + 1, after],
          { limit: wanted, long: longLibraryColumns },
        );
        for (const row of read.rows) {
          if (slices.areDue) await slices.next();
          after = row.id;
          if (library.onlyWithSymbol && !hasSymbol(row)) continue;
          body.push(showLibraryPart(row));
          digest.update([row.id, row.version, row.on_hand, row.available, row.is_double, ''].join(' '));
          digest.update(JSON.stringify(row.sold));
        }
        more = read.more;
        if (read.rows.length === 0) break;
      }
      const headers = { ...KEPT, ...(more ? { 'X-Parts-Omitted': 'true' } : {}) };
      return {
        status: 200,
        body,
        headers,
        etag: digest.update(String(more)).digest('base64url').slice(0, 27),
      };
    },
    errors: ['not_found'],
  });

const getLibraryPart = (library: Library) =>
  defineRoute({
    method: 'get',
    path: `${library.root}/parts/{file}`,
    operationId: `getKicadPart${library.suffix}`,
    tag,
    summary: `Read a part, for KiCad${described(library)}`,
    access: 'read',
    transaction: 'read',
    params: z.strictObject({
      file: z
        .string()
        .regex(/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\.json$/)
        .meta({ description: 'The id of the part, followed by `.json`.' }),
    }),
    answers: { 200: { description: 'The part.', schema: LibraryPart } },
    errors: ['entity_not_found'],
    handle: async ({ params }, tx) => {
      const [row] = await tx.query<LibraryRow>(selectLibraryPart, [
        tx.workspaceId,
        params.file.slice(0, -'.json'.length),
      ]);
      if (row === undefined) throw new AppError('entity_not_found', 'There is no such part.');
      const body = showLibraryPart(row);
      return { status: 200, body, headers: KEPT, etag: tagOf(body) };
    },
  });

/** KiCad puts it into an address as it is. */
function idOf(key: string): string {
  return /^[A-Za-z0-9_-]+$/.test(key) ? key : `~${Buffer.from(key).toString('base64url')}`;
}

function tagOf(body: unknown): string {
  return createHash('sha256').update(JSON.stringify(body)).digest('base64url').slice(0, 27);
}

export const libraryRoutes: AnyRoute[] = [
  downloadLibrary,
  ...libraries.flatMap((library) => [
    getLibraryRoot(library),
    listLibraryCategories(library),
    listLibraryParts(library),
    getLibraryPart(library),
  ]),
];
