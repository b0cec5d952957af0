/** Holds what follows from the declaration of a route alone, and checks the parameters of a request against it. */
import type { Request } from 'express';
import { z } from 'zod';
import { validateInput } from '../bodies/validate-input.ts';
import { queryOfRoute, takeFormat } from '../requests/format-query.ts';
import { queryOf } from '../requests/query-of.ts';
import { type AnyRoute, honoursIdempotencyKey } from '../route.ts';

export interface Prepared {
  route: AnyRoute;
  params: z.ZodObject;
  query: z.ZodObject;
  honoursKey: boolean;
}

export type Input = ReturnType<typeof inputOf>;

const noFields = z.strictObject({});

export function prepare(route: AnyRoute): Prepared {
  const query: z.ZodObject = queryOfRoute(route) ?? noFields;
  return {
    route,
    params: route.params ?? noFields,
    // A misspelt filter must not list everything: unknown parameters are refused unless the schema says otherwise.
    query: query.def.catchall === undefined ? query.strict() : query,
    honoursKey: honoursIdempotencyKey(route),
  };
}

/** The parameters of path and query. Throws what is wrong with them. */
export function inputOf({ params, query }: Prepared, path: Record<string, string>, req: Request) {
  const given = {
    params: validateInput(params, path, 'path'),
    query: validateInput(query, queryOf(req), 'query'),
  };
  const accept = takeFormat(given.query);
  if (accept !== null) req.headers.accept = accept;
  return given;
}
