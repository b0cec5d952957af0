/**
 * Entity tags (RFC 9110 §8.8.3): strong, compared on writes and on conditional reads. A tag is the version of the resource, and a hash
 * of the body, since a body may change without a new version: the name of a part on a BOM line, the stock of a lot.
 */
import { createHash } from 'node:crypto';
import { AppError } from '../errors.ts';

export type Tags = readonly string[] | '*' | null;

/** The strong tags of an If-Match or If-None-Match header without quotes; weak ones keep their `W/`. */
export function parseTags(header: string | undefined): Tags {
  if (header === undefined) return null;
  if (header.trim() === '*') return '*';
  return [...header.matchAll(/(W\/)?"([\x21\x23-\x7e\x80-\xff]*)"/g)].map(
    ([, weak, tag]) => `${weak ?? ''}${tag}`,
  );
}

const TAG_CHARS = 22;
/** Stands between the version and the hash of the body; no version has it. */
const BODY_MARK = '.';

/** Returns the tag of a resource that has no version, or whose version would begin anew: a hash of all that is shown of it. */
export function tagOfContent(shown: object): string {
  return createHash('sha256').update(JSON.stringify(shown)).digest('base64url').slice(0, TAG_CHARS);
}

/** Returns the tag of a body that shows this version. */
export function tagOfBody(version: string, texts: readonly string[]): string {
  const hash = createHash('sha256');
  for (const text of texts) hash.update(text);
  return version + BODY_MARK + hash.digest('base64url').slice(0, TAG_CHARS / 2);
}

/** Returns the versions that the tags of an If-Match name. */
export function versionsOf(tags: Tags): Tags {
  return Array.isArray(tags) ? tags.map((tag: string) => tag.split(BODY_MARK, 1)[0] ?? tag) : tags;
}

/** Refuses with 412 when the caller's If-Match names another state of the resource than the present one. */
export function requireMatch(call: { ifMatch: Tags }, etag: string): void {
  if (call.ifMatch === null || call.ifMatch === '*' || call.ifMatch.includes(etag)) return;
  throw new AppError('precondition_failed', {
    detail: 'The resource has changed since it was read. Read it again and repeat the change.',
    headers: { ETag: `"${etag}"` },
  });
}

/** Whether a conditional read may be answered with 304: weak comparison, as RFC 9110 §13.1.2 asks. */
export function matchesNone(header: string | undefined, etag: string): boolean {
  const tags = parseTags(header);
  if (tags === null) return false;
  return tags === '*' || tags.some((tag) => tag.replace(/^W\//, '') === etag);
}
