/** Receives the body of an upload, decodes it in a thread and stores it with its renditions. */
import { storeBlob } from '../blobs/store-blob.ts';
import { inTransaction } from '../db/transaction.ts';
import { AppError } from '../errors.ts';
import { readBody, readingFor, wantBody } from '../http/bodies/read-body.ts';
import type { WorkspaceCall } from '../http/route.ts';
import type { Picture } from './pictures.schema.ts';

/**
 * Returns what is stored. `expected` is the hash that the bytes must have. Throws `picture_unreadable`, `storage_full`,
 * `payload_too_large` and what reading a body throws.
 */
export function receivePicture(
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
    const rendered = await ctx.pictures.render(bytes);
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
