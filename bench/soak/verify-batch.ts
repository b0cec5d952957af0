/** A batch that was acknowledged ends, and reports every element once, in payload order. */
import { setTimeout as delay } from 'node:timers/promises';
import type { Counts, Element } from './book.ts';
import type { Client } from './client.ts';

const PAUSE_MS = 50;

interface Batch {
  batchId: string;
  status: string;
  counts: Record<string, number>;
}

interface ResultPage {
  items: { guid: string; index: number; result: keyof Counts }[];
  nextCursor: string | null;
}

export async function untilEnded(client: Client, batchId: string, deadlineMs: number): Promise<void> {
  const deadline = Date.now() + deadlineMs;
  for (;;) {
    const batch = await client.ask<Batch>(`/pdm/sync/batches/${batchId}`);
    if (batch.status === 'completed') return;
    if (batch.status !== 'queued' && batch.status !== 'processing')
      throw new Error(`The batch did not complete: ${JSON.stringify(batch)}`);
    if (Date.now() > deadline) throw new Error(`The batch never ended: ${JSON.stringify(batch)}`);
    await delay(PAUSE_MS);
  }
}

export async function verifyBatch(
  client: Client,
  batchId: string,
  elements: readonly Element[],
  expected: Counts,
): Promise<void> {
  const batch = await client.ask<Batch>(`/pdm/sync/batches/${batchId}`);
  const counts = { ...expected, processed: elements.length, total: elements.length, error: 0 };
  for (const [kind, count] of Object.entries(counts)) {
    if (batch.counts[kind] !== count) throw new Error(`${kind} is not ${count}: ${JSON.stringify(batch)}`);
  }
  const reported: ResultPage['items'] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const from: string = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`;
    const page: ResultPage = await client.ask<ResultPage>(
      `/pdm/sync/batches/${batchId}/results?limit=1000${from}`,
    );
    reported.push(...page.items);
    cursor = page.nextCursor;
  }
  const wrong = elements.findIndex(
    ({ guid }, index) => reported[index]?.guid !== guid || reported[index]?.index !== index,
  );
  if (wrong >= 0 || reported.length !== elements.length)
    throw new Error(
      `Batch ${batchId}: ${reported.length} results of ${elements.length} elements, wrong from ${wrong} on`,
    );
  for (const [kind, count] of Object.entries(expected)) {
    const found = reported.filter(({ result }) => result === kind).length;
    if (found !== count) throw new Error(`Batch ${batchId}: ${found} results ${kind} instead of ${count}`);
  }
}
