/**
 * A link cannot say what it accepts: `?format=csv` stands for `Accept: text/csv`, on every call that answers in several
 * forms.
 */
import { z } from 'zod';
import type { AnyRoute } from '../route.ts';

const mediaTypes = {
  json: 'application/json',
  csv: 'text/csv',
  ndjson: 'application/x-ndjson',
  pdf: 'application/pdf',
} as const;
type Format = keyof typeof mediaTypes;

/** Returns the formats that the route can answer in. */
function formatsOf(route: AnyRoute): Format[] {
  const alternatives = Object.values(route.answers).flatMap((answer) =>
    Object.keys(answer.alternatives ?? {}),
  );
  const formats = (['pdf', 'csv', 'ndjson'] as const).filter((format) =>
    alternatives.includes(mediaTypes[format]),
  );
  const isJson = Object.values(route.answers).some(({ schema }) => schema !== undefined);
  return formats.length === 0 || !isJson ? formats : ['json', ...formats];
}

/** The route's query, with `format` where it has a choice of forms. */
export function queryOfRoute(route: AnyRoute): z.ZodObject | undefined {
  const formats = formatsOf(route);
  if (formats.length === 0) return route.query;
  return (route.query ?? z.strictObject({})).extend({
    format: z.enum(formats).optional().meta({
      description: 'The format of the response as a download, for links that cannot send `Accept`.',
    }),
  });
}

/** Removes `format` from the query and returns the media type that it stands for; null if it is absent. */
export function takeFormat(query: Record<string, unknown>): string | null {
  const { format } = query;
  delete query.format;
  return typeof format === 'string' && Object.hasOwn(mediaTypes, format)
    ? mediaTypes[format as Format]
    : null;
}
