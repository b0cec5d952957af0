/** Which values of PostgreSQL become which values of JavaScript. */
import { types } from 'pg';

export type Parser = (text: string) => unknown;
export type GetTypeParser = (oid: number, format?: 'text') => Parser;

/** Dates, times and their arrays stay text, as in MikroORM's own driver: `Date` would lose microseconds. */
const asText = new Set([1082, 1114, 1184, 1186]);
const asTextArray = new Set([1182, 1115, 1185, 1187]);
/** The parsers of `pg` know it, its list of type names does not. */
const TEXT_ARRAY = 1009 as Parameters<typeof types.getTypeParser>[0];

export function getTypeParser(oid: number, format?: 'text' | 'binary') {
  if (asText.has(oid)) return (text: string) => text;
  if (asTextArray.has(oid)) return types.getTypeParser(TEXT_ARRAY);
  return types.getTypeParser(oid, format as 'text');
}
