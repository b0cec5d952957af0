// What the log holds when the same thing fails again and again.
import { Writable } from 'node:stream';
import { expect, test, vi } from 'vitest';
import { openLog } from '../../src/log.ts';

function recordedLog(repeatMs: number) {
  const lines: Record<string, unknown>[] = [];
  const destination = new Writable({
    write: (piece: Buffer, _encoding, done) => {
      lines.push(JSON.parse(piece.toString()) as Record<string, unknown>);
      done();
    },
  });
  return { lines, log: openLog({ LOG_LEVEL: 'info' }, 'test', { destination, repeatMs }) };
}

const refused = (port: number) =>
  Object.assign(new Error(`connect ECONNREFUSED 127.0.0.1:${port}`), { code: 'ECONNREFUSED' });

test('an error that comes again is one line, and one more with the count when the period is over', async () => {
  const { lines, log } = recordedLog(200);
  for (let time = 0; time < 625; time++)
    log.warn({ queue: 'sync', err: refused(1000 + time) }, 'queue connection error');
  expect(lines).toHaveLength(1);
  await expect.poll(() => lines.length).toBe(2);
  expect(lines[1]).toMatchObject({
    msg: 'queue connection error',
    queue: 'sync',
    repeated: 624,
    withinMs: 200,
  });
  log.warn({ err: refused(1) }, 'queue connection error');
  expect(lines).toHaveLength(3);
});

test('errors that differ, and lines without an error, are all written', () => {
  const { lines, log } = recordedLog(60_000);
  log.warn({ err: new Error('one thing') }, 'failed');
  log.warn({ err: new Error('another thing') }, 'failed');
  log.child({ requestId: 'a' }).error({ err: new Error('one thing') }, 'failed');
  for (let time = 0; time < 3; time++) log.info('a call');
  expect(lines).toHaveLength(6);
});

test('a child shares the count of its parent, and a period without a repetition says nothing more', async () => {
  vi.useFakeTimers();
  try {
    const { lines, log } = recordedLog(60_000);
    log.error({ err: new Error('the same') }, 'failed');
    log.child({ requestId: 'a' }).error({ err: new Error('the same') }, 'failed');
    expect(lines).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(lines.map((line) => line.repeated)).toEqual([undefined, 1]);
    log.error({ err: new Error('once') }, 'failed');
    await vi.advanceTimersByTimeAsync(60_000);
    expect(lines).toHaveLength(3);
  } finally {
    vi.useRealTimers();
  }
});

test('the command of a failed call of Redis is left out', () => {
  const { lines, log } = recordedLog(60_000);
  const error = Object.assign(new Error('CROSSSLOT Keys in request do not hash to the same slot'), {
    command: { name: 'evalsha', args: ['a script of some kilobytes', 'and the data of a job'] },
  });
  log.error({ err: error }, 'worker error');
  expect(JSON.stringify(lines)).not.toContain('kilobytes');
  expect(lines[0]).toMatchObject({ err: { message: error.message } });
});

test('what belongs to a request has a line of its own however often its error comes, with the stack once', () => {
  const { lines, log } = recordedLog(60_000);
  for (const requestId of ['a', 'b', 'c'])
    log.error({ requestId, err: new Error('the same') }, 'request failed');
  expect(lines.map((line) => line.requestId)).toEqual(['a', 'b', 'c']);
  expect(lines.map((line) => line.err !== undefined)).toEqual([true, false, false]);
  expect(lines[2]).toMatchObject({ level: 50, error: 'Error: the same' });
});

test('an error whose long text a caller chose holds nobody up', () => {
  const { lines, log } = recordedLog(60_000);
  // No digit ends the search for ids in it: it would begin anew at every letter.
  for (let time = 0; time < 20; time++) log.warn({ err: new Error('a'.repeat(4_000_000)) }, 'failed');
  expect(lines).toHaveLength(1);
});
