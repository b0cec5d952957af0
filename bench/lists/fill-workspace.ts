/** Fills a workspace of the default template: the ledger as `../stock/fill-ledger.ts` leaves it, and all else around it. */
import type { Client } from 'pg';
import { fillLedger } from '../stock/fill-ledger.ts';
import * as statements from './fill.sql.ts';
import type { Subjects } from './list-cases.ts';

const LINKS_A_PART = 3;

export async function fillWorkspace(
  client: Client,
  workspaceId: string,
  { parts, entries }: { parts: number; entries: number },
): Promise<Subjects> {
  const { busyItem, wideLocation, fromMs, toMs } = await fillLedger(client, workspaceId, entries);
  const lines = Math.ceil(entries / 50);
  const run = (sql: string, ...params: unknown[]) => client.query(sql, [workspaceId, ...params]);
  await run(statements.nameLedgerEntities);
  await run(statements.insertParts, parts);
  await run(statements.insertLinks, parts, LINKS_A_PART);
  await run(statements.insertProjects);
  await run(statements.takeMovements, lines, busyItem);
  await run(statements.insertLines);
  await run(statements.insertOrders);
  await run(statements.insertLineEntities);
  await run(statements.insertRequirements);
  await run(statements.insertRequirementEntities);
  await client.query('drop table moved');
  for (const sql of statements.insertTraces) {
    await (sql.includes('$2') ? run(sql, Math.ceil(parts / 2)) : run(sql));
  }
  return { parts, busyItem, wideLocation, fromMs, toMs };
}
