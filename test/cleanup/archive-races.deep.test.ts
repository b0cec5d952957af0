import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { element, guidOf } from '../entities/parts.ts';
import { makeProcuringWorkspace, type ProcuringWorkspace } from '../procurement/procuring-workspace.ts';
import { startTestServer, type TestServer } from '../setup/server.ts';

let server: TestServer;
let workspace: ProcuringWorkspace;
beforeAll(async () => {
  server = await startTestServer({ worker: true, environment: { SYNC_CHUNK_ELEMENTS: '2' } });
  workspace = await makeProcuringWorkspace(server, { items: 1, locations: 1 });
});
afterAll(async () => {
  await workspace.expectConsistent();
  await server.close();
});

const PARTS = 6;
/** What one call does to a part, or to two. */
const step = fc.record({
  act: fc.constantFrom(
    'archive',
    'unarchive',
    'receive',
    'write off',
    'draft',
    'require',
    'use',
    'unuse',
    'sync',
    'rename',
    'replace',
  ),
  part: fc.nat({ max: PARTS - 1 }),
  other: fc.nat({ max: PARTS - 1 }),
});

const selectWrong = `
  select e.number, 'stock' as why from entity e join stock_position p on p.workspace_id = $1 and p.item_id = e.id
  where e.workspace_id = $1 and e.archived_at is not null and (p.on_hand <> 0 or p.reserved <> 0 or p.on_order <> 0)
  union all
  select e.number, 'line' from entity e join stock_line n on n.workspace_id = $1 and n.item_id = e.id
  join entity l on l.workspace_id = $1 and l.id = n.id
  where e.workspace_id = $1 and e.archived_at is not null and l.state not in ('Received', 'Shipped', 'Closed', 'Cancelled')
  union all
  select e.number, 'requirement' from entity e join material_requirement r on r.workspace_id = $1 and r.item_id = e.id
  join entity l on l.workspace_id = $1 and l.id = r.id
  where e.workspace_id = $1 and e.archived_at is not null and l.state = 'Open'`;
const selectParents = `
  select c.guid as child, p.guid as parent from entity_link k
  join entity c on c.workspace_id = $1 and c.id = k.child_id and c.archived_at is not null
  join entity p on p.workspace_id = $1 and p.id = k.parent_id and p.archived_at is null and p.state = 'In Work'
  where k.workspace_id = $1`;

test('archives, syncs, bookings and edits at one moment never leave an archived part in use without a word', {
  timeout: 600_000,
}, async () => {
  let first = 1000;
  const steps = fc.array(fc.array(step, { minLength: 2, maxLength: 5 }), { minLength: 2, maxLength: 5 });
  await fc.assert(
    fc.asyncProperty(steps, async (rounds) => {
      first += PARTS;
      const numberOf = (at: number) => first + at;
      const ref = (at: number) => `guid:${guidOf(numberOf(at))}`;
      const [location] = workspace.locations as [string];
      await workspace.must(200, 'POST', '/pdm/sync', {
        entities: Array.from({ length: PARTS }, (_, at) => element(numberOf(at))),
      });
      /** Links of which a sync has warned that their child is archived. */
      const warned = new Set<string>();
      const act = async ({ act: what, part, other }: (typeof rounds)[number][number]) => {
        const [at, itemEntityId] = [ref(part), ref(part)];
        switch (what) {
          case 'archive':
          case 'unarchive':
            return workspace.ask('POST', `/entities/${at}/${what}`);
          case 'receive':
          case 'write off':
            return workspace.adjust(itemEntityId, location, what === 'receive' ? 1 : -1);
          case 'draft':
            return workspace.line({ itemEntityId, locationEntityId: location, quantity: 1, state: 'Draft' });
          case 'require':
            return workspace.ask('POST', '/requirements', {
              projectId: workspace.project,
              itemEntityId,
              requiredQty: 1,
            });
          case 'use':
            return workspace.ask('PUT', `/entities/${ref(other)}/uses/${at}`, { quantity: 1 });
          case 'unuse':
            return workspace.ask('DELETE', `/entities/${ref(other)}/uses/${at}`);
          case 'replace':
            return workspace.ask('POST', `/entities/${at}/replace`, { by: ref(other), reason: 'Tried' });
          case 'rename':
            return workspace.ask('PATCH', `/entities/${at}`, { name: `Renamed ${other}` });
          case 'sync': {
            const parentGuid = part < other ? guidOf(numberOf(other)) : null;
            const entities = [...Array(PARTS).keys()].map((n) =>
              element(numberOf(n), n === part && parentGuid !== null ? { parentGuid } : {}),
            );
            const sent = await workspace.ask('POST', '/pdm/sync', { entities }, { Prefer: 'wait=60' });
            for (const result of sent.body.results ?? [])
              if (result.warnings?.some(({ code }: { code: string }) => code === 'archived'))
                warned.add(`${result.guid} ${parentGuid}`);
            return sent;
          }
        }
      };
      for (const round of rounds) {
        const answers = await Promise.all(round.map(act));
        for (const answer of answers) expect(answer.status, answer.text).toBeLessThan(500);
      }
      expect(await workspace.transact((tx) => tx.query(selectWrong, [workspace.id]))).toEqual([]);
      const used = await workspace.transact((tx) =>
        tx.query<{ child: string; parent: string }>(selectParents, [workspace.id]),
      );
      const ours = new Set(Array.from({ length: PARTS }, (_, at) => guidOf(numberOf(at))));
      for (const { child, parent } of used)
        if (ours.has(child)) expect([...warned], `${child} in ${parent}`).toContain(`${child} ${parent}`);
    }),
    { numRuns: 12 },
  );
});
