/**
 * What a careful programmer writes to read one entity, without any of this: Node's own server, a pool, the key looked up
 * and the entity read by prepared statements, no framework, no validation, no walls between workspaces.
 */
import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Pool } from 'pg';

const pool = new Pool({ connectionString: process.env.DATABASE_URL, max: 10 });

const server = createServer(async (req, res) => {
  const [, , , slug, , id] = (req.url ?? '').split('/');
  const key = createHash('sha256').update(String(req.headers.authorization).slice('Bearer '.length)).digest();
  const found = await pool.query({
    name: 'key',
    text: `select k.workspace_id from api_key k join workspace w on w.id = k.workspace_id
           where k.hash = $1 and w.slug = $2 and k.revoked_at is null
             and (k.expires_at is null or k.expires_at > now())`,
    values: [key, slug],
  });
  if (found.rows.length === 0) {
    res.writeHead(401).end();
    return;
  }
  const { rows } = await pool.query({
    name: 'entity',
    text: `select id, version_id as "versionId", guid as "E_Guid", number, name, category, state,
                  revision_number as "revisionNumber", properties, created_at as "createdAt", updated_at as "updatedAt"
           from entity where workspace_id = $1 and id = $2`,
    values: [found.rows[0].workspace_id, id],
  });
  const body = JSON.stringify(rows[0]);
  res.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) });
  res.end(body);
});
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`${JSON.stringify({ port: (server.address() as AddressInfo).port })}\n`);
});
process.stdin.resume().once('end', () => process.exit());
