/** What the export of an item's whole ledger takes of the web process, read as fast as it comes. */
import { startService } from '../stock.ts';
import type { FilledLedger } from './fill-ledger.ts';
import { peakMib } from './peak-memory.ts';

export interface Exported {
  entries: number;
  perSecond: number;
  bytes: number;
  /** Of the web process: before, and at the highest point. */
  beforeMib: number;
  peakMib: number;
}

/** Throws when an entry is missing. In a web process of its own, whose highest point is that of this export. */
export async function exportCsv(
  databaseUrl: string,
  redisUrl: string,
  ledger: FilledLedger & { slug: string; key: string },
): Promise<Exported> {
  const stops: (() => Promise<unknown>)[] = [];
  try {
    const { port, pid } = await startService(databaseUrl, redisUrl, stops);
    const base = `http://127.0.0.1:${port}/api/wid/${ledger.slug}/stock/ledger/by-item/${ledger.busyItem}`;
    const headers = { Authorization: `Bearer ${ledger.key}` };
    const page = await fetch(`${base}?limit=1000`, { headers });
    if (page.status !== 200) throw new Error(await page.text());
    await page.arrayBuffer();
    const beforeMib = peakMib(pid);
    const began = performance.now();
    const answer = await fetch(base, { headers: { ...headers, Accept: 'text/csv' } });
    if (answer.status !== 200 || answer.body === null) throw new Error(`The export gave ${answer.status}`);
    let bytes = 0;
    let lines = 0;
    for await (const piece of answer.body) {
      bytes += piece.length;
      for (let at = piece.indexOf(10); at !== -1; at = piece.indexOf(10, at + 1)) lines += 1;
    }
    const perSecond = (lines - 1) / ((performance.now() - began) / 1000);
    if (lines - 1 !== ledger.busyEntries) throw new Error(`The export had ${lines - 1} entries`);
    return { entries: lines - 1, perSecond, bytes, beforeMib, peakMib: peakMib(pid) };
  } finally {
    for (const stop of stops.reverse()) await stop();
  }
}
