/** Times as PostgreSQL writes them, in the API's form. */

/** RFC 3339 UTC with milliseconds from a `timestamptz` in text form (the connections' time zone is UTC). */
export function rfc3339(timestamp: string): string {
  return new Date(timestamp).toISOString();
}
