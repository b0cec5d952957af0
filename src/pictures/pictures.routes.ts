/** `/entities/{id}/picture` and `/pictures/{sha256}`. */
import { readBlob, storeBlob } from '../blobs/store-blob.ts';
import { inTransaction, type Tx } from '../db/transaction.ts';
import { Entity, EntityParams } from '../entities/entities.schema.ts';
import { findEntity } from '../entities/find-entity.ts';
import { patchEntity } from '../entities/patch-entity.ts';
import { resolveEntityId } from '../entities/resolve-entity.ts';
import { showEntity } from '../entities/show-entity.ts';
import { AppError } from '../errors.ts';
import type { Answer } from '../http/answer.ts';
import { readBody, readingFor, wantBody } from '../http/bodies/read-body.ts';
import { matchesNone } from '../http/entity-tag.ts';
import { type AnyRoute, defineRoute, type WorkspaceCall } from '../http/route.ts';
import { Picture, PictureParams, PictureQuery, type PictureSize } from './pictures.schema.ts';
import { selectPictureOf } from './pictures.sql.ts';

const tag = 'Pictures';
const ofEntity = '/api/wid/{slug}/entities/{id}/picture';
const byHash = '/api/wid/{slug}/pictures/{sha256}';

/** Media types of uploads; the bytes decide, not this header. */
const uploads = {
  'image/png': 'A PNG file.',
  'image/jpeg': 'A JPEG file.',
  'image/webp': 'A WebP file; of an animation the first frame.',
};
const image = {
  description: 'The picture.',
  alternatives: { 'image/webp': 'A rendition.', 'image/png': 'The file.', 'image/jpeg': 'The file.' },
};
const limits =
  'PNG, JPEG or WebP, at most 10 MiB (`PICTURE_BYTES_MAX`), 100 megapixels (50 if progressive or interlaced) and 30 000 pixels a side. Anything else is refused as `picture_unreadable`, with the reason.';
const uploadErrors = [
  'picture_unreadable',
  'payload_too_large',
  'storage_full',
  'invalid_encoding',
  'incomplete_body',
] as const;

/** Content never changes under its hash, so a browser need not ask again. */
const IMMUTABLE = 'private, max-age=31536000, immutable';
const REVALIDATED = 'private, no-cache';

async function answerPicture(
  tx: Tx,
  sha256: string,
  { size, ifNoneMatch, cached }: { size: PictureSize; ifNoneMatch: string | undefined; cached: string },
): Promise<Answer> {
  const etag = size === 'original' ? sha256 : `${sha256}-${size}`;
  const headers = { 'Cache-Control': cached };
  // `sendAnswer` makes a 304 of it: the content is not read for that.
  if (matchesNone(ifNoneMatch, etag)) return { status: 200, bytes: Buffer.alloc(0), etag, headers };
  const found = await readBlob(tx, sha256, size === 'original' ? size : `w${size}`);
  if (found === null)
    throw new AppError('picture_not_found', `There is no picture ${sha256} in this workspace.`);
  return {
    status: 200,
    bytes: found.content,
    etag,
    headers: { ...headers, 'Content-Type': found.mediaType },
  };
}

/**
 * Receives the body of an upload, decodes it in a thread and stores it with its renditions. `expected` is the hash that the bytes must have. Throws `picture_unreadable`, `storage_full`,
 * `payload_too_large` and what reading a body throws.
 */
function receivePicture(
  { ctx, req, res, workspace, gone }: WorkspaceCall,
  expected: string | null = null,
): Promise<Picture> {
  const { PICTURE_BYTES_MAX, PICTURES_BYTES_MAX, BODY_TIMEOUT_SECONDS } = ctx.config;
  return ctx.pictures.inTurn(workspace.id, gone, async () => {
    wantBody(req, res);
    const reading = {
      ...readingFor(ctx, workspace.id),
      wayRound: 'Send a smaller picture: renditions have at most 1024 pixels a side.',
    };
    const bytes = await readBody(req, PICTURE_BYTES_MAX, BODY_TIMEOUT_SECONDS * 1000, reading, gone);
    const rendered = await ctx.pictures.run(bytes);
    if ('refusal' in rendered) throw unreadable(rendered.refusal);
    const { sha256, mediaType, width, height, renditions } = rendered;
    if (expected !== null && expected !== sha256)
      throw unreadable(`Its SHA-256 is ${sha256}, not ${expected} as in the path.`);
    const picture = { sha256, mediaType, bytes: bytes.length, width, height };
    const contents = [
      { form: 'original', mediaType, content: bytes },
      ...renditions.map(({ size, content }) => ({ form: `w${size}`, mediaType: 'image/webp', content })),
    ];
    await inTransaction(ctx.db, { workspaceId: workspace.id }, (tx) =>
      storeBlob(tx, picture, contents, PICTURES_BYTES_MAX),
    );
    return picture;
  });
}

