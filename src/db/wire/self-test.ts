/**
 * Tells at the start whether `pg` still has the parts that the pipelined wire uses and its documentation does not promise, and which
 * of them have changed. A new version of `pg` is noticed before the first call, not by a transaction that goes wrong.
 */
import { createRequire } from 'node:module';
import pg, { type PoolClient } from 'pg';
import { StartError } from '../../process/start-error.ts';
import { textArray } from './array-parameter.ts';
import { BinaryRows } from './binary-rows.ts';
import { copyText } from './copy-out.ts';
import type { Statement } from './statement.ts';

interface Sender {
  run(statement: Statement): Promise<unknown[]>;
  copy(text: string): Promise<Buffer>;
}

/** The type of each part that belongs to the connection of a client. */
const ofConnection: Readonly<Record<string, string>> = {
  _send: 'function',
  parse: 'function',
  bind: 'function',
  describe: 'function',
  execute: 'function',
  sync: 'function',
  close: 'function',
  parsedStatements: 'object',
  submittedNamedStatements: 'object',
  stream: 'object',
};
const ofStream = ['cork', 'uncork', 'write', 'destroy'];

/** The names of the parts that are missing or of another kind. */
function changedParts(client: PoolClient): string[] {
  const { connection } = client as unknown as { connection?: Record<string, unknown> };
  if (typeof connection !== 'object') return ['client.connection'];
  const changed = Object.entries(ofConnection)
    .filter(([name, kind]) => typeof connection[name] !== kind)
    .map(([name]) => `connection.${name}`);
  const stream = connection.stream as Record<string, unknown> | undefined;
  for (const name of ofStream)
    if (typeof stream?.[name] !== 'function') changed.push(`connection.stream.${name}`);
  const { utils } = pg as unknown as { utils?: { prepareValue?: unknown } };
  if (typeof utils?.prepareValue !== 'function') changed.push('pg.utils.prepareValue');
  if (typeof (pg as { escapeLiteral?: unknown }).escapeLiteral !== 'function')
    changed.push('pg.escapeLiteral');
  return changed;
}

/** Looks for the parts, then sends a burst and compares its answers. Throws `StartError` with what has changed. */
export async function requireKnownPg(client: PoolClient, { run, copy }: Sender): Promise<void> {
  const changed = changedParts(client);
  if (changed.length > 0) throw changedError(`${changed.join(', ')} changed or missing`);
  const values = [2, textArray(['a', null, '"'])];
  const copied = copy(copyText('select 4, $1', ["a'\\"]));
  const answers = await Promise.all([
    run({ text: 'select 1 as one', values: [] }),
    run({ text: 'select $1::int as two, $2::text[] as texts, null as nothing', values }),
    run({ text: 'select 3 as three where false', values: [] }),
  ]);
  const expected = [[{ one: 1 }], [{ two: 2, texts: ['a', null, '"'], nothing: null }], []];
  if (JSON.stringify(answers) !== JSON.stringify(expected))
    throw changedError(`a burst of three statements was answered with ${JSON.stringify(answers)}`);
  const rows = new BinaryRows(await copied);
  const isKnown = rows.next() && rows.int(0) === 4 && rows.text(1) === "a'\\" && !rows.next();
  if (!isKnown) throw changedError(`a COPY was answered with ${rows.bytes.toString('hex')}`);
}

function changedError(what: string): StartError {
  const require = createRequire(import.meta.url);
  const { version } = require('pg/package.json') as { version: string };
  const { dependencies } = require('../../../package.json') as { dependencies: { pg: string } };
  return new StartError(
    `pg ${version} is not what the pipelined wire relies on: ${what}. Install pg ${dependencies.pg}, or set DATABASE_WIRE=plain.`,
  );
}
