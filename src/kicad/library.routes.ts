/** `/kicad/v1/…`: a read-only library for KiCad's symbol chooser, with what is on hand. */
import { createHash } from 'node:crypto';
import { z } from 'zod';
import { loadConfiguration } from '../configuration/current/read-configuration.ts';
import { readPage } from '../db/read-page.ts';
import { AppError } from '../errors.ts';
import { type AnyRoute, defineRoute, type WorkspaceCall } from '../http/route.ts';
import { Slices } from '../slices.ts';
import { LibraryCategory, LibraryPart, LibraryRoot } from './library.schema.ts';
import { longLibraryColumns, selectLibraryPart, selectLibraryParts } from './library.sql.ts';
import { type LibraryRow, showLibraryPart } from './show-library-part.ts';

const root = '/api/wid/{slug}/kicad/v1';
const tag = 'KiCad';
/** KiCad asks again whenever its chooser opens. */
const KEPT = { 'Cache-Control': 'private, max-age=60' };

const getLibraryRoot = defineRoute({
  method: 'get',
  path: `${root}/`,
  operationId: 'getKicadRoot',
  tag,
  summary: 'The root of the KiCad library',
  access: 'read',
  transaction: 'none',
  answers: { 200: { description: 'That this is a library.', schema: LibraryRoot } },
  handle: async () => ({ status: 200, body: { categories: '', parts: '' } }),
});

const listLibraryCategories = defineRoute({
  method: 'get',
  path: `${root}/categories.json`,
  operationId: 'listKicadCategories',
  tag,
  summary: 'Categories of items, for KiCad',
  access: 'read',
  transaction: 'read',
  answers: {
    200: { description: 'All categories whose entities are items.', schema: z.array(LibraryCategory) },
  },
  handle: async (_call, tx) => {
    const { categories } = await loadConfiguration(tx);
    const items = [...categories.values()].filter(
      ({ role }) => role === 'item' || role === 'itemAndLocation',
    );
    const body = items.map(({ key, name }) => ({ id: idOf(key), name, description: '' }));
    return { status: 200, body, headers: KEPT, etag: tagOf(body) };
  },
});

const listLibraryParts = defineRoute({
  method: 'get',
  path: `${root}/parts/category/{file}`,
  operationId: 'listKicadParts',
  tag,
  summary: 'Parts of a category, for KiCad',
  description:
    'With their fields, so that KiCad need not ask for each. There are no pages; the first parts are answered up to a limit.',
  access: 'read',
  transaction: 'read',
  params: z.strictObject({
    file: z
      .string()
      .max(1024)
      .regex(/.\.json$/)
      .meta({ description: 'The id of the category, and `.json`.', examples: ['part.json'] }),
  }),
  answers: { 200: { description: 'The parts.', schema: z.array(LibraryPart) } },
  handle: async ({ ctx, params }: WorkspaceCall<{ file: string }>, tx) => {
    const { categories } = await loadConfiguration(tx);
    const key = [...categories.keys()].find((one) => `${idOf(one)}.json` === params.file);
    if (key === undefined) throw new AppError('not_found', 'There is no such category.');
    const limit = ctx.config.KICAD_PARTS_MAX;
    const { rows } = await readPage<LibraryRow>(tx, selectLibraryParts, [tx.workspaceId, key, limit], {
      limit,
      long: longLibraryColumns,
    });
    const slices = new Slices(tx.gone);
    const body: LibraryPart[] = [];
    const digest = createHash('sha256');
    for (const row of rows) {
      if (slices.areDue) await slices.next();
      body.push(showLibraryPart(row));
      digest.update([row.id, row.version, row.on_hand, row.available, row.is_double, ''].join(' '));
    }
    return { status: 200, body, headers: KEPT, etag: digest.digest('base64url').slice(0, 27) };
  },
  errors: ['not_found'],
});

const getLibraryPart = defineRoute({
  method: 'get',
  path: `${root}/parts/{file}`,
  operationId: 'getKicadPart',
  tag,
  summary: 'One part, for KiCad',
  access: 'read',
  transaction: 'read',
  params: z.strictObject({
    file: z
      .string()
      .regex(/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\.json$/)
      .meta({ description: 'The id of the part, and `.json`.' }),
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
  getLibraryRoot,
  listLibraryCategories,
  listLibraryParts,
  getLibraryPart,
];
