/** Returns the version in the entity tag of an answer, without the hash of the body; null without a tag. */
export function versionOf({ headers }: { headers: Headers }): string | null {
  return headers.get('etag')?.match(/^"([^".]*)/)?.[1] ?? null;
}