function unreadable(reason: string): AppError {
  return new AppError('picture_unreadable', {
    detail: `The body cannot be taken as a picture. ${reason} Send a PNG, JPEG or WebP file.`,
  });
}

const getEntityPicture = defineRoute({
  method: 'get',
  path: ofEntity,
  operationId: 'getEntityPicture',
  tag,
  summary: 'Read the picture of an entity',
  description:
    'The response has an ETag; send it as `If-None-Match` to get 304 if the picture is still the same. `GET /pictures/{sha256}` reads a picture by its hash, which never changes.',
  access: 'read',
  transaction: 'read',
  params: EntityParams,
  query: PictureQuery,
  answers: { 200: image },
  errors: ['entity_not_found', 'picture_not_found'],
  handle: async ({ params, query, req }, tx) => {
    const id = await resolveEntityId(tx, params.id);
    const [row] = await tx.query<{ picture: string | null }>(selectPictureOf, [tx.workspaceId, id]);
    const picture = row?.picture ?? null;
    if (picture === null) throw new AppError('picture_not_found', 'The entity has no picture.');
    const ifNoneMatch = req.get('if-none-match');
    return answerPicture(tx, picture, { size: query.size, ifNoneMatch, cached: REVALIDATED });
  },
});

const putEntityPicture = defineRoute({
  method: 'put',
  path: ofEntity,
  operationId: 'setEntityPicture',
  tag,
  summary: 'Upload the picture of an entity',
  description: `Replaces the picture that it has. ${limits} Renditions of 64, 256 and 1024 pixels are made of it. The same file again changes nothing. For a released entity a new revision is opened, and the released one keeps its picture.`,
  access: 'engineering',
  // Receiving and decoding take their time; each step has a transaction of its own.
  transaction: 'none',
  params: EntityParams,
  rawBody: uploads,
  answers: { 200: { description: 'The entity with its picture.', schema: Entity } },
  errors: ['entity_not_found', 'picture_not_found', ...uploadErrors],
  handle: async (call) => {
    const { ctx, workspace, params, actor } = call;
    const scope = { workspaceId: workspace.id };
    const id = await inTransaction(ctx.db, scope, (tx) => resolveEntityId(tx, params.id), { readOnly: true });
    const { sha256 } = await receivePicture(call);
    return inTransaction(ctx.db, scope, async (tx) => {
      await patchEntity(tx, actor, id, { picture: sha256 }, { limits: ctx.config });
      const row = await findEntity(tx, id);
      return { status: 200, body: showEntity(row), etag: String(row.version) };
    });
  },
});

const deleteEntityPicture = defineRoute({
  method: 'delete',
  path: ofEntity,
  operationId: 'deleteEntityPicture',
  tag,
  summary: 'Remove the picture of an entity',
  description:
    'An entity without a picture stays as it is. For a released entity a new revision is opened, and the released one keeps its picture.',
  access: 'engineering',
  transaction: 'write',
  params: EntityParams,
  answers: { 200: { description: 'The entity without a picture.', schema: Entity } },
  errors: ['entity_not_found'],
  handle: async ({ ctx, params, actor }, tx) => {
    const changed = await patchEntity(tx, actor, params.id, { picture: null }, { limits: ctx.config });
    const row = await findEntity(tx, changed.row.id);
    return { status: 200, body: showEntity(row), etag: String(row.version) };
  },
});

const getPicture = defineRoute({
  method: 'get',
  path: byHash,
  operationId: 'getPicture',
  tag,
  summary: 'Read a picture by its hash',
  description:
    'Also of pictures that only earlier revisions have. The content of a hash never changes, so a browser may keep it. `HEAD` tells whether the picture is stored.',
  access: 'read',
  transaction: 'read',
  params: PictureParams,
  query: PictureQuery,
  answers: { 200: image },
  errors: ['picture_not_found'],
  handle: ({ params, query, req }, tx) =>
    answerPicture(tx, params.sha256, {
      size: query.size,
      ifNoneMatch: req.get('if-none-match'),
      cached: IMMUTABLE,
    }),
});

const putPicture = defineRoute({
  method: 'put',
  path: byHash,
  operationId: 'uploadPicture',
  tag,
  summary: 'Upload a picture by its hash',
  description: `Stores a picture, which \`PATCH /entities/{id}\` gives to entities by its hash (\`picture\`): one upload serves many parts. ${limits} Bytes with another hash are refused too. A picture that no entity refers to is deleted after \`PICTURE_RETENTION_DAYS\` (7).`,
  access: 'engineering',
  transaction: 'none',
  params: PictureParams,
  rawBody: uploads,
  answers: { 200: { description: 'The stored picture.', schema: Picture } },
  errors: [...uploadErrors],
  handle: async (call) => ({ status: 200, body: await receivePicture(call, call.params.sha256) }),
});

export const pictureRoutes: AnyRoute[] = [
  getEntityPicture,
  putEntityPicture,
  deleteEntityPicture,
  getPicture,
  putPicture,
];
