/**
 * Workspaces that send elements of the same GUIDs at the same time, with odd texts and each by its own configuration: threads go from one
 * to the other between two chunks, and small batches share transactions. Whichever way their batches go, each says and leaves what it does
 * where they come one after the other.
 */
import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import type { SyncBatch, SyncResult } from '../../web/client/operations.ts';
import { patience } from '../setup/patience.ts';
import { startTestServer, type TestServer } from '../setup/server.ts';
import { type DefaultWorkspace, makeDefaultWorkspace } from '../workspaces/default-workspace.ts';

const GUIDS = Array.from({ length: 6 }, (_, i) => `${'abcdef'[i]}${randomUUID().slice(1)}`);
/** Ordinary keys, all of them. */
const KEYS = [
  '__proto__',
  'constructor',
  'toString',
  '10',
  '9',
  'name',
  'guid',
  'é',
  'e\u0301',
  'a"b\\c',
  '\u{1f600}',
];
const UNDEFINED_KEYS = ['hasOwnProperty', '8', 'É'];
const TEXTS = [
  '',
  ' ',
  'a',
  '__proto__',
  '\u0001\u001e\u001f',
  '"guid":"x"',
  '\\',
  '\u2028',
  '\u{1f600}',
  '\ufeff',
  'İ',
  'null',
];
const LONG = 'x'.repeat(3000);
const VALUES = [
  '1',
  '1.0',
  ' 1 ',
  '-0',
  '1e308',
  '1e309',
  '5e-324',
  '.5',
  '0x10',
  '١',
  '9007199254740993',
  'TRUE',
  'false',
];
const DATES = ['2024-02-29', '2023-02-29', '0000-01-01', '2024-1-1'];
/** What cannot be a text of an element. */
const WRONG = ['null', '"\\u0000"', '"\\ud800"'];

const json = (text: string) => JSON.stringify(text);
const some = (weight: number, ...members: string[]) => ({ weight, arbitrary: fc.constantFrom(...members) });
const guid = fc
  .tuple(fc.constantFrom(...GUIDS), fc.nat(2))
  .map(([plain, form]) => json([plain, plain.toUpperCase(), `{${plain}}`][form] as string));
/** Few lists of keys: elements with the same keys have much in common, be they of one workspace or of two. A key may come twice. */
const keys = fc.constantFrom(KEYS, KEYS.toReversed(), [...UNDEFINED_KEYS, ...KEYS], ['10', '9', '10'], []);
const values = fc.array(fc.constantFrom(...TEXTS, LONG, ...VALUES, ...DATES), {
  minLength: KEYS.length + UNDEFINED_KEYS.length,
  maxLength: KEYS.length + UNDEFINED_KEYS.length,
});
const properties = fc
  .tuple(keys, values)
  .map(([named, given]) => `{${named.map((key, i) => `${json(key)}:${json(given[i] as string)}`).join()}}`);
const member = (name: string, value: fc.Arbitrary<string>) => value.map((text) => `"${name}":${text}`);
const optional = (name: string, value: fc.Arbitrary<string>) =>
  fc.option(member(name, value), { nil: null, freq: 3 });

const element = fc
  .tuple(
    fc.oneof(
      { weight: 6, arbitrary: member('guid', guid) },
      { weight: 2, arbitrary: member('gu\\u0069d', guid) },
      some(1, '"guid":"x"', '"guid":null'),
    ),
    member('number', fc.oneof(some(9, json('N'), json('"')), some(1, ...WRONG))),
    member('name', fc.oneof(some(9, ...TEXTS.map(json)), some(1, ...WRONG))),
    member('categoryKey', fc.oneof(some(9, '"part"', '"assembly"'), some(1, '"__proto__"'))),
    optional('parentGuid', fc.oneof({ weight: 8, arbitrary: guid }, some(3, 'null'), some(1, '1'))),
    optional('quantity', fc.constantFrom('1', '2e0', '0.000001', '999999999.999999', 'null', '0')),
    optional('properties', fc.oneof({ weight: 8, arbitrary: properties }, some(1, 'null', '[]', '{"10":1}'))),
    optional('referenceDesignators', fc.constantFrom('["R10","R2"]', '["R1"]', '[]', 'null', '[1]')),
    optional('findNumber', fc.constantFrom('"10"', '"20"', 'null', '7')),
    fc.option(fc.constantFrom('"__proto__":{"guid":"x"}', '"nested":{"parentGuid":[[{}]]}')),
    fc.nat(9),
  )
  .map(([...parts]) => {
    const turns = parts.pop() as number;
    const members = parts.filter((part) => part !== null);
    return `{${[...members.slice(turns), ...members.slice(0, turns)].join()}}`;
  });

type Step =
  | { sync: string[] }
  | { again: number; turned: boolean }
  | { release: string }
  | { dryRun: string[] };
