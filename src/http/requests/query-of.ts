/** The query of a request. */
import type { Request } from 'express';

/** Each parameter once as a string; one that is repeated as an array, for the schema to judge. */
export function queryOf(req: Request): Record<string, string | string[]> {
  const start = req.originalUrl.indexOf('?');
  const given = new URLSearchParams(start === -1 ? '' : req.originalUrl.slice(start + 1));
  return Object.fromEntries(
    [...new Set(given.keys())].map((name) => {
      const values = given.getAll(name);
      return [name, values.length === 1 ? (values[0] as string) : values];
    }),
  );
}
