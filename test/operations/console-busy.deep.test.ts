// PostgreSQL is slow and everybody wants a connection: that is not silence, and nobody who looks into it at night is told so.
import { Client } from 'pg';
import { expect, test } from 'vitest';
import { INSTANCE_PARTY } from '../../src/db/connect.ts';
import { inTransaction } from '../../src/db/transaction.ts';
import { startTestServer } from '../setup/server.ts';

test('a page is waited for while PostgreSQL answers others, though no connection is free to ask it', async () => {
  const server = await startTestServer();
  const { db, readiness } = server.ctx;
  const { id: workspaceId } = await server.createWorkspace();
  const holder = new Client({ connectionString: server.ctx.databaseUrl });
  await holder.connect();
  await holder.query('begin');
  await holder.query('lock table sync_batch in access exclusive mode');
  let isOver = false;
  const talking = inTransaction(db, { workspaceId }, async (tx) => {
    while (!isOver) await tx.query('select 1');
  });
  // All but the one that the page has.
  const shares = await Promise.all(Array.from({ length: 6 }, () => db.shares.acquire(INSTANCE_PARTY)));
  const asked = readiness.databaseAnswers.bind(readiness);
  const found: boolean[] = [];
  readiness.databaseAnswers = async (patienceMs) => {
    const answers = await asked(patienceMs);
    found.push(answers);
    await holder.query('rollback');
    return answers;
  };
  try {
    const { status, text } = await server.request('/admin/failures', {
      headers: { Accept: 'text/html', Authorization: `Bearer ${server.ctx.operatorToken}` },
    });
    expect([status, found], text).toEqual([200, [true]]);
  } finally {
    isOver = true;
    await talking;
    for (const release of shares) release();
    await holder.end();
    await server.close();
  }
});
