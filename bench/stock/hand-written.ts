/** What a careful programmer writes without any of this: the limit below HTTP. */
import { Client } from 'pg';
import type { LoadResult } from './load.ts';

/** One UPDATE and one INSERT in a transaction of their own, on as many connections, without HTTP in between. */
export async function handWritten(
  databaseUrl: string,
  stocked: { items: string[]; locations: string[] },
  connections: number,
  seconds: number,
): Promise<LoadResult> {
  const clients = await Promise.all(
    Array.from({ length: connections }, async () => {
      const client = new Client({ connectionString: databaseUrl });
      await client.connect();
      return client;
    }),
  );
  await clients[0]?.query(
    `create table if not exists hand_position (item uuid, location uuid, on_hand numeric(15, 6) check (on_hand >= 0),
       sequence bigint, primary key (item, location))`,
  );
  await clients[0]?.query(
    `create table if not exists hand_ledger (item uuid, location uuid, sequence bigint, quantity numeric(15, 6),
       on_hand_after numeric(15, 6), recorded_at timestamptz default now(), primary key (item, location, sequence))`,
  );
  await clients[0]?.query(
    `insert into hand_position select i, l, 100000, 0 from unnest($1::uuid[]) i, unnest($2::uuid[]) l
     on conflict do nothing`,
    [stocked.items, stocked.locations],
  );
  const latencies: number[] = [];
  const start = performance.now();
  const end = start + seconds * 1000;
  await Promise.all(
    clients.map(async (client) => {
      for (let sent = performance.now(); sent < end; ) {
        const [item, location] = [pickOne(stocked.items), pickOne(stocked.locations)];
        await client.query('begin');
        const { rows } = await client.query({
          name: 'u',
          text: `update hand_position set on_hand = on_hand + $3, sequence = sequence + 1
                 where item = $1 and location = $2 and on_hand + $3 >= 0 returning on_hand, sequence`,
          values: [item, location, 1],
        });
        await client.query({
          name: 'i',
          text: 'insert into hand_ledger (item, location, sequence, quantity, on_hand_after) values ($1, $2, $3, $4, $5)',
          values: [item, location, rows[0].sequence, 1, rows[0].on_hand],
        });
        await client.query('commit');
        const now = performance.now();
        latencies.push(now - sent);
        sent = now;
      }
    }),
  );
  const elapsed = (performance.now() - start) / 1000;
  await Promise.all(clients.map((client) => client.end()));
  latencies.sort((a, b) => a - b);
  const share = (part: number) => latencies[Math.floor(latencies.length * part)] ?? 0;
  return {
    requests: latencies.length,
    perSecond: latencies.length / elapsed,
    p50Ms: share(0.5),
    p99Ms: share(0.99),
    statuses: { '201': latencies.length },
  };
}

function pickOne(from: readonly string[]): string {
  return from[Math.floor(Math.random() * from.length)] as string;
}
