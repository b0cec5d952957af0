/** A database of a test file's own: a copy of the migrated template, dropped when the file is done. */
import { randomBytes } from 'node:crypto';
import { Client } from 'pg';
import { inject } from 'vitest';
import { databaseUrl } from './global.ts';
import { throughPooler } from './pooler.ts';

export interface TestDatabase {
  name: string;
  /** Of the server itself. */
  url: string;
  /** As the service is to have it: by way of the pooler, where there is one. */
  pooledUrl: string;
  drop(): Promise<void>;
}

export async function createTestDatabase(): Promise<TestDatabase> {
  const server = inject('postgresUrl');
  const name = `test_${process.pid}_${randomBytes(4).toString('hex')}`;
  // Copies files. The default, page by page through the write-ahead log, takes two to three times the CPU.
  await asAdmin(server, `create database ${name} template ${inject('templateDatabase')} strategy file_copy`);
  const url = databaseUrl(server, name);
  return {
    name,
    url,
    pooledUrl: byPooler(url),
    drop: () => asAdmin(server, `drop database if exists ${name} with (force)`),
  };
}

/** A URL of the tests' server, by way of the pooler where there is one. */
export function byPooler(url: string): string {
  const pooler = inject('pooler');
  return pooler === null ? url : throughPooler(url, pooler);
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
