/** The rules of links, beside those of rules.ts: released parents, and what a link carries beside its quantity (contract §2.9). */
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { Use } from '../../web/client/operations.ts';
import type { DefaultWorkspace } from '../workspaces/default-workspace.ts';
import { element, outcomeOf, type SentPart, type SyncCalls, type SyncedBatch, taken } from './sync-calls.ts';

interface RuleWorkspace {
  calls: SyncCalls;
  ask: DefaultWorkspace['ask'];
  putInState(guid: string, state: string): Promise<void>;
  revisionsOf(guid: string): Promise<object[]>;
}

export function describeLinkRules(here: () => RuleWorkspace): void {
  const calls: SyncCalls = {
    sync: (...given) => here().calls.sync(...given),
    commit: (...given) => here().calls.commit(...given),
    send: (...given) => here().calls.send(...given),
    get: (...given) => here().calls.get(...given),
    entity: (...given) => here().calls.entity(...given),
    uses: (...given) => here().calls.uses(...given),
  };
  const codesOf = ({ warnings = [] }: { warnings?: { code: string }[] }) => warnings.map(({ code }) => code);
  const putInState = (guid: string, state: string) => here().putInState(guid, state);
  const revisionsOf = (guid: string) => here().revisionsOf(guid);

  describe('circles', () => {
    it('name an entity that is sent twice as that one of its elements does that asks for the link', async () => {
      const [a, b] = [element(), element()];
      const asking = { ...b, number: `${b.number} again`, parentGuid: a.guid };
      const batch = await calls.sync([b, asking, { ...a, parentGuid: b.guid }]);
      expect(outcomeOf(batch.results[2] as never)).toBe('cycle');
      expect(batch.results[2]).toMatchObject({
        message: `The link to parent would close a cycle: ${asking.number} (${b.guid}) → ${a.number} (${a.guid}) → ${asking.number}.`,
      });
    });

    it('reject an entity all of whose elements close one: its children are told so, wherever in the payload they stand', async () => {
      const [above, below, child] = [element(), element(), element()];
      const message = `The parent with the GUID ${above.guid} was rejected in this import; the link is made when it is accepted.`;
      const batch = await calls.sync([
        { ...child, parentGuid: above.guid },
        { ...below, parentGuid: above.guid },
        element(),
        { ...above, parentGuid: below.guid },
        { ...element(), parentGuid: above.guid },
      ]);
      expect(outcomeOf(batch.results[3] as never)).toBe('cycle');
      const told = [0, 1, 4].map((index) => batch.results[index]?.warnings);
      expect(told).toEqual(told.map(() => [{ code: 'parent_pending', message }]));
    });

    it('are named in bounded length, of the first that are refused, whatever was sent', async () => {
      const long = Array.from({ length: 40 }, () => ({ ...element(), number: `N${'x'.repeat(99)}` }));
      const ring = long.map((one, at) => ({ ...one, parentGuid: long.at(at - 1)?.guid as string }));
      const pairs = Array.from({ length: 60 }, () => [element(), element()] as const);
      const turned = pairs.flatMap(([one, other]) => [
        { ...one, parentGuid: other.guid },
        { ...other, parentGuid: one.guid },
      ]);
      const batch = await calls.sync([...ring, ...turned]);
      const refused = batch.results.filter((result) => outcomeOf(result) === 'cycle');
      expect(refused).toHaveLength(61);
      const messages = refused.map((result) => ('message' in result ? result.message : ''));
      expect(messages[0]).toContain(' → (34 more) → ');
      expect(messages[0]?.length).toBeLessThan(700);
      expect(messages.filter((message) => message.includes('→'))).toHaveLength(50);
      const last = turned.at(-1) as { parentGuid: string };
      expect(messages.at(-1)).toBe(
        `The link to parent ${last.parentGuid} would close a cycle in the structure.`,
      );
    });
  });

  describe('the same guid again in one payload', () => {
    it('under another parent only adds its link and is skipped without a warning', async () => {
      const [p, q] = [element({ categoryKey: 'assembly' }), element({ categoryKey: 'assembly' })];
      const part = element({ parentGuid: p.guid });
      const batch = await calls.sync([p, q, part, { ...part, parentGuid: q.guid, quantity: 3 }]);
      expect(batch.results[2].result).toBe('created');
      expect(batch.results[3]).toMatchObject({
        result: 'skipped',
        guid: part.guid,
        entityId: batch.results[2].entityId,
      });
      expect(codesOf(batch.results[3])).toEqual([]);
      expect(await calls.uses(p.guid)).toEqual({ [part.number]: 1 });
      expect(await calls.uses(q.guid)).toEqual({ [part.number]: 3 });
    });

    it('under the same parent, or again without one, is skipped with duplicate_guid', async () => {
      const top = element({ categoryKey: 'assembly' });
      const part = element({ parentGuid: top.guid });
      const batch = await calls.sync([top, part, part, top]);
      expect(batch.results.map(codesOf)).toEqual([[], [], ['duplicate_guid'], ['duplicate_guid']]);
      expect(await calls.uses(top.guid)).toEqual({ [part.number]: 2 });
    });

    it('is duplicate_guid_conflict when its data differ, and the first element’s count', async () => {
      const part = element({ name: 'First' });
      const batch = await calls.sync([part, { ...part, name: 'Second' }]);
      expect(codesOf(batch.results[1])).toEqual(['duplicate_guid_conflict']);
      expect((await calls.entity(part.guid)).name).toBe('First');
    });

    it('takes its data from the first element that is not an error', async () => {
      const part = element({ name: 'Good' });
      const batch = await calls.sync([{ ...part, categoryKey: 'nope' }, part]);
      expect(batch.results.map((result) => result.result)).toEqual(['error', 'created']);
    });
  });

  describe('the structure of a released parent', () => {
    it('never changes: the parent gets a new revision first, whether it is in the payload or not', async () => {
      for (const inPayload of [true, false]) {
        const top = element({ categoryKey: 'assembly' });
        const child = element({ parentGuid: top.guid });
        await calls.sync([top, child]);
        await putInState(top.guid, 'Released');
        const another = element({ parentGuid: top.guid });
        const batch = await calls.sync([...(inPayload ? [top] : []), another]);
        if (inPayload) expect(batch.results[0]).toMatchObject({ result: 'updated', revision: 'B' });
        expect(await calls.entity(top.guid)).toMatchObject({ revisionNumber: 2, state: 'In Work' });
        expect(await revisionsOf(top.guid)).toMatchObject([
          { revision_number: 1, state: 'Released', links: 1 },
        ]);
        expect(await calls.uses(top.guid)).toEqual({ [child.number]: 1, [another.number]: 1 });
      }
    });

    it('gets one new revision when its data and its structure change in one batch', async () => {
      const top = element({ categoryKey: 'assembly' });
      const child = element({ parentGuid: top.guid });
      await calls.sync([top, child]);
      await putInState(top.guid, 'Released');
      await calls.sync([
        { ...top, name: 'New name' },
        { ...child, quantity: 4 },
      ]);
      expect(await calls.entity(top.guid)).toMatchObject({ name: 'New name', revisionNumber: 2 });
      expect(await revisionsOf(top.guid)).toMatchObject([{ name: top.name, links: 1 }]);
    });

    it('makes no revision when nothing changes', async () => {
      const top = element({ categoryKey: 'assembly' });
      const child = element({ parentGuid: top.guid });
      await calls.sync([top, child]);
      await putInState(top.guid, 'Released');
      await calls.sync([top, child]);
      expect(await calls.entity(top.guid)).toMatchObject({ revisionNumber: 1, state: 'Released' });
    });
  });

  describe('what a link carries beside its quantity', () => {
    const nothing = { findNumber: null, referenceDesignators: [], unit: null, note: null };
    const line = { findNumber: '10', referenceDesignators: ['R1', 'R2'], unit: 'pcs', note: 'By hand' };

    async function usesOf(guid: string): Promise<Use[]> {
      const answer = await calls.get(`/entities/guid:${guid}/uses`);
      expect(answer.status, answer.text).toBe(200);
      return answer.body.items;
    }
    const lineOf = async (guid: string) => {
      const [use] = (await usesOf(guid)) as [Use];
      const { findNumber, referenceDesignators, unit, note } = use;
      return { findNumber, referenceDesignators, unit, note };
    };
    const where = async (designator: string, query = '') => {
      const answer = await calls.get(`/uses?referenceDesignator=${designator}${query}`);
      expect(answer.status, answer.text).toBe(200);
      return (answer.body.items as { childNumber: string }[]).map(({ childNumber }) => childNumber);
    };

    it('is taken from the element, shown from both ends and in the tree, and found by its designators', async () => {
      const top = element({ categoryKey: 'assembly' });
      const child = element({ parentGuid: top.guid, quantity: 2, ...line });
      await calls.sync([top, child]);
      expect(await usesOf(top.guid)).toMatchObject([{ quantity: 2, ...line }]);
      const parents = await calls.get(`/entities/guid:${child.guid}/where-used`);
      expect(parents.body.items).toMatchObject([{ quantity: 2, ...line }]);
      const tree = await calls.get(`/entities/guid:${top.guid}/tree`);
      expect(tree.body.items).toMatchObject([nothing, { quantity: 2, extendedQuantity: 2, ...line }]);
      expect(await where('r2')).toEqual([child.number]);
      expect(await where('R2', `&parent=guid:${top.guid}`)).toEqual([child.number]);
      expect(await where('R2', `&parent=guid:${child.guid}`)).toEqual([]);
      expect(await where('R')).toEqual([]);
    });

    it('is joined over several occurrences: designators once each and in order, of the others the first', async () => {
      const top = element({ categoryKey: 'assembly' });
      const child = element({ parentGuid: top.guid });
      const batch = await calls.sync([
        top,
        { ...child, quantity: 2, referenceDesignators: ['R10', 'R2'], findNumber: '10', unit: null },
        { ...child, quantity: 3, referenceDesignators: [' R1 ', 'R2'], unit: 'pcs', note: 'first' },
        { ...child, quantity: 1, note: 'second' },
      ]);
      expect(await usesOf(top.guid)).toMatchObject([
        { quantity: 6, findNumber: '10', referenceDesignators: ['R1', 'R2', 'R10'], unit: 'pcs' },
      ]);
      expect(batch.results[3].warnings).toMatchObject([
        { code: 'duplicate_guid' },
        { code: 'link_field_conflict', property: 'note' },
      ]);
      expect(batch.results[3].warnings?.[1]?.message).toContain('index 2');
    });

    it('may say what builds need: substitutes, losses, phantom', async () => {
      const top = element({ categoryKey: 'assembly' });
      const child = element({ parentGuid: top.guid });
      const other = element({}).guid;
      const said = { lossPercent: 5, lossFixed: 0.5, phantom: true };
      const kinds = async (given: object) =>
        (await calls.sync([top, { ...child, ...given }])).results.map(({ result }) => result);
      expect(await kinds({ ...said, substitutes: [{ guid: other.toUpperCase(), ratio: 2 }] })).toEqual([
        'created',
        'created',
      ]);
      const substitutes = [{ guid: other, rank: 1, ratio: 2 }];
      expect(await usesOf(top.guid)).toMatchObject([{ ...said, substitutes }]);
      expect(await kinds({ ...said, substitutes })).toEqual(['skipped', 'skipped']);
      const batch = await calls.sync([
        top,
        { ...child, phantom: 'yes', lossPercent: -1, lossFixed: 1e-7, substitutes: [{ guid: 'none' }] },
      ]);
      expect(batch.results[1].warnings?.map(({ code, property }) => `${code} ${property}`)).toEqual(
        ['substitutes', 'lossPercent', 'lossFixed', 'phantom'].map((field) => `invalid_link_field ${field}`),
      );
      expect(await kinds({ substitutes: null, lossPercent: 0, lossFixed: null, phantom: false })).toEqual([
        'skipped',
        'updated',
      ]);
      const none = { substitutes: [], lossPercent: 0, lossFixed: 0, phantom: false };
      expect(await usesOf(top.guid)).toMatchObject([none]);
    });

    it('stays where a payload says nothing of it, goes with null and the empty list, and is no change where it is the same', async () => {
      const top = element({ categoryKey: 'assembly' });
      const child = element({ parentGuid: top.guid });
      const kinds = async (given: object) =>
        (await calls.sync([top, { ...child, ...given }])).results.map(({ result }) => result);
      await kinds(line);
      expect(await kinds({})).toEqual(['skipped', 'skipped']);
      expect(await kinds({ quantity: 5 })).toEqual(['skipped', 'updated']);
      expect(await lineOf(top.guid)).toEqual(line);
      const same = { ...line, referenceDesignators: ['R2', 'R1', 'R2'], quantity: 5 };
      expect(await kinds(same)).toEqual(['skipped', 'skipped']);
      expect(await kinds({ quantity: 5, findNumber: '11' })).toEqual(['skipped', 'updated']);
      expect(await lineOf(top.guid)).toEqual({ ...line, findNumber: '11' });
      expect(await kinds({ quantity: 5, note: null, unit: ' ', referenceDesignators: [] })).toEqual([
        'skipped',
        'updated',
      ]);
      expect(await lineOf(top.guid)).toEqual({ ...nothing, findNumber: '11' });
      expect(await where('R1')).toEqual([]);
      expect(await kinds({ quantity: 5, findNumber: null })).toEqual(['skipped', 'updated']);
      expect(await kinds({ quantity: 5, findNumber: null, unit: null })).toEqual(['skipped', 'skipped']);
      for (const none of [[], null, [' ']])
        expect(await kinds({ quantity: 5, referenceDesignators: none })).toEqual(['skipped', 'skipped']);
    });

    it('opens a revision of a released parent where it changes, and comparing the two says what', async () => {
      const top = element({ categoryKey: 'assembly' });
      const child = element({ parentGuid: top.guid, ...line });
      await calls.sync([top, child]);
      await putInState(top.guid, 'Released');
      expect((await calls.sync([top, child])).results.map(({ result }) => result)).toEqual([
        'skipped',
        'skipped',
      ]);
      const another = element({ parentGuid: top.guid, referenceDesignators: ['C1'] });
      await calls.sync([child, { ...another, unit: 'm' }].map((one) => ({ ...one, findNumber: '30' })));
      expect(await calls.entity(top.guid)).toMatchObject({ revisionNumber: 2, state: 'In Work' });
      const old = await calls.get(`/entities/guid:${top.guid}/revisions/1/uses`);
      expect(old.body.items).toMatchObject([line]);
      const { body } = await calls.get(`/entities/guid:${top.guid}/revisions/compare?from=1&to=2`);
      expect(body.structure).toMatchObject({
        added: [{ number: another.number, findNumber: '30', referenceDesignators: ['C1'], unit: 'm' }],
        removed: [],
        quantity: [],
        lines: [{ number: child.number, changes: [{ field: 'findNumber', from: '10', to: '30' }] }],
      });
    });

    it('waits with a link whose parent is nowhere, and changes while it waits', async () => {
      const top = element({ categoryKey: 'assembly' });
      const child = element({ parentGuid: top.guid, ...line });
      await calls.sync([child]);
      expect(await where('R1')).toEqual([]);
      const changed = { ...child, findNumber: '40', note: null };
      expect((await calls.sync([changed])).results[0].result).toBe('updated');
      expect((await calls.sync([changed])).results[0].result).toBe('skipped');
      await calls.sync([top]);
      expect(await lineOf(top.guid)).toEqual({ ...line, findNumber: '40', note: null });
      expect(await where('R1')).toEqual([child.number]);
    });

    it('stands in a dry run as it would change, and a commit is stale when somebody has changed it', async () => {
      const top = element({ categoryKey: 'assembly' });
      const child = element({ parentGuid: top.guid, ...line });
      await calls.sync([top, child]);
      const wanted = { ...child, findNumber: '11', referenceDesignators: ['R3'], note: null };
      const plan = await calls.sync([top, wanted], '?dryRun=true');
      expect(plan.results[1]).toMatchObject({
        result: 'updated',
        changes: [],
        links: [
          {
            parentGuid: top.guid,
            from: 1,
            to: 1,
            changes: [
              { field: 'findNumber', from: '10', to: '11' },
              { field: 'referenceDesignators', from: ['R1', 'R2'], to: ['R3'] },
              { field: 'note', from: 'By hand', to: null },
            ],
          },
        ],
      });
      const stale = await calls.sync([top, wanted], '?dryRun=true');
      const commit = (id: string) => here().ask('POST', `/pdm/sync/batches/${id}/commit`);
      expect((await commit(plan.batchId)).status).toBe(200);
      expect(await lineOf(top.guid)).toEqual({
        findNumber: '11',
        referenceDesignators: ['R3'],
        unit: 'pcs',
        note: null,
      });
      expect((await commit(stale.batchId)).body.code).toBe('plan_stale');
    });

    it('is warned of and left out where it cannot be taken; the element stands', async () => {
      const top = element({ categoryKey: 'assembly' });
      const many = Array.from({ length: 2001 }, (_, at) => `R${at}`);
      const sent = [
        element({ parentGuid: top.guid, findNumber: 10, unit: 'x'.repeat(33), note: 'a\u0000b' }),
        element({ parentGuid: top.guid, referenceDesignators: 'R1, R2' }),
        element({ parentGuid: top.guid, referenceDesignators: ['R1', 7, 'x'.repeat(65), ''] }),
        element({ parentGuid: top.guid, referenceDesignators: many }),
        element({ note: { of: 'a topmost one' } }),
      ];
      const batch = await calls.sync([top, ...sent]);
      expect(batch.results.map(({ result }) => result)).toEqual(Array(6).fill('created'));
      expect(
        batch.results.map(({ warnings = [] }) => warnings.map(({ code, property }) => `${code} ${property}`)),
      ).toEqual([
        [],
        ['invalid_link_field findNumber', 'invalid_link_field unit', 'invalid_link_field note'],
        ['invalid_link_field referenceDesignators'],
        ['invalid_link_field referenceDesignators'],
        ['invalid_link_field referenceDesignators'],
        [],
      ]);
      const designators = new Map(
        (await usesOf(top.guid)).map((use) => [use.number, use.referenceDesignators]),
      );
      expect(designators.get(sent[2]?.number as string)).toEqual(['R1']);
      expect(designators.get(sent[3]?.number as string)).toEqual(many.slice(0, 2000));
      expect(await where('R1999')).toEqual([sent[3]?.number]);
    });

    it('is edited by hand too: what is not given stays, the same again changes nothing', async () => {
      const [top, child] = [element({ categoryKey: 'assembly' }), element()];
      await calls.sync([top, child]);
      const path = `/entities/guid:${top.guid}/uses/guid:${child.guid}`;
      const put = async (body: object) => {
        const { status, body: use, headers } = await here().ask('PUT', path, body);
        return { status, use, tag: headers.get('etag') };
      };
      expect(await put({ quantity: 2, ...line, referenceDesignators: ['R2', ' R1 ', 'R2'] })).toMatchObject({
        status: 201,
        use: { quantity: 2, ...line },
      });
      const kept = await put({ quantity: 3 });
      expect(kept.use).toMatchObject({ quantity: 3, ...line });
      expect((await put({ quantity: 3, note: 'By hand', referenceDesignators: ['R2', 'R1'] })).tag).toBe(
        kept.tag,
      );
      const changed = await put({ quantity: 3, note: null, referenceDesignators: ['R5'], unit: '' });
      expect(changed.use).toMatchObject({ ...nothing, findNumber: '10', referenceDesignators: ['R5'] });
      expect(changed.tag).not.toBe(kept.tag);
      expect([await where('R1'), await where('R5')]).toEqual([[], [child.number]]);
      for (const body of [
        { referenceDesignators: Array(2001).fill('R') },
        { referenceDesignators: Array(300).fill('R'.repeat(64)) },
        { findNumber: 'x'.repeat(65) },
        { unit: 'x'.repeat(33) },
        { note: 'x'.repeat(1025) },
      ])
        expect((await put({ quantity: 1, ...body })).status, JSON.stringify(body).slice(0, 60)).toBe(422);
      expect((await here().ask('DELETE', path)).status).toBe(204);
      expect(await where('R5')).toEqual([]);
    });

    it('is found page by page, in every assembly that has it', async () => {
      const tops = Array.from({ length: 5 }, () => element({ categoryKey: 'assembly' }));
      const designator = `R${randomUUID()}`;
      await calls.sync([
        ...tops,
        ...tops.map(({ guid }) => element({ parentGuid: guid, referenceDesignators: [designator] })),
      ]);
      const seen: string[] = [];
      let cursor = '';
      do {
        const { body } = await calls.get(`/uses?referenceDesignator=${designator}&limit=2${cursor}`);
        expect(body.items.length).toBeLessThanOrEqual(2);
        seen.push(...body.items.map(({ parentNumber }: { parentNumber: string }) => parentNumber));
        cursor = body.nextCursor === null ? '' : `&cursor=${body.nextCursor}`;
      } while (cursor !== '');
      expect(seen.sort()).toEqual(tops.map(({ number }) => number).sort());
    });
  });

  describe('a payload that says its structure exactly', () => {
    const exactly = '?structure=exact';
    const kinds = (batch: SyncedBatch) => batch.results.map(outcomeOf);
    const codesOf = ({ warnings = [] }: { warnings?: { code: string }[] }) =>
      warnings.map(({ code }) => code);
    /** An assembly of three parts. */
    async function assembly() {
      const top = element({ categoryKey: 'assembly' });
      const parts = [1, 2, 3].map((quantity) => element({ parentGuid: top.guid, quantity })) as [
        SentPart,
        SentPart,
        SentPart,
      ];
      await calls.sync([top, ...parts]);
      return { top, parts };
    }

    it('takes out what it does not name of an assembly that stands in it with its children; entities stay', async () => {
      const { top, parts } = await assembly();
      const [bolt, nut, pin] = parts;
      const other = element({ categoryKey: 'assembly' });
      await calls.sync([other, { ...pin, parentGuid: other.guid }]);
      const before = await here().ask('GET', `/entities/guid:${top.guid}`);
      const sent = [top, bolt, { ...nut, quantity: 5 }];
      expect(kinds(await calls.sync([top, bolt]))).toEqual(['skipped', 'skipped']);
      const batch = await calls.sync(sent, exactly);
      expect(batch).toMatchObject({ structure: 'exact' });
      expect(kinds(batch)).toEqual(['updated', 'skipped', 'updated']);
      expect(await calls.uses(top.guid)).toEqual({ [bolt.number]: 1, [nut.number]: 5 });
      expect(await calls.uses(other.guid)).toEqual({ [pin.number]: 3 });
      expect((await calls.entity(pin.guid)).number).toBe(pin.number);
      const after = await here().ask('GET', `/entities/guid:${top.guid}`);
      expect(after.headers.get('etag')).not.toBe(before.headers.get('etag'));
      expect(kinds(await calls.sync(sent, exactly))).toEqual(['skipped', 'skipped', 'skipped']);
    });

    it('leaves alone what stands in it without children or does not stand in it, and empties what says it has none', async () => {
      const { top, parts } = await assembly();
      const more = element({ parentGuid: top.guid });
      await calls.sync([more], exactly);
      await calls.sync([top], exactly);
      await calls.sync([{ ...top, hasChildren: true }], exactly);
      await calls.sync([{ ...top, hasChildren: false }]);
      const wrong = (await calls.sync([{ ...top, hasChildren: 'false' }], exactly)).results[0];
      expect(wrong).toMatchObject({
        code: 'invalid_entity',
        message: expect.stringContaining('hasChildren'),
      });
      expect(Object.keys(await calls.uses(top.guid))).toHaveLength(4);
      expect(kinds(await calls.sync([{ ...top, hasChildren: false }, parts[1]], exactly))).toEqual([
        'updated',
        'skipped',
      ]);
      expect(await calls.uses(top.guid)).toEqual({ [parts[1].number]: 2 });
      expect(kinds(await calls.sync([{ ...top, hasChildren: false }], exactly))).toEqual(['updated']);
      expect(await calls.uses(top.guid)).toEqual({});
    });

    it('opens one revision of a released assembly, whose old one keeps what it had; a part without a GUID goes too', async () => {
      const { top, parts } = await assembly();
      const glue = await here().ask('POST', '/entities', { category: 'part', name: 'Glue' });
      const path = `/entities/guid:${top.guid}/uses/${glue.body.id}`;
      expect((await here().ask('PUT', path, { quantity: 1 })).status).toBe(201);
      await putInState(top.guid, 'Released');
      expect(kinds(await calls.sync([{ ...top, name: 'Leaner' }, parts[0]], exactly))).toEqual([
        'updated',
        'skipped',
      ]);
      expect(await calls.entity(top.guid)).toMatchObject({ revisionNumber: 2, state: 'In Work' });
      expect(await revisionsOf(top.guid)).toMatchObject([{ revision_number: 1, links: 4, name: top.name }]);
      const { body } = await calls.get(`/entities/guid:${top.guid}/revisions/compare?from=1&to=2`);
      expect(body.structure.removed).toHaveLength(3);
      await putInState(top.guid, 'Released');
      expect(kinds(await calls.sync([top, parts[0]], exactly))).toEqual(['updated', 'skipped']);
      expect(kinds(await calls.sync([top, parts[0], parts[1]], exactly))).toEqual([
        'skipped',
        'skipped',
        'updated',
      ]);
    });

    it('takes out nothing that a refused element names, and nothing where one cannot be read', async () => {
      const { top, parts } = await assembly();
      const [bolt, nut, pin] = parts;
      const refused = [
        { ...nut, categoryKey: 'nope' },
        { ...pin, name: 7 },
      ];
      await calls.sync([top, bolt, ...refused], exactly);
      expect(Object.keys(await calls.uses(top.guid))).toHaveLength(3);
      const other = await assembly();
      const lost = await calls.sync(
        [top, bolt, { ...nut, guid: 'lost' }, other.top, other.parts[0]],
        exactly,
      );
      expect(kinds(lost)).toEqual(['skipped', 'skipped', 'invalid_entity', 'updated', 'skipped']);
      expect(codesOf(lost.results[0])).toEqual(['structure_kept']);
      expect(Object.keys(await calls.uses(top.guid))).toHaveLength(3);
      expect(Object.keys(await calls.uses(other.top.guid))).toHaveLength(1);
      for (const unreadable of [7, { ...nut, parentGuid: 'lost' }]) {
        const batch = await calls.sync([unreadable, top, bolt], exactly);
        expect(codesOf(batch.results[1])).toEqual(['structure_kept']);
      }
      // An assembly that is refused itself does not stand there.
      expect(kinds(await calls.sync([{ ...top, categoryKey: 'nope' }, bolt], exactly))).toEqual([
        'category_not_found',
        'skipped',
      ]);
      expect(Object.keys(await calls.uses(top.guid))).toHaveLength(3);
    });

    it('says in a dry run what it would take out; the commit does that, and is stale when a link has been added', async () => {
      const { top, parts } = await assembly();
      const [bolt, nut, pin] = parts;
      const sent = [top, bolt];
      const plan = await calls.sync(sent, `${exactly}&dryRun=true`);
      expect(plan.results[0]).toMatchObject({ result: 'updated', changes: [] });
      const removed = [nut, pin].map(({ guid, quantity }) => ({
        parentGuid: top.guid,
        childGuid: guid,
        from: quantity,
        to: null,
      }));
      const links = taken(plan.results[0]).links ?? [];
      const byChild = (a: { childGuid?: string | null }, b: { childGuid?: string | null }) =>
        (a.childGuid ?? '') < (b.childGuid ?? '') ? -1 : 1;
      expect(links.toSorted(byChild)).toMatchObject(removed.toSorted(byChild));
      expect(Object.keys(await calls.uses(top.guid))).toHaveLength(3);
      const commit = (id: string) => here().ask('POST', `/pdm/sync/batches/${id}/commit`);
      const late = await here().ask('POST', '/entities', { category: 'part', name: 'Late' });
      const path = `/entities/guid:${top.guid}/uses/${late.body.id}`;
      expect((await here().ask('PUT', path, { quantity: 1 })).status).toBe(201);
      expect((await commit(plan.batchId)).body.code).toBe('plan_stale');
      const again = await calls.sync(sent, `${exactly}&dryRun=true`);
      const committed = await commit(again.batchId);
      expect([committed.status, committed.body.structure]).toEqual([200, 'exact']);
      expect(await calls.uses(top.guid)).toEqual({ [bolt.number]: 1 });
    });

    it('lets go of links that waited for the assembly and are not named when it comes', async () => {
      const top = element({ categoryKey: 'assembly' });
      const [bolt, nut] = [element({ parentGuid: top.guid }), element({ parentGuid: top.guid })];
      await calls.sync([bolt, nut]);
      expect(kinds(await calls.sync([top, bolt], exactly))).toEqual(['created', 'skipped']);
      expect(await calls.uses(top.guid)).toEqual({ [bolt.number]: 1 });
    });

    it('turns two assemblies round: what is taken out closes no cycle', async () => {
      const [inner, part] = [element(), element()];
      const outer = element();
      await calls.sync([outer, { ...inner, parentGuid: outer.guid }]);
      const turned = [inner, { ...outer, parentGuid: inner.guid }, { ...part, parentGuid: outer.guid }];
      expect(kinds(await calls.sync(turned))).toEqual(['skipped', 'cycle', 'created']);
      expect(kinds(await calls.sync(turned, exactly))).toEqual(['skipped', 'updated', 'skipped']);
      expect(await calls.uses(inner.guid)).toEqual({ [outer.number]: 1 });
      expect(await calls.uses(outer.guid)).toEqual({ [part.number]: 1 });
    });

    it('is additive where some of it is sent again', async () => {
      const { top, parts } = await assembly();
      const failed = await calls.sync(
        [top, parts[0], { ...parts[1], categoryKey: 'later' }, parts[2]],
        exactly,
      );
      const made = await here().ask('POST', '/categories', { key: 'later', name: 'Later' });
      expect(made.status, made.text).toBe(201);
      const again = await here().ask('POST', `/pdm/sync/batches/${failed.batchId}/resend`, {});
      expect([again.status, again.body.structure]).toEqual([200, 'additive']);
      expect(Object.keys(await calls.uses(top.guid))).toHaveLength(3);
    });
  });
}
