/** What callers were told, held against what is stored. */
import type { Client } from 'pg';
import { pino } from 'pino';
import { connectDb } from '../../src/db/connect.ts';
import { verifyLedger } from '../../src/stock/ledger/verify-ledger.ts';
import type { Load } from './callers.ts';
import {
  selectBatches,
  selectBook,
  selectEntries,
  selectNames,
  selectNow,
  selectPositions,
  selectSearched,
} from './stored.sql.ts';

/** What callers leave alone, as it was at a moment. */
export interface Book {
  until: string;
  tables: Record<string, { rows: number; sum: string | null }>;
}

/** Of now, or of what there was at the moment of an earlier one. */
export async function bookOf(owner: Client, id: string, earlier?: Book): Promise<Book> {
  const until = earlier?.until ?? (await owner.query<{ now: string }>(selectNow)).rows[0]?.now ?? '';
  const { rows } = await owner.query(selectBook, [id, until]);
  return {
    until,
    tables: Object.fromEntries(rows.map(({ table_name, rows, sum }) => [table_name, { rows, sum }])),
  };
}

/** As sentences. */
export function differences(before: Book, after: Book): string[] {
  return Object.entries(before.tables).flatMap(([table, { rows, sum }]) => {
    const now = after.tables[table];
    if (now?.rows !== rows) return [`${now?.rows} rows of ${table} instead of ${rows}`];
    return now.sum === sum ? [] : [`other rows of ${table}`];
  });
}

/** What was acknowledged and is not there, or is there twice, as sentences. */
export async function lostOf(
  { serviceUrl, owner }: { serviceUrl: string; owner: Client },
  id: string,
  items: readonly string[],
  load: Load,
): Promise<string[]> {
  const lost: string[] = [];
  const [stored] = (await owner.query(selectEntries, [id, load.entries])).rows;
  if (stored.found !== load.entries.length || stored.all !== load.entries.length)
    lost.push(
      `${load.entries.length} adjustments acknowledged, ${stored.found} of them and ${stored.all} in all found`,
    );
  const positions = (await owner.query(selectPositions, [id, items])).rows;
  const onHand = positions.reduce((sum: number, { count }: { count: number }) => sum + count, 0);
  if (onHand !== load.entries.length) lost.push(`${onHand} on hand of ${load.entries.length}`);
  const deadline = performance.now() + 60_000;
  for (;;) {
    const [batches] = (await owner.query(selectBatches, [id, load.batches])).rows;
    if (batches.completed === load.batches.length) break;
    if (performance.now() < deadline) {
      await new Promise((resolve) => setTimeout(resolve, 200));
      continue;
    }
    lost.push(`${batches.completed} of ${load.batches.length} batches completed`);
    break;
  }
  const [searched] = (await owner.query(selectSearched, [id])).rows;
  if (searched.found !== searched.entities)
    lost.push(`${searched.found} of ${searched.entities} entities are found by a search`);
  const guids = [...load.names.keys()];
  const [named] = (await owner.query(selectNames, [id, guids, guids.map((guid) => load.names.get(guid))]))
    .rows;
  if (named.same !== guids.length)
    lost.push(`${named.same} of ${guids.length} parts are as they were sent last`);
  const db = await connectDb({
    url: serviceUrl,
    poolMax: 2,
    applicationName: 'bench',
    log: pino({ level: 'silent' }),
  });
  try {
    const { ok, problems } = await verifyLedger(db, id);
    if (!ok) lost.push(`the ledger does not verify: ${JSON.stringify(problems.slice(0, 3))}`);
  } finally {
    await db.close();
  }
  return lost;
}
