/** Random sequences of batches and of edits by hand between them, compared with a plain model of the rules: all that can be read back. */
import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestServer, type TestServer } from '../setup/server.ts';
import { runs } from '../setup/tier.ts';
import { type DefaultWorkspace, makeDefaultWorkspace } from '../workspaces/default-workspace.ts';
import { Model, type ModelElement } from './model.ts';
import { syncCalls } from './sync-calls.ts';

const GUIDS = Array.from({ length: 7 }, () => randomUUID());

const made = (guid: number, parent: number): ModelElement => ({
  guid: GUIDS[guid] as string,
  number: 'N',
  name: 'a',
  categoryKey: 'part',
  parentGuid: GUIDS[parent] as string,
  quantity: 1,
  properties: {},
});

const elements = fc.array(
  fc.record({
    guid: fc.constantFrom(...GUIDS),
    number: fc.constant('N'),
    name: fc.constantFrom('a', 'b'),
    categoryKey: fc.oneof(
      { weight: 8, arbitrary: fc.constant('part') },
      { weight: 1, arbitrary: fc.constant('nope') },
    ),
    parentGuid: fc.option(fc.constantFrom(...GUIDS), { nil: null, freq: 3 }),
    quantity: fc.integer({ min: 1, max: 3 }),
    properties: fc.dictionary(fc.constantFrom('Colour', 'Finish'), fc.constantFrom('red', 'blue'), {
      maxKeys: 2,
    }),
    hasChildren: fc.constantFrom(undefined, undefined, true, false),
  }) as fc.Arbitrary<ModelElement>,
  { maxLength: 10 },
);
/** What waits for an assembly that an exact batch refuses for a cycle, which chance meets once in some hundred sequences. */
const WAITS_FOR_REFUSED = [
  { sync: [made(0, 1)], exact: false },
  { sync: [made(2, 1), made(1, 2)], exact: true },
];
const pairs = fc.tuple(fc.constantFrom(...GUIDS), fc.constantFrom(...GUIDS));
const step = fc.oneof(
  { weight: 3, arbitrary: fc.record({ sync: elements, exact: fc.boolean() }) },
  // One of the batches before, word for word.
  { weight: 3, arbitrary: fc.record({ again: fc.nat(3) }) },
  { weight: 1, arbitrary: fc.record({ release: fc.constantFrom(...GUIDS) }) },
  { weight: 1, arbitrary: fc.record({ create: fc.constantFrom(...GUIDS) }) },
  { weight: 2, arbitrary: fc.record({ use: pairs, quantity: fc.integer({ min: 1, max: 3 }) }) },
  { weight: 1, arbitrary: fc.record({ unuse: pairs }) },
);

async function stored(workspace: DefaultWorkspace): Promise<object> {
  return workspace.transact(async (tx) => {
    const entities = await tx.query<{ guid: string }>(
      `select e.guid, e.number, e.name, e.category, e.state <> 'In Work' as released, e.revision_number as revision,
         e.properties, (select count(*)::integer from entity_revision r
           where r.workspace_id = e.workspace_id and r.entity_id = e.id) as superseded
       from entity e where workspace_id = $1`,
      [workspace.id],
    );
    const links = await tx.query<{ parent: string; child: string; quantity: number }>(
      `select p.guid as parent, c.guid as child, l.quantity::float
       from entity_link l
       join entity p on p.workspace_id = l.workspace_id and p.id = l.parent_id
       join entity c on c.workspace_id = l.workspace_id and c.id = l.child_id
       where l.workspace_id = $1
       union all
       select w.parent_guid, c.guid, w.quantity::float
       from pending_link w join entity c on c.workspace_id = w.workspace_id and c.id = w.child_id
       where w.workspace_id = $1`,
      [workspace.id],
    );
    return {
      entities: Object.fromEntries(entities.map(({ guid, ...entity }) => [guid, entity])),
      links: Object.fromEntries(links.map((link) => [`${link.parent} ${link.child}`, link.quantity])),
    };
  });
}

type ByHand = { create: string } | { use: [string, string]; quantity: number } | { unuse: [string, string] };

/** The statuses of the service and of the model. */
async function editByHand({ ask }: DefaultWorkspace, model: Model, edit: ByHand): Promise<[number, number]> {
  if ('create' in edit) {
    const made = { category: 'part', number: 'N', name: 'By hand' };
    const { status } = await ask('POST', '/entities', { ...made, E_Guid: edit.create });
    return [status, model.create(edit.create, made)];
  }
  const [parent, child] = 'use' in edit ? edit.use : edit.unuse;
  const path = `/entities/guid:${parent}/uses/guid:${child}`;
  if ('use' in edit) {
    const { status } = await ask('PUT', path, { quantity: edit.quantity });
    return [status, model.use(parent, child, edit.quantity)];
  }
  return [(await ask('DELETE', path)).status, model.unuse(parent, child)];
}

function expected(model: Model): object {
  return {
    entities: Object.fromEntries(
      [...model.entities].map(([guid, entity]) => [guid, { ...entity, superseded: entity.revision - 1 }]),
    ),
    links: Object.fromEntries(model.links),
  };
}

describe.each([
  ['one chunk, at once', {}],
  ['one chunk, in line', { SYNC_AT_ONCE_ELEMENTS_MAX: '0' }],
  ['many chunks', { SYNC_CHUNK_ELEMENTS: '1' }],
])('random batches in %s', (_, environment) => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer({ worker: true, environment });
  });
  afterAll(() => server.close());

  it('give the model’s results and leave the model’s entities, revisions and structure', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 6 }), async (steps) => {
        const workspace = await makeDefaultWorkspace(server);
        for (const key of ['Colour', 'Finish']) {
          await workspace.ask('POST', '/property-definitions', { key, name: key, type: 'text' });
        }
        const calls = syncCalls(server, workspace);
        const model = new Model(['part']);
        const sent: { sync: ModelElement[]; exact: boolean }[] = [];
        for (const step of steps) {
          const one = 'again' in step ? sent.at(-1 - step.again) : step;
          if (one === undefined) continue;
          if ('release' in one) {
            model.release(one.release);
            await workspace.transact((tx) =>
              tx.query(`update entity set state = 'Released' where workspace_id = $1 and guid = $2`, [
                workspace.id,
                one.release,
              ]),
            );
            continue;
          }
          if (!('sync' in one)) {
            const [status, wanted] = await editByHand(workspace, model, one);
            expect(status).toBe(wanted);
            expect(await stored(workspace)).toEqual(expected(model));
            continue;
          }
          if (one === step) sent.push(one);
          const batch = await calls.sync(one.sync, one.exact ? '?structure=exact' : '');
          const results = batch.results.map((result) =>
            result.result === 'error' ? `error:${result.code}` : result.result,
          );
          expect(results).toEqual(model.apply(one.sync, one.exact));
          expect(await stored(workspace)).toEqual(expected(model));
        }
      }),
      { numRuns: runs(60, 12), endOnFailure: false, examples: [[WAITS_FOR_REFUSED]] },
    );
  });
});
