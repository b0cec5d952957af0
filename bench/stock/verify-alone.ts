/** What proving a ledger takes: the command, as npm runs it, in a process of its own. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import packageJson from '../../package.json' with { type: 'json' };
import type { LedgerDigest } from '../../src/stock/digest/digest.schema.ts';
import { peakMib } from './peak-memory.ts';

export interface Verified {
  entries: number;
  perSecond: number;
  peakMib: number;
}

/** Against a digest of all of it. Throws when the ledger does not verify, or has another number of entries. */
export async function verifyAlone(
  databaseUrl: string,
  { slug, entries }: { slug: string; entries: number },
  digest: LedgerDigest,
): Promise<Verified> {
  const [, ...args] = packageJson.scripts['verify-ledger'].split(' ');
  const began = performance.now();
  const child = spawn(process.execPath, [...args, '--digest', JSON.stringify(digest), slug], {
    cwd: fileURLToPath(new URL('../..', import.meta.url)),
    env: { ...process.env, DATABASE_URL: databaseUrl, OPERATOR_TOKEN: 'operator-token-of-the-bench' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let said = '';
  child.stdout?.on('data', (bytes) => {
    said += bytes;
  });
  const peak = await watchPeak(child);
  const verified = JSON.parse(said);
  if (!verified.ok || verified.entries !== entries) throw new Error(`The ledger does not verify: ${said}`);
  return { entries, perSecond: entries / ((performance.now() - began) / 1000), peakMib: peak };
}

/** The peak of a process that ends by itself: what was read last, at most so long before its end. */
async function watchPeak(child: ChildProcess): Promise<number> {
  const closed = once(child, 'close').then(() => true);
  let peak = 0;
  for (let done = false; !done; ) {
    peak = Math.max(peak, peakMib(child.pid as number));
    done = await Promise.race([closed, delay(50, false)]);
  }
  return peak;
}
