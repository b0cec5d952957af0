/** The strong entity tag of a row of configuration. */

/**
 * Its version, and when the row was made: a key that was deleted and made again starts at version 1 once
 * more, and must not pass for the old one.
 */
export function versionTag(row: { version: number; createdAt: Date }): string {
  return `${row.version}-${row.createdAt.getTime().toString(36)}`;
}
