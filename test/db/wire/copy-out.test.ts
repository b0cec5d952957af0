/** Reading by COPY in binary form, on both wires: the values are those that rows have. */
import fc from 'fast-check';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connectDb, type Db } from '../../../src/db/connect.ts';
import { type AnyTx, inTransaction } from '../../../src/db/transaction.ts';
import { CopyTooLargeError } from '../../../src/db/wire/copy-out.ts';
import { decimalOf } from '../../../src/quantity.ts';
import { startTestServer, type TestServer } from '../../setup/server.ts';

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

describe.each(['pipelined', 'plain'] as const)('on the %s wire', (mode) => {
  let db: Db;

  beforeAll(async () => {
    db = await connectDb({
      url: server.ctx.databaseUrl,
      poolMax: 1,
      applicationName: 'copies',
      log: pino({ level: 'silent' }),
      wire: { mode, nices: false },
    });
  });
  afterAll(() => db.close());

  const inIt = <T>(work: Parameters<typeof inTransaction<'instance', T>>[2]) =>
    inTransaction(db, 'instance', work);

  it('reads quantities, whole numbers, texts, ids and what is null as they are', async () => {
    const micros = fc.integer({ min: -999_999_999_999_999, max: 999_999_999_999_999 });
    const row = fc.record({
      micro: fc.oneof(micros, fc.integer({ min: -1000, max: 1000 }), fc.constant(null)),
      text: fc.string({ unit: 'binary' }).map((text) => text.replaceAll('\0', '')),
      id: fc.uuid(),
      int: fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(row, { maxLength: 40 }), async (rows) => {
        const read = await inIt((tx) =>
          tx.copy(
            `select a.micro, a.text, a.id, a.int, a.int > 0 from unnest($1::numeric[], $2::text[], $3::uuid[], $4::int[])
               with ordinality as a (micro, text, id, int, place) order by place`,
            [
              rows.map(({ micro }) => (micro === null ? null : decimalOf(micro))),
              rows.map(({ text }) => text),
              rows.map(({ id }) => id),
              rows.map(({ int }) => int),
            ],
          ),
        );
        for (const { micro, text, id, int } of rows) {
          expect(read.next()).toBe(true);
          expect(read.isNull(0) ? null : read.micro(0)).toBe(micro === 0 ? 0 : micro);
          expect([read.text(1), read.id(2), read.int(3), read.isTrue(4)]).toEqual([text, id, int, int > 0]);
        }
        expect(read.next()).toBe(false);
      }),
      { numRuns: 60 },
    );
  });

  it('keeps the order of statements, and holds more than a chunk', async () => {
    const answers = await inIt(async (tx) => {
      const first = tx.query<{ n: number }>('select 1 as n');
      const copied = tx.copy('select n from generate_series(1, $1::int) as n', [100_000]);
      const last = tx.query<{ n: number }>('select 2 as n');
      return { first: await first, copied: await copied, last: await last };
    });
    let sum = 0;
    while (answers.copied.next()) sum += answers.copied.int(0);
    expect([answers.first, sum, answers.last]).toEqual([[{ n: 1 }], 5_000_050_000, [{ n: 2 }]]);
  });

  it('fails with its reason, rolls back, and leaves the connection usable', async () => {
    const failing = inIt((tx) => tx.copy('select 1 / (n - 2) from generate_series(1, 3) as n'));
    await expect(failing).rejects.toMatchObject({ code: '22012' });
    const rows = await inIt((tx) => tx.copy('select $1', ["it's \\ $2"]));
    expect(rows.next() && rows.text(0)).toBe("it's \\ $2");
  });

  it('refuses more bytes than one result may have, rolls back, and leaves the connection usable', async () => {
    const bounded = await connectDb({
      url: server.ctx.databaseUrl,
      poolMax: 1,
      applicationName: 'bounded copies',
      log: pino({ level: 'silent' }),
      wire: { mode, nices: false, copyBytesMax: 10_000 },
    });
    const copy = (rows: number) => (tx: AnyTx) =>
      tx.copy('select n from generate_series(1, $1::int) as n', [rows]);
    try {
      const refused = inTransaction(bounded, 'instance', copy(100_000));
      await expect(refused).rejects.toThrow('Rows that are read at once take more than 10000 bytes');
      await expect(refused).rejects.toBeInstanceOf(CopyTooLargeError);
      const rows = await inTransaction(bounded, 'instance', copy(900));
      let sum = 0;
      while (rows.next()) sum += rows.int(0);
      expect(sum).toBe(405_450);
    } finally {
      await bounded.close();
    }
  });

  it('reads in the workspace of its transaction also where that is only a glance', async () => {
    const scope = { workspaceId: '019a0000-0000-7000-8000-000000000001' };
    const glance = inTransaction(
      db,
      scope,
      (tx) => tx.copy("select current_setting('partbook.workspace_id'), current_user::text"),
      { glance: true },
    );
    const rows = await glance;
    expect(rows.next() && [rows.text(0), rows.text(1)]).toEqual([scope.workspaceId, 'partbook_app']);
  });
});
