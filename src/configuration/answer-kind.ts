/** The answers of the routes of categories, lifecycles and property definitions. */
import { z } from 'zod';
import type { Workspace } from '../actor.ts';
import { readPage } from '../db/read-page.ts';
import type { Tx } from '../db/transaction.ts';
import { requireMatch, type Tags } from '../http/entity-tag.ts';
import { decodeCursor, type ListQuery, pageOf } from '../http/list.ts';
import { selectKeys } from './configuration.sql.ts';
import { findByKey, type KeyedRow, type Kind } from './kind.ts';
import { lockConfiguration } from './lock-configuration.ts';

/** Making objects of them is one turn of the event loop. */
const ROWS_AT_ONCE = 250;

/**
 * The strong entity tag of a row of configuration: its version, and when the row was made. A key that was deleted and
 * made again starts at version 1 once more, and must not pass for the old one.
 */
export function versionTag(row: { version: number; createdAt: Date }): string {
  return `${row.version}-${row.createdAt.getTime().toString(36)}`;
}

/** A page, in order of the keys. Throws `invalid_cursor`. */
export async function pageOfKind<Row extends KeyedRow, Shown extends object>(
  tx: Tx,
  kind: Kind<Row, Shown>,
  query: ListQuery,
) {
  const after = decodeCursor(kind.collection, query.cursor, z.string());
  const page = await readPage<{ key: string }>(
    tx,
    selectKeys(kind.table),
    [tx.workspaceId, after, query.limit + 1],
    { limit: query.limit, long: kind.long, columns: 'r.key' },
  );
  const rows: Row[] = [];
  for (let from = 0; from < page.rows.length; from += ROWS_AT_ONCE) {
    const keys = page.rows.slice(from, from + ROWS_AT_ONCE).map(({ key }) => key);
    rows.push(...(await kind.find(tx, keys)));
  }
  const body = pageOf(kind.collection, { rows, more: page.more }, (row) => row.key, kind.show);
  return { status: 200 as const, body };
}

export function shown<Row extends KeyedRow, Shown extends object>(kind: Kind<Row, Shown>, row: Row) {
  return { status: 200 as const, body: kind.show(row), etag: versionTag(row) };
}

export function created<Row extends KeyedRow, Shown extends object>(
  { slug }: Workspace,
  kind: Kind<Row, Shown>,
  row: Row,
) {
  const headers = { Location: `/api/wid/${slug}/${kind.collection}/${encodeURIComponent(row.key)}` };
  return { status: 201 as const, body: kind.show(row), etag: versionTag(row), headers };
}

/** The row that a call changes, under the configuration lock. Throws `not_found`, `precondition_failed`. */
export async function takeRow<Row extends KeyedRow, Shown extends object>(
  tx: Tx,
  kind: Kind<Row, Shown>,
  call: { params: { key: string }; ifMatch: Tags },
): Promise<Row> {
  await lockConfiguration(tx);
  const row = await findByKey(tx, kind, call.params.key);
  requireMatch(call, versionTag(row));
  return row;
}
