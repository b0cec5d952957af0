/** Supplier parts that elements of an import state: made, changed, kept and refused (contract §4.12). */
import { describe, expect, it } from 'vitest';
import type { DefaultWorkspace } from '../workspaces/default-workspace.ts';
import { element, outcomeOf, type SyncCalls, taken } from './sync-calls.ts';

interface Here {
  calls: SyncCalls;
  workspace: DefaultWorkspace;
  /** Calls with the key. */
  callsOf(key: string): SyncCalls;
}

export function describeSupplierPartRules(here: () => Here): void {
  const stating = (...supplierParts: object[]) => ({ ...element(), supplierParts });
  const codesOf = ({ warnings = [] }: { warnings?: { code: string }[] }) => warnings.map(({ code }) => code);
  const partsOf = async ({ guid }: { guid: string }) =>
    (await here().calls.get(`/supplier-parts?itemEntityId=guid:${guid}`)).body.items;
  const suppliers = async (): Promise<string[]> =>
    (await here().calls.get('/suppliers')).body.items.map(({ name }: { name: string }) => name);

  describe('the supplier parts of an element', () => {
    it('are made with the item, whose suppliers are created, and nothing is done where they are equal', async () => {
      const { calls, workspace } = here();
      const part = stating(
        { supplier: ' Digi  Key ', sku: 'DK-1', manufacturer: 'Yageo', mpn: 'RC0603', packQuantity: 10 },
        { supplier: 'Mouser', mpn: 'RC0603', leadTimeDays: 5, prices: [{ price: '0.1', currency: 'EUR' }] },
      );
      const plan = await calls.sync([part], '?dryRun=true');
      expect(taken(plan.results[0]).changes).toContainEqual({
        field: 'supplierParts',
        from: null,
        to: 'Digi Key DK-1, Yageo, RC0603, packs of 10, rank 1',
      });
      expect(await suppliers()).toEqual([]);
      expect((await calls.commit(plan.batchId)).counts).toMatchObject({ created: 1, warnings: 0 });
      const made = await partsOf(part);
      expect(made).toMatchObject([
        {
          supplier: 'Digi Key',
          sku: 'DK-1',
          manufacturer: 'Yageo',
          mpn: 'RC0603',
          packQuantity: 10,
          rank: 1,
        },
        { supplier: 'Mouser', sku: 'RC0603', mpn: 'RC0603', leadTimeDays: 5, rank: 2 },
      ]);
      expect(made[1].prices).toMatchObject([{ from: 1, price: '0.1', currency: 'EUR' }]);
      for (let time = 0; time < 2; time++)
        expect((await calls.sync([part])).counts).toMatchObject({ skipped: 1, warnings: 0 });
      const { body } = await workspace.ask('GET', `/audit?subjectKey=${made[0].id}`);
      expect(body.items).toMatchObject([{ action: 'create', before: null, after: { sku: 'DK-1' } }]);
    });

    it('change where they differ, and what is not stated stays', async () => {
      const { calls, workspace } = here();
      const mouser = { supplier: 'Mouser', sku: 'M-1', mpn: 'RC0603', minimum: 50 };
      const digikey = { supplier: 'DigiKey', sku: 'DK-1' };
      const prices = [
        { from: 1, price: '0.2', currency: 'EUR' },
        { from: 1, price: '0.3', currency: 'USD' },
      ];
      const part = stating({ ...mouser, prices }, digikey);
      await calls.sync([part]);
      const changed = {
        supplier: 'MOUSER',
        mpn: 'RC0603',
        manufacturer: 'Yageo',
        prices: [{ price: '0.4', currency: 'EUR' }],
      };
      const again = { ...part, supplierParts: [changed] };
      const plan = await calls.sync([again], '?dryRun=true');
      expect(taken(plan.results[0]).changes).toHaveLength(1);
      expect((await calls.sync([again])).counts).toMatchObject({ updated: 1, warnings: 0 });
      const [first, second] = await partsOf(part);
      expect(first).toMatchObject({ sku: 'M-1', mpn: 'RC0603', minimum: 50, manufacturer: 'Yageo' });
      expect(first.prices).toMatchObject([
        { price: '0.4', currency: 'EUR' },
        { price: '0.3', currency: 'USD' },
      ]);
      expect(second).toMatchObject({ supplier: 'DigiKey', sku: 'DK-1' });
      const { body } = await workspace.ask('GET', `/audit?subjectKey=${first.id}`);
      expect(body.items).toMatchObject([
        { action: 'update', before: { manufacturer: null }, after: { manufacturer: 'Yageo' } },
        { action: 'create' },
      ]);
    });

    it('come back with the next import where a person has deleted them', async () => {
      const { calls, workspace } = here();
      const part = stating({ supplier: 'Mouser', sku: 'M-1' });
      await calls.sync([part]);
      const [{ id }] = await partsOf(part);
      expect((await workspace.ask('DELETE', `/supplier-parts/${id}`)).status).toBe(204);
      expect((await calls.sync([part])).results.map(outcomeOf)).toEqual(['updated']);
      expect(await partsOf(part)).toMatchObject([{ sku: 'M-1' }]);
    });

    it('find their supplier by its code and by its former name', async () => {
      const { calls, workspace } = here();
      const given = { name: 'Digi-Key', code: 'DK', currency: 'USD' };
      const { body: supplier } = await workspace.ask('POST', '/suppliers', given);
      await workspace.ask('PATCH', `/suppliers/${supplier.id}`, { name: 'DigiKey' });
      const priced = { supplier: 'DK', sku: '1', prices: [{ price: '1.5' }] };
      const part = stating(priced, { supplier: 'digi-key', sku: '2' });
      expect((await calls.sync([part])).counts).toMatchObject({ created: 1, warnings: 0 });
      const made = await partsOf(part);
      expect(made).toMatchObject([
        { supplierId: supplier.id, sku: '1' },
        { supplierId: supplier.id, sku: '2' },
      ]);
      expect(made[0].prices).toMatchObject([{ currency: 'USD' }]);
    });

    it('that cannot be taken are a warning each, and the rest is taken', async () => {
      const { calls } = here();
      const fine = { supplier: 'Mouser', sku: 'M-1' };
      const wrong = [
        'Mouser',
        { supplier: 'Mouser' },
        { supplier: 'Mouser', sku: 'M-2', packQuantity: 0 },
        { supplier: 'Mouser', sku: 'M-3', packQuantity: 10, multiple: 15 },
        { supplier: 'Mouser', sku: 'M-4', prices: [{ price: '1' }] },
        { supplier: 'Mouser', sku: 'M-5', colour: 'red' },
        { supplier: 'Mouser', sku: 'M-6\ud800' },
        { supplier: 'Mouser', sku: 'M-7', prices: [{ price: '1', currency: 'EUR', source: '\u0000' }] },
      ];
      const part = { ...element(), supplierParts: [...wrong, fine] };
      const { results } = await calls.sync([part]);
      expect(outcomeOf(results[0])).toBe('created');
      expect(codesOf(results[0])).toEqual(wrong.map(() => 'supplier_part_refused'));
      expect((await partsOf(part)).map(({ sku }: { sku: string }) => sku)).toEqual(['M-1']);
      const many = {
        ...element(),
        supplierParts: Array.from({ length: 21 }, (_, n) => ({ ...fine, sku: `${n}` })),
      };
      const none = { ...element(), supplierParts: 'Mouser' };
      const place = { ...element({ categoryKey: 'location' }), supplierParts: [fine] };
      const others = await calls.sync([many, none, place]);
      expect(others.results.map(codesOf)).toEqual(Array(3).fill(['supplier_part_refused']));
      expect(await partsOf(many)).toHaveLength(20);
    });

    it('are those of the first line of a part that states any', async () => {
      const { calls } = here();
      const assembly = element();
      const part = { ...element(), parentGuid: assembly.guid };
      const stated = { ...part, supplierParts: [{ supplier: 'Mouser', sku: 'M-1' }] };
      const { counts } = await calls.sync([assembly, part, stated]);
      expect(counts).toMatchObject({ created: 2, error: 0 });
      expect(await partsOf(part)).toMatchObject([{ sku: 'M-1' }]);
    });

    it('are refused from a caller who may not change supplier parts', async () => {
      const part = stating({ supplier: 'Mouser', sku: 'M-1' });
      const { workspace, callsOf } = here();
      const made = await workspace.ask('POST', '/api-keys', { name: 'CAD', areas: ['engineering'] });
      const { results } = await callsOf(made.body.key).sync([part]);
      expect(results).toMatchObject([
        { result: 'created', warnings: [{ code: 'supplier_part_refused', property: 'supplierParts' }] },
      ]);
      expect(await suppliers()).toEqual([]);
    });
  });
}
