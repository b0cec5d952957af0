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

const merging = fc.record({
  act: fc.constantFrom(
    'merge',
    'merge',
    'merge',
    'receive',
    'write off',
    'order',
    'require',
    'use',
    'archive',
    'sync',
    'sync',
  ),
  part: fc.nat({ max: PARTS - 1 }),
  other: fc.nat({ max: PARTS - 1 }),
});

/** Names that lead nowhere or on, and what merged parts must not have. */
const selectMisled = `
  select a.id, 'chain' as why from entity_alias a join entity_alias b on b.workspace_id = $1 and b.id = a.entity_id where a.workspace_id = $1
  union all
  select a.id, 'guid of an entity' from entity_alias a join entity e on e.workspace_id = $1 and e.guid = a.guid where a.workspace_id = $1
  union all
  select a.id, 'name kept' from entity_alias a join entity e on e.workspace_id = $1 and e.id = a.id
  where a.workspace_id = $1 and (e.guid is not null or e.number is not null or e.archived_at is null)
  union all
  select a.id, 'used' from entity_alias a join entity_link l on l.workspace_id = $1 and l.child_id = a.id where a.workspace_id = $1
  union all
  select a.id, 'waits' from entity_alias a join pending_link l on l.workspace_id = $1 and (l.child_id = a.id or l.parent_guid = a.guid)
  where a.workspace_id = $1`;

test('merges, syncs, bookings and edits at one moment keep every sum, and every GUID leads to a part that stays', {
  timeout: 600_000,
}, async () => {
  let first = 5000;
  const steps = fc.array(fc.array(merging, { minLength: 2, maxLength: 5 }), { minLength: 2, maxLength: 5 });
  await fc.assert(
    fc.asyncProperty(steps, async (rounds) => {
      first += PARTS + 1;
      const numberOf = (at: number) => first + at;
      const ref = (at: number) => `guid:${guidOf(numberOf(at))}`;
      const [location] = workspace.locations as [string];
      const top = guidOf(first + PARTS);
      const sent = [
        element(first + PARTS),
        ...Array.from({ length: PARTS }, (_, at) =>
          element(numberOf(at), { parentGuid: top, quantity: at + 1 }),
        ),
      ];
      await workspace.must(200, 'POST', '/pdm/sync', { entities: sent });
      let received = 0;
      const book = async (itemEntityId: string, quantity: number) => {
        const answer = await workspace.adjust(itemEntityId, location, quantity);
        if (answer.status === 201) received += quantity;
        return answer;
      };
      const act = ({ act: what, part, other }: (typeof rounds)[number][number]) => {
        const itemEntityId = ref(part);
        switch (what) {
          case 'merge':
            return workspace.ask('POST', `/entities/${ref(part)}/merge`, { from: ref(other) });
          case 'receive':
          case 'write off':
            return book(itemEntityId, what === 'receive' ? 2 : -1);
          case 'order':
            return workspace.line({ itemEntityId, locationEntityId: location, quantity: 1 });
          case 'require':
            return workspace.ask('POST', '/requirements', {
              projectId: workspace.project,
              itemEntityId,
              requiredQty: 1,
            });
          case 'use':
            return workspace.ask('PUT', `/entities/${ref(other)}/uses/${itemEntityId}`, { quantity: 1 });
          case 'archive':
            return workspace.ask('POST', `/entities/${itemEntityId}/archive`);
          case 'sync':
            return workspace.ask('POST', '/pdm/sync', { entities: sent }, { Prefer: 'wait=60' });
        }
      };
      for (const round of rounds) {
        const answers = await Promise.all(round.map(act));
        for (const answer of answers) expect(answer?.status, answer?.text).toBeLessThan(500);
      }
      expect(await workspace.transact((tx) => tx.query(selectMisled, [workspace.id]))).toEqual([]);
      expect(await workspace.transact((tx) => tx.query(selectWrong, [workspace.id]))).toEqual([]);
      const ids = new Set<string>();
      for (let at = 0; at < PARTS; at++)
        ids.add((await workspace.must(200, 'GET', `/entities/${ref(at)}`)).id);
      let onHand = 0;
      for (const id of ids) onHand += (await workspace.figures(id))[0];
      expect(onHand).toBe(received);
      // All elements of one part lie in one chunk, whichever of its GUIDs they name: their quantities add up.
      const again = await workspace.must(200, 'POST', '/pdm/sync', { entities: sent });
      expect(again.counts.error, JSON.stringify(again)).toBe(0);
      const { items } = await workspace.must(200, 'GET', `/entities/guid:${top}/uses`);
      const total = items.reduce((sum: number, { quantity }: { quantity: number }) => sum + quantity, 0);
      expect(total).toBe((PARTS * (PARTS + 1)) / 2);
    }),
    { numRuns: 12 },
  );
});
