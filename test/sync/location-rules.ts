/** The places of locations in an import: in any order, moved, taken out, and refused (contract §3.11). */
import { describe, expect, it } from 'vitest';
import type { DefaultWorkspace } from '../workspaces/default-workspace.ts';
import { element, type SyncCalls, taken } from './sync-calls.ts';

interface Here {
  calls: SyncCalls;
  workspace: DefaultWorkspace;
}

export function describeLocationRules(here: () => Here): void {
  const location = (name: string, parentLocation?: string | null) => ({
    ...element({ name }),
    categoryKey: 'location',
    ...(parentLocation === undefined ? {} : { parentLocation }),
  });
  const codesOf = ({ warnings = [] }: { warnings?: { code: string }[] }) => warnings.map(({ code }) => code);

  /** The names of the locations around each location, by its own name. */
  async function paths(): Promise<Record<string, string[]>> {
    const { body } = await here().calls.get('/locations?limit=100');
    return Object.fromEntries(
      body.items.map(({ name, path }: { name: string; path: string[] }) => [name, path]),
    );
  }

  describe('the place of a location', () => {
    it('is in a location of the same import, in any order, and stays where nothing is said of it', async () => {
      const { calls } = here();
      const warehouse = location('Warehouse');
      const shelf = location('Shelf', warehouse.guid);
      const bin = location('Bin', `{${shelf.guid.toUpperCase()}}`);
      const plan = await calls.sync([bin, shelf, warehouse], '?dryRun=true');
      expect(plan.results[0]).toMatchObject({ result: 'created' });
      expect(taken(plan.results[0]).changes).toContainEqual({
        field: 'parentLocation',
        from: null,
        to: shelf.guid,
      });
      const made = await calls.sync([bin, shelf, warehouse]);
      expect(made.counts).toMatchObject({ created: 3, warnings: 0 });
      expect(await paths()).toEqual({ Warehouse: [], Shelf: ['Warehouse'], Bin: ['Warehouse', 'Shelf'] });
      for (let time = 0; time < 3; time++)
        expect((await calls.sync([bin, shelf, warehouse])).counts).toMatchObject({ skipped: 3, warnings: 0 });
      const { parentLocation: _, ...silent } = shelf;
      await calls.sync([{ ...silent, name: 'Shelf 1' }, bin]);
      expect(await paths()).toMatchObject({ 'Shelf 1': ['Warehouse'], Bin: ['Warehouse', 'Shelf 1'] });
    });

    it('is changed and taken away, in place, with an entry in the audit trail', async () => {
      const { calls, workspace } = here();
      const [from, to] = [location('From'), location('To')];
      const bin = location('Bin', from.guid);
      await calls.sync([from, to, bin]);
      const moved = { ...bin, parentLocation: to.guid };
      const plan = await calls.sync([moved, from], '?dryRun=true');
      expect(plan.results[0]).toMatchObject({
        changes: [{ field: 'parentLocation', from: from.guid, to: to.guid }],
      });
      expect((await calls.commit(plan.batchId)).counts).toMatchObject({ updated: 1, skipped: 1 });
      expect(await paths()).toMatchObject({ Bin: ['To'] });
      expect((await calls.sync([{ ...bin, parentLocation: null }])).counts).toMatchObject({ updated: 1 });
      expect(await paths()).toMatchObject({ Bin: [] });
      const { id } = await calls.entity(bin.guid);
      const { body } = await workspace.ask('GET', `/audit?subjectKey=${id}`);
      const ids = await Promise.all([from, to].map(async ({ guid }) => (await calls.entity(guid)).id));
      expect(body.items.map(({ before, after }: never) => [before, after])).toEqual([
        [{ parentLocation: ids[1] }, { parentLocation: null }],
        [{ parentLocation: ids[0] }, { parentLocation: ids[1] }],
      ]);
    });

    it('is given back by the next import where a person has changed it', async () => {
      const { calls, workspace } = here();
      const warehouse = location('Warehouse');
      const bin = location('Bin', warehouse.guid);
      await calls.sync([warehouse, bin]);
      const moved = await workspace.ask('PATCH', `/entities/guid:${bin.guid}`, { parentLocation: null });
      expect(moved.status, moved.text).toBe(200);
      expect((await calls.sync([bin, warehouse])).counts).toMatchObject({ updated: 1, skipped: 1 });
      expect(await paths()).toMatchObject({ Bin: ['Warehouse'] });
    });

    it('changes places with another one: what lay in it lies around it', async () => {
      const { calls } = here();
      const outer = location('Outer');
      const inner = location('Inner', outer.guid);
      await calls.sync([outer, inner]);
      const turned = [
        { ...inner, parentLocation: null },
        { ...outer, parentLocation: inner.guid },
      ];
      expect((await calls.sync(turned)).counts).toMatchObject({ updated: 2, warnings: 0 });
      expect(await paths()).toMatchObject({ Inner: [], Outer: ['Inner'] });
    });

    it('that would close a cycle is refused for that location alone, and the rest of its data is taken', async () => {
      const { calls } = here();
      const [a, b] = [location('A'), location('B')];
      const c = location('C');
      const cycle = [
        { ...a, parentLocation: b.guid },
        { ...b, parentLocation: a.guid },
        { ...c, parentLocation: a.guid },
      ];
      const plan = await calls.sync(cycle, '?dryRun=true');
      expect(plan.results.map(codesOf)).toEqual([[], ['location_refused'], []]);
      const { results } = await calls.sync(cycle);
      expect(results.map(codesOf)).toEqual([[], ['location_refused'], []]);
      expect(await paths()).toMatchObject({ A: ['B'], B: [], C: ['B', 'A'] });
      const self = await calls.sync([{ ...a, parentLocation: a.guid }]);
      expect([self.results[0].result, codesOf(self.results[0])]).toEqual(['skipped', ['location_refused']]);
      const stored = await calls.sync([{ ...b, name: 'B 2', parentLocation: c.guid }]);
      expect([stored.results[0].result, codesOf(stored.results[0])]).toEqual([
        'updated',
        ['location_refused'],
      ]);
      expect(await paths()).toMatchObject({ A: ['B 2'], 'B 2': [] });
    });

    it('in a location that is not there is a warning each time, until it is there', async () => {
      const { calls } = here();
      const warehouse = location('Warehouse');
      const bin = location('Bin', warehouse.guid);
      for (const result of ['created', 'skipped']) {
        const [first] = (await calls.sync([bin])).results;
        expect([first.result, codesOf(first)]).toEqual([result, ['location_pending']]);
      }
      expect((await calls.sync([bin, warehouse])).counts).toMatchObject({ warnings: 0, error: 0 });
      expect(await paths()).toMatchObject({ Bin: ['Warehouse'] });
    });

    it('is for locations, in locations, at most twenty levels deep', async () => {
      const { calls } = here();
      const part = element({ name: 'Part' });
      const bin = location('Bin', part.guid);
      const placed = await calls.sync([{ ...part, parentLocation: bin.guid }, bin]);
      expect(placed.results.map(codesOf)).toEqual([['location_refused'], ['location_refused']]);
      expect((await calls.sync([{ ...bin, parentLocation: 'shelf' }])).results[0]).toMatchObject({
        code: 'invalid_entity',
      });
      const levels = [location('Level 1')];
      while (levels.length < 21) levels.push(location(`Level ${levels.length + 1}`, levels.at(-1)?.guid));
      const { results } = await calls.sync(levels.toReversed());
      expect(codesOf(results[0])).toEqual(['location_refused']);
      expect(results.slice(1).flatMap(codesOf)).toEqual([]);
    });
  });
}
