import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TransitionEffect, transitionEntity } from '../../src/entities/transition-entity.ts';
import { startTestServer, type TestServer } from '../setup/server.ts';
import { type DefaultWorkspace, makeDefaultWorkspace } from '../workspaces/default-workspace.ts';
import { element, partsOf, refOf } from './parts.ts';

let server: TestServer;
let workspace: DefaultWorkspace;
const { ask, create, sync, move, release } = partsOf(() => workspace);
beforeAll(async () => {
  server = await startTestServer({ worker: true });
  workspace = await makeDefaultWorkspace(server);
});
afterAll(() => server.close());

test('a transition changes the state in place and is kept in the history', async () => {
  const made = await create();
  const moved = await ask('POST', `/entities/${made.id}/transitions`, {
    toState: 'In Review',
    note: 'Please look',
  });
  expect(moved.status, moved.text).toBe(200);
  expect(moved.body).toMatchObject({ state: 'In Review', revision: 'A', versionId: made.versionId });
  await move(made.id, 'Released');
  const history = await ask('GET', `/entities/${made.id}/transitions`);
  expect(history.body.items).toEqual([
    expect.objectContaining({ fromState: 'In Review', toState: 'Released', note: null }),
    {
      id: expect.any(String),
      fromState: 'In Work',
      toState: 'In Review',
      note: 'Please look',
      revision: 'A',
      revisionNumber: 1,
      versionId: made.versionId,
      recordedAt: expect.stringMatching(/Z$/),
      actor: { type: 'apiKey', id: expect.any(String), name: 'First key' },
    },
  ]);
});

test('what the lifecycle lacks gives 409 and names what it has', async () => {
  const made = await create();
  for (const toState of ['Released', 'In Work', 'nonsense']) {
    const answer = await ask('POST', `/entities/${made.id}/transitions`, { toState });
    expect([answer.status, answer.body.code, answer.body.allowed]).toEqual([
      409,
      'transition_not_allowed',
      ['In Review'],
    ]);
  }
  expect((await ask('GET', `/entities/${made.id}/transitions`)).body.items).toEqual([]);
});

test('of two transitions at once one is made, and the other is told where it now stands', async () => {
  for (let round = 0; round < 5; round++) {
    const made = await create();
    const answers = await Promise.all([1, 2, 3].map(() => move(made.id, 'In Review')));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
    expect(answers.find(({ status }) => status === 409)?.body.from).toBe('In Review');
    expect((await ask('GET', `/entities/${made.id}/transitions`)).body.items).toHaveLength(1);
  }
});

test('from one released state to another opens no revision; the way out of them does', async () => {
  const made = await create({ name: 'Block' });
  await release(made.id);
  expect((await move(made.id, 'Ready for Procurement')).body).toMatchObject({
    revision: 'A',
    released: true,
  });
  const reworked = (await move(made.id, 'In Work')).body;
  expect(reworked).toMatchObject({ revision: 'B', state: 'In Work', released: false });
  await ask('PATCH', `/entities/${made.id}`, { name: 'Block, reworked' });
  const revisions = (await ask('GET', `/entities/${made.id}/revisions`)).body.items;
  expect(revisions).toEqual([
    expect.objectContaining({ revision: 'B', name: 'Block, reworked', state: 'In Work' }),
    expect.objectContaining({ revision: 'A', name: 'Block', state: 'Ready for Procurement', released: true }),
  ]);
});

test('a sync after rework writes into the new revision: what was released stays', async () => {
  await sync([element(1)]);
  await release(refOf(1));
  await move(refOf(1), 'In Work');
  const again = await sync([element(1, { name: 'Changed' })]);
  expect(again.results[0]).toMatchObject({ result: 'updated', revision: 'B' });
  expect((await ask('GET', `/entities/${refOf(1)}/revisions/1`)).body).toMatchObject({
    name: 'Part 1',
    state: 'Released',
  });
});

test('effects run in the transaction: they see the change, and what they throw undoes it', async () => {
  const made = await create();
  const actor = { type: 'system', id: workspace.id, name: 'Test' } as const;
  const seen: string[] = [];
  const effects: TransitionEffect[] = [
    async (tx, happened) => {
      const [row] = await tx.query<{ state: string }>('select state from entity where id = $1', [made.id]);
      seen.push(row?.state ?? '', happened.fromState, happened.toState, happened.transition.id);
    },
    async () => {
      throw new Error('an effect fails');
    },
  ];
  const attempt = workspace.transact((tx) =>
    transitionEntity(tx, { actor, effects }, { entity: made.id, toState: 'In Review' }),
  );
  await expect(attempt).rejects.toThrow('an effect fails');
  expect(seen).toEqual(['In Review', 'In Work', 'In Review', 'submit']);
  expect((await ask('GET', `/entities/${made.id}`)).body).toEqual(made);
  expect((await ask('GET', `/entities/${made.id}/transitions`)).body.items).toEqual([]);
});

test('the history cannot be rewritten', async () => {
  for (const sql of [`update entity_transition set note = ''`, 'delete from entity_transition']) {
    await expect(workspace.transact((tx) => tx.query(sql))).rejects.toThrow(/permission denied/);
  }
});

test('the history pages', async () => {
  const made = await create();
  await move(made.id, 'In Review', 'In Work', 'In Review', 'In Work', 'In Review');
  const states: string[] = [];
  let cursor = '';
  do {
    const page = await ask('GET', `/entities/${made.id}/transitions?limit=2${cursor}`);
    states.push(...page.body.items.map((item: { toState: string }) => item.toState));
    cursor = page.body.nextCursor === null ? '' : `&cursor=${page.body.nextCursor}`;
  } while (cursor !== '');
  expect(states).toEqual(['In Review', 'In Work', 'In Review', 'In Work', 'In Review']);
});

test.each([
  {},
  { toState: '' },
  { toState: 'In Review', note: 'x'.repeat(4097) },
  { toState: 'In Review', why: '' },
])('%j is refused', async (body) => {
  const made = await create();
  expect((await ask('POST', `/entities/${made.id}/transitions`, body)).status).toBe(422);
});
