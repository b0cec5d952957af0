/** A database of a test file's own: a copy of the migrated template, dropped when the file is done. */
import { randomBytes } from 'node:crypto';
import { Client } from 'pg';
import { inject } from 'vitest';
import { databaseUrl } from './global.ts';

export interface TestDatabase {
  name: string;
  url: string;
  drop(): Promise<void>;
}

export async function createTestDatabase(): Promise<TestDatabase> {
  const server = inject('postgresUrl');
  const name = `test_${process.pid}_${randomBytes(4).toString('hex')}`;
  await asAdmin(server, `create database ${name} template ${inject('templateDatabase')}`);
  return {
    name,
    url: databaseUrl(server, name),
    drop: () => asAdmin(server, `drop database if exists ${name} with (force)`),
  };
}

async function asAdmin(server: string, sql: string): Promise<void> {
  const client = new Client({ connectionString: server });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}
