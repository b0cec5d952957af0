/** What callers were told, held against what is stored. */
import type { Client } from 'pg';
import { pino } from 'pino';
import { connectDb } from '../../src/db/connect.ts';
import { verifyLedger } from '../../src/stock/verify-ledger.ts';
import type { Load } from './callers.ts';
import { selectBatches, selectEntries, selectNames, selectPositions } from './stored.sql.ts';

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
