/** The JSON body of a call: read, parsed and checked, in slices. */
import { createHash } from 'node:crypto';
import type { Request, Response } from 'express';
import type { Config } from '../../config.ts';
import { AppError } from '../../errors.ts';
import { Slices } from '../../fairness/slices.ts';
import type { AnyRoute, Method } from '../route.ts';
import { parseJson } from './parse-json.ts';
import { announcesBody, readBody, readingFor, wantBody } from './read-body.ts';
import { requireMediaType } from './require-media-type.ts';
import { validateBody } from './validate-body.ts';

type BodyResources = Parameters<typeof readingFor>[0] & {
  config: Pick<Config, 'BODY_BYTES_MAX' | 'BODY_TIMEOUT_SECONDS'>;
};

/** Bytes of a body that are hashed in one turn at least. */
const DIGEST_BYTES = 256 * 1024;

interface BodyWanted {
  route: AnyRoute;
  /** Whose share of what bodies take it is. */
  workspaceId: string | undefined;
  /** Whether anybody asks for the digest of its bytes. */
  wantsDigest: boolean;
  /** Aborted when the caller has gone. */
  gone: AbortSignal;
}

/** The validated JSON body with the digest of its bytes; neither where the handler reads the body itself. */
export async function readJsonBody(
  resources: BodyResources,
  { route, workspaceId, wantsDigest, gone }: BodyWanted,
  req: Request,
  res: Response,
): Promise<{ body: unknown; digest: Buffer | null }> {
  if (route.method === 'get') return { body: undefined, digest: null };
  if (route.rawBody !== undefined) {
    requireMediaType(req, Object.keys(route.rawBody));
    return { body: undefined, digest: null };
  }
  if (route.body !== undefined && announcesBody(req)) requireMediaType(req, jsonTypesOf(route.method));
  if (announcesBody(req)) wantBody(req, res);
  const { BODY_BYTES_MAX, BODY_TIMEOUT_SECONDS } = resources.config;
  const bytesMax = route.bodyBytesMax ?? BODY_BYTES_MAX;
  const bytes = await readBody(
    req,
    bytesMax,
    BODY_TIMEOUT_SECONDS * 1000,
    readingFor(resources, workspaceId),
    gone,
  );
  const slices = new Slices(gone);
  const digest = wantsDigest ? await digestOf(bytes, slices) : null;
  if (route.body === undefined) return { body: undefined, digest };
  if (bytes.length === 0) {
    const absent = route.body.safeParse(undefined);
    if (absent.success) return { body: absent.data, digest };
    throw new AppError('invalid_json', {
      detail: 'The body is empty; this call takes a JSON body.',
      extensions: { line: 1, column: 1 },
    });
  }
  const parsed = await parseJson(bytes, slices);
  if (slices.areDue) await slices.next();
  return { body: await validateBody(route.body, parsed, slices), digest };
}

async function digestOf(bytes: Buffer, slices: Slices): Promise<Buffer> {
  const hash = createHash('sha256');
  for (let at = 0; at < bytes.length; at += DIGEST_BYTES) {
    if (slices.areDue) await slices.next();
    hash.update(bytes.subarray(at, at + DIGEST_BYTES));
  }
  return hash.digest();
}

function jsonTypesOf(method: Method): string[] {
  return method === 'patch' ? ['application/json', 'application/merge-patch+json'] : ['application/json'];
}
