/** A path into a JSON value as an RFC 6901 pointer; the empty path is the whole value. */
export function pointerOf(path: readonly PropertyKey[]): string {
  return path
    .map((part) => `/${String(part).toWellFormed().replaceAll('~', '~0').replaceAll('/', '~1')}`)
    .join('');
}