const elements = fc.array(fc.oneof({ weight: 20, arbitrary: element }, some(1, 'null', '[]', '{}')), {
  minLength: 1,
  maxLength: 10,
});
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 5, arbitrary: fc.record({ sync: elements }) },
  { weight: 4, arbitrary: fc.record({ again: fc.nat(2), turned: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ dryRun: elements }) },
  { weight: 1, arbitrary: fc.record({ release: fc.constantFrom(...GUIDS) }) },
);
const types = fc.array(fc.constantFrom('text', 'numeric', 'date', 'boolean'), {
  minLength: KEYS.length,
  maxLength: KEYS.length,
});
const steps = fc.array(step, { minLength: 2, maxLength: 6 });

/** The ways of a batch: where it is accepted, in line in one chunk, and in line in many. */
const ways = [{}, { SYNC_AT_ONCE_ELEMENTS_MAX: '0' }, { SYNC_CHUNK_ELEMENTS: '2' }];
const servers: TestServer[] = [];
beforeAll(async () => {
  for (const environment of ways) servers.push(await startTestServer({ worker: true, environment }));
});
afterAll(async () => {
  for (const server of servers) await server.close();
});

async function send(
  server: TestServer,
  { slug, key, ask }: DefaultWorkspace,
  lines: readonly string[],
  query: string,
): Promise<unknown> {
  const headers = { 'Content-Type': 'application/x-ndjson' };
  let answer = await server.request(`/api/wid/${slug}/pdm/sync${query}`, {
    key,
    body: lines.join('\n'),
    headers,
  });
  // A slow machine is not done in the time that a call waits.
  if (answer.status === 202) {
    const path = `/pdm/sync/batches/${answer.body.batchId}`;
    await vi.waitUntil(async () => {
      answer = await ask('GET', path);
      return answer.status !== 200 || answer.body.finishedAt !== null;
    }, patience);
  }
  expect([answer.status, answer.body.status], answer.text).toEqual([200, 'completed']);
  const { counts, results } = answer.body as SyncBatch & { results: SyncResult[] };
  // Ids are made anew everywhere.
  return { counts, results: results.map((result) => ({ ...result, entityId: null, versionId: null })) };
}

async function storedIn({ id, transact }: DefaultWorkspace): Promise<unknown> {
  return transact((tx) =>
    Promise.all([
      tx.query(
        `select guid, number, name, category, state, revision_number, properties::text,
           (select count(*)::integer from entity_revision r
             where r.workspace_id = e.workspace_id and r.entity_id = e.id) as superseded
         from entity e where workspace_id = $1 order by guid`,
        [id],
      ),
      tx.query(
        `select p.guid as parent, c.guid as child, l.quantity::text, l.line::text
         from entity_link l
         join entity p on p.workspace_id = $1 and p.id = l.parent_id
         join entity c on c.workspace_id = $1 and c.id = l.child_id
         where l.workspace_id = $1
         union all
         select w.parent_guid, c.guid, w.quantity::text, w.line::text
         from pending_link w join entity c on c.workspace_id = $1 and c.id = w.child_id
         where w.workspace_id = $1 order by 1, 2`,
        [id],
      ),
    ]),
  );
}

/** What the workspace is told, and what is stored in it behind each step. */
async function walk(
  server: TestServer,
  types: readonly string[],
  steps: readonly Step[],
): Promise<unknown[]> {
  const workspace = await makeDefaultWorkspace(server);
  for (const [place, key] of KEYS.entries()) {
    const made = await workspace.ask('POST', '/property-definitions', {
      key,
      name: 'One',
      type: types[place],
    });
    expect(made.status, made.text).toBe(201);
  }
  const seen: unknown[] = [];
  const sent: string[][] = [];
  for (const one of steps) {
    if ('release' in one) {
      const release = `update entity set state = 'Released' where workspace_id = $1 and guid = $2`;
      await workspace.transact((tx) => tx.query(release, [workspace.id, one.release]));
    } else if ('dryRun' in one) seen.push(await send(server, workspace, one.dryRun, '?dryRun=true'));
    else {
      const before = 'sync' in one ? one.sync : (sent.at(-1 - one.again) ?? []);
      if ('sync' in one) sent.push(before);
      const lines = 'sync' in one || !one.turned ? before : [...before.slice(1), ...before.slice(0, 2)];
      seen.push(lines.length === 0 ? null : await send(server, workspace, lines, ''));
    }
    seen.push(await storedIn(workspace));
  }
  return seen;
}

it('neither the way of a batch nor who else sends changes what a workspace is told and what is stored', async () => {
  await fc.assert(
    fc.asyncProperty(fc.tuple(types, types, types), steps, async (tenants, sent) => {
      const [first, ...others] = servers as [TestServer, ...TestServer[]];
      const alone: unknown[][] = [];
      for (const one of tenants) alone.push(await walk(first, one, sent));
      for (const server of [first, ...others])
        expect(await Promise.all(tenants.map((one) => walk(server, one, sent)))).toEqual(alone);
    }),
    { numRuns: 5, endOnFailure: true },
  );
});
