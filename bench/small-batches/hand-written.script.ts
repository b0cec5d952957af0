/**
 * What a careful programmer writes without any of this: one statement that upserts the entities of the body, and a list of
 * what came of each. No keys, no history, no structure, no checks, nothing kept of the batch.
 */
import { createServer } from 'node:http';
import { Pool } from 'pg';

interface Element {
  guid: string;
  number: string;
  name: string;
  categoryKey: string;
  parentGuid: string | null;
  properties: Record<string, string>;
}

const pool = new Pool({ connectionString: process.env.DATABASE_URL, max: 10 });
await pool.query(`
  create table if not exists hand_entity (
    guid uuid primary key, number text, name text not null, category text not null, parent uuid,
    properties jsonb not null, updated_at timestamptz not null default now())`);
const text = `
  insert into hand_entity (guid, number, name, category, parent, properties)
  select guid, number, name, category, parent, properties
  from jsonb_to_recordset($1::jsonb)
    as e (guid uuid, number text, name text, category text, parent uuid, properties jsonb)
  order by guid
  on conflict (guid) do update set number = excluded.number, name = excluded.name, category = excluded.category,
    parent = excluded.parent, properties = hand_entity.properties || excluded.properties, updated_at = now()
  returning guid, xmax = 0 as created`;

const server = createServer(async (req, res) => {
  const pieces: Buffer[] = [];
  for await (const piece of req) pieces.push(piece as Buffer);
  const { entities } = JSON.parse(Buffer.concat(pieces).toString()) as { entities: Element[] };
  const rows = entities.map(({ guid, number, name, categoryKey, parentGuid, properties }) => ({
    guid,
    number,
    name,
    category: categoryKey,
    parent: parentGuid,
    properties,
  }));
  const written = await pool.query<{ guid: string; created: boolean }>({
    name: 'upsert',
    text,
    values: [JSON.stringify(rows)],
  });
  const created = new Map(written.rows.map((row) => [row.guid, row.created]));
  const results = entities.map(({ guid, number }, index) => ({
    index,
    guid,
    result: created.get(guid) === true ? 'created' : 'updated',
    number,
  }));
  const body = JSON.stringify({ status: 'completed', results });
  res.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) });
  res.end(body);
}).listen(0, '127.0.0.1', () => {
  const address = server.address();
  process.stdout.write(`${JSON.stringify({ port: typeof address === 'object' ? address?.port : null })}\n`);
});
process.stdin.resume().once('end', () => process.exit());
