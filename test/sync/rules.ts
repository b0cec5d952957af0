/**
 * The rules of sync, one test a rule (interface, Synchronisation rules; contract §2.4). They hold however a batch is cut:
 * one file runs them with a batch in one chunk, another with many.
 */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startTestServer, type TestServer } from '../setup/server.ts';
import { type DefaultWorkspace, makeDefaultWorkspace } from '../workspaces/default-workspace.ts';
import { describeLinkRules } from './link-rules.ts';
import { element, outcomeOf, refusalOf, type SyncCalls, syncCalls } from './sync-calls.ts';

export function describeRules(environment: Record<string, string>): void {
  let server: TestServer;
  let workspace: DefaultWorkspace;
  let calls: SyncCalls;

  beforeAll(async () => {
    server = await startTestServer({ worker: true, environment });
  });
  afterAll(() => server.close());
  beforeEach(async () => {
    workspace = await makeDefaultWorkspace(server);
    calls = syncCalls(server, workspace);
    for (const [key, type] of [
      ['Mass', 'numeric'],
      ['Colour', 'text'],
      ['Due', 'date'],
      ['Bought', 'boolean'],
      ['__proto__', 'text'],
      ['constructor', 'text'],
    ]) {
      const made = await workspace.ask('POST', '/property-definitions', { key, name: key, type });
      expect(made.status, made.text).toBe(201);
    }
  });

  const codesOf = ({ warnings = [] }: { warnings?: { code: string }[] }) => warnings.map(({ code }) => code);

  /** Puts the entity with that GUID into a state, as a transition would. */
  async function putInState(guid: string, state: string): Promise<void> {
    await workspace.transact((tx) =>
      tx.query('update entity set state = $3 where workspace_id = $1 and guid = $2', [
        workspace.id,
        guid,
        state,
      ]),
    );
  }

  async function revisionsOf(guid: string): Promise<object[]> {
    return workspace.transact((tx) =>
      tx.query(
        `select r.revision_number, r.name, r.properties, r.state,
         (select count(*)::integer from entity_revision_link l
          where l.workspace_id = r.workspace_id and l.entity_id = r.entity_id
            and l.revision_number = r.revision_number) as links
       from entity_revision r join entity e on e.workspace_id = r.workspace_id and e.id = r.entity_id
       where e.workspace_id = $1 and e.guid = $2 order by 1`,
        [workspace.id, guid],
      ),
    );
  }

  describe('the request as a whole', () => {
    it('is 422 when the body is not an object with an array "entities", and nothing is stored', async () => {
      for (const body of [[], {}, { entities: {} }, { entities: null }, 'null', '3', '"x"']) {
        const answer = await calls.send(body);
        expect([answer.status, answer.body.code], JSON.stringify(body)).toEqual([422, 'validation_failed']);
      }
      expect((await calls.get('/pdm/sync/batches')).body.items).toEqual([]);
    });

    it('is 400 invalid_json with line and column when it is not JSON', async () => {
      const answer = await calls.send('{"entities": [\n  {"guid": }\n]}');
      expect(answer.status).toBe(400);
      expect(answer.body).toMatchObject({ code: 'invalid_json', line: 2, column: 12 });
    });

    it('is 415 for another media type', async () => {
      const answer = await calls.send('<a/>', { headers: { 'Content-Type': 'application/xml' } });
      expect([answer.status, answer.body.code]).toEqual([415, 'unsupported_media_type']);
    });

    it('completes at once when "entities" is empty', async () => {
      const batch = await calls.sync([]);
      expect(batch.counts).toEqual({
        total: 0,
        processed: 0,
        created: 0,
        updated: 0,
        skipped: 0,
        error: 0,
        warnings: 0,
      });
      expect(batch.results).toEqual([]);
    });

    it('reports exactly one result per element, in payload order', async () => {
      const entities = Array.from({ length: 50 }, (_, i) => (i % 7 === 3 ? { name: 'no guid' } : element()));
      const batch = await calls.sync(entities);
      expect(batch.results.map((result) => result.index)).toEqual(entities.map((_, i) => i));
      expect(batch.counts).toMatchObject({ total: 50, processed: 50, created: 43, error: 7 });
    });
  });

  describe('an element that is invalid', () => {
    it.each([
      ['is not an object', 'text', 'object'],
      ['is null', null, 'object'],
      ['lacks its guid', { ...element(), guid: undefined }, '"guid"'],
      ['has a malformed guid', element({ guid: '123' }), '"guid"'],
      ['has a guid with one brace', element({ guid: `{${randomUUID()}` }), '"guid"'],
      ['lacks its number', { ...element(), number: undefined }, '"number"'],
      ['has a number that is not a string', element({ number: 5 }), '"number"'],
      ['has a number of 256 characters', element({ number: 'x'.repeat(256) }), '"number"'],
      ['lacks its name', { ...element(), name: undefined }, '"name"'],
      ['has a name of 1025 characters', element({ name: 'x'.repeat(1025) }), '"name"'],
      ['lacks its category', { ...element(), categoryKey: undefined }, '"categoryKey"'],
      ['has a malformed parentGuid', element({ parentGuid: 'x' }), '"parentGuid"'],
      ['has a level that is no integer', element({ level: 1.5 }), '"level"'],
      [
        'says by a text whether it has children',
        element({ hasChildren: 'false' }),
        '"hasChildren" must be true or false, not "false".',
      ],
      ['has a quantity of zero', element({ quantity: 0 }), '"quantity"'],
      ['has a quantity of seven fractional digits', element({ quantity: 0.1234567 }), '"quantity"'],
      ['has a quantity of ten integer digits', element({ quantity: 1_000_000_000 }), '"quantity"'],
      ['has a quantity that is a string', element({ quantity: '2' }), '"quantity"'],
      ['has properties that are a list', element({ properties: [] }), '"properties"'],
      ['has a property that is a list', element({ properties: { Mass: [3] } }), '"Mass"'],
      [
        'has a property value of 32 769 characters',
        element({ properties: { Colour: 'x'.repeat(32_769) } }),
        '"Colour"',
      ],
      ['has U+0000 in its name', element({ name: 'a\u0000b' }), 'U+0000'],
      ['has a lone surrogate in a value', element({ properties: { Colour: '\ud800' } }), 'lone surrogate'],
      [
        'has 501 properties',
        element({ properties: Object.fromEntries(Array.from({ length: 501 }, (_, i) => [`k${i}`, ''])) }),
        '501',
      ],
    ])('which %s is an error that names the field; the rest goes on', async (_, bad, named) => {
      const batch = await calls.sync([bad, element()]);
      expect(batch.results[0]).toMatchObject({ index: 0, result: 'error', code: 'invalid_entity' });
      expect(refusalOf(batch.results[0])).toContain(named);
      expect(batch.results[1].result).toBe('created');
    });

    it('is accepted exactly at the limits', async () => {
      const entity = element({
        number: 'x'.repeat(255),
        name: 'y'.repeat(1024),
        quantity: 999_999_999.999999,
        properties: Object.fromEntries([
          ['Colour', 'z'.repeat(32_768)],
          ...Array.from({ length: 499 }, (_, i) => [`k${i}`, '']),
        ]),
      });
      expect((await calls.sync([entity])).results[0].result).toBe('created');
    });
  });

  describe('creating', () => {
    it('makes an entity with the payload’s number, in its lifecycle’s initial state, at revision A', async () => {
      const part = element({ number: 'A-100', name: 'Bracket', properties: { Colour: 'red' } });
      const batch = await calls.sync([part]);
      expect(batch.results[0]).toMatchObject({
        result: 'created',
        guid: part.guid,
        number: 'A-100',
        revision: 'A',
      });
      expect(await calls.entity(part.guid)).toMatchObject({
        E_Guid: part.guid,
        number: 'A-100',
        name: 'Bracket',
        category: 'part',
        state: 'In Work',
        released: false,
        revision: 'A',
        revisionNumber: 1,
        properties: { Colour: 'red' },
      });
    });

    it('takes a GUID with braces and in any case as the same one', async () => {
      const guid = randomUUID();
      await calls.sync([element({ guid: `{${guid.toUpperCase()}}` })]);
      const again = await calls.sync([element({ guid, name: 'Renamed' })]);
      expect(again.results[0]).toMatchObject({ result: 'updated', guid });
    });

    it('gives the scheme’s next number where the payload’s is empty', async () => {
      const batch = await calls.sync([
        element({ number: '' }),
        element({ number: '' }),
        element({ number: 'own' }),
      ]);
      const [first, second, own] = batch.results.map((result) => result.number ?? '');
      expect(own).toBe('own');
      expect(Math.abs(Number(second?.slice(-6)) - Number(first?.slice(-6)))).toBe(1);
    });

    it('gives the scheme’s next number where the category numbers by scheme, whatever the payload says', async () => {
      const category = await workspace.ask('POST', '/categories', {
        key: 'bolt',
        name: 'Bolt',
        numbering: { source: 'scheme', pattern: 'BLT-{0000}' },
        lifecycle: 'part',
        role: 'item',
        behaviour: 'none',
        hiddenFromNew: false,
        tabs: [],
      });
      expect(category.status, category.text).toBe(201);
      const batch = await calls.sync([
        element({ categoryKey: 'bolt', number: 'mine' }),
        element({ categoryKey: 'bolt', number: 'mine too' }),
      ]);
      expect(batch.results.map((result) => result.number).sort()).toEqual(['BLT-0001', 'BLT-0002']);
    });

    it('refuses a category that does not exist: category_not_found', async () => {
      const batch = await calls.sync([element({ categoryKey: 'Prt' })]);
      expect(batch.results[0]).toMatchObject({
        result: 'error',
        code: 'category_not_found',
        message: 'Category "Prt" does not exist in this workspace. Did you mean "part"?',
      });
    });

    it.each(['purchaseOrderLine', 'salesOrderLine', 'manufacturingOrderLine', 'materialRequirement'])(
      'refuses lines and requirements (%s): category_not_syncable',
      async (categoryKey) => {
        const batch = await calls.sync([element({ categoryKey })]);
        expect(batch.results[0]).toMatchObject({ result: 'error', code: 'category_not_syncable' });
      },
    );
  });

  describe('property values', () => {
    it('are coerced by type; what cannot be parsed is left out with a warning', async () => {
      const part = element({
        properties: { Mass: ' -1.50e2 ', Colour: 'red', Due: '2028-02-29', Bought: 'TRUE', Unknown: 'x' },
      });
      const bad = element({ properties: { Mass: '1,5', Colour: 'blue', Due: '2027-02-29', Bought: 'yes' } });
      const batch = await calls.sync([part, bad]);
      expect(batch.results[0].warnings).toBeUndefined();
      expect((await calls.entity(part.guid)).properties).toEqual({
        Mass: -150,
        Colour: 'red',
        Due: '2028-02-29',
        Bought: true,
      });
      expect(batch.results[1].result).toBe('created');
      expect(batch.results[1].warnings?.map((one) => [one.code, one.property]).sort()).toEqual([
        ['invalid_boolean', 'Bought'],
        ['invalid_date', 'Due'],
        ['invalid_numeric', 'Mass'],
      ]);
      expect((await calls.entity(bad.guid)).properties).toEqual({ Colour: 'blue' });
    });

    it('under keys such as __proto__ and constructor are ordinary', async () => {
      const guid = randomUUID();
      const text = `{"entities":[{"guid":"${guid}","number":"P","name":"P","categoryKey":"part",
      "properties":{"__proto__":"a","constructor":"b","toString":"c"}}]}`;
      expect((await calls.send(text)).body.results[0].result).toBe('created');
      const { text: stored } = await calls.get(`/entities/guid:${guid}`);
      expect(stored).toContain('"__proto__":"a"');
      expect(stored).toContain('"constructor":"b"');
      expect(stored).not.toContain('toString');
    });

    it('that are absent from the payload are kept as stored', async () => {
      const part = element({ properties: { Mass: '1', Colour: 'red' } });
      await calls.sync([part]);
      const again = await calls.sync([{ ...part, properties: { Mass: '2' } }]);
      expect(again.results[0].result).toBe('updated');
      expect((await calls.entity(part.guid)).properties).toEqual({ Mass: 2, Colour: 'red' });
      const fewer = await calls.sync([{ ...part, properties: {} }]);
      expect(fewer.results[0].result).toBe('skipped');
    });
  });

  describe('updating', () => {
    it('skips an element in which nothing differs, without a write', async () => {
      const part = element({ properties: { Mass: '1.0' } });
      await calls.sync([part]);
      const before = await calls.entity(part.guid);
      const again = await calls.sync([{ ...part, properties: { Mass: '1' } }]);
      expect(again.results[0]).toMatchObject({ result: 'skipped', entityId: before.id, number: part.number });
      expect(await calls.entity(part.guid)).toEqual(before);
    });

    it('changes an entity that is not released in place', async () => {
      const part = element({ name: 'Old' });
      const {
        results: [created],
      } = await calls.sync([part]);
      const {
        results: [updated],
      } = await calls.sync([{ ...part, name: 'New' }]);
      expect(updated).toMatchObject({
        result: 'updated',
        entityId: created.entityId,
        versionId: created.versionId,
        revision: 'A',
      });
      expect(await calls.entity(part.guid)).toMatchObject({ name: 'New', revisionNumber: 1 });
      expect(await revisionsOf(part.guid)).toEqual([]);
    });

    it('makes a new revision of a released entity, and keeps the old one as it was', async () => {
      const part = element({ name: 'Old', properties: { Mass: '1' } });
      const {
        results: [created],
      } = await calls.sync([part]);
      await putInState(part.guid, 'Released');
      const {
        results: [same],
      } = await calls.sync([part]);
      expect(same).toMatchObject({ result: 'skipped', revision: 'A' });
      const {
        results: [updated],
      } = await calls.sync([{ ...part, properties: { Mass: '2' } }]);
      expect(updated).toMatchObject({ result: 'updated', entityId: created.entityId, revision: 'B' });
      expect(updated.versionId).not.toBe(created.versionId);
      expect(await calls.entity(part.guid)).toMatchObject({
        revisionNumber: 2,
        state: 'In Work',
        properties: { Mass: 2 },
      });
      expect(await revisionsOf(part.guid)).toEqual([
        { revision_number: 1, name: 'Old', properties: { Mass: 1 }, state: 'Released', links: 0 },
      ]);
    });

    it('ignores the number of an entity that has one, and takes it where there is none', async () => {
      const part = element({ number: 'first' });
      await calls.sync([part]);
      const {
        results: [kept],
      } = await calls.sync([{ ...part, number: 'second' }]);
      expect(kept).toMatchObject({ result: 'skipped', number: 'first' });
      await workspace.transact((tx) =>
        tx.query('update entity set number = null, sync_hash = null where workspace_id = $1', [workspace.id]),
      );
      const {
        results: [taken],
      } = await calls.sync([{ ...part, number: 'second' }]);
      expect(taken).toMatchObject({ result: 'updated', number: 'second' });
    });

    it('keeps the category with the warning category_kept, every time', async () => {
      const part = element();
      await calls.sync([part]);
      for (const name of ['Renamed', 'Renamed']) {
        const {
          results: [result],
        } = await calls.sync([{ ...part, name, categoryKey: 'assembly' }]);
        expect(codesOf(result)).toEqual(['category_kept']);
      }
      expect(await calls.entity(part.guid)).toMatchObject({ category: 'part', name: 'Renamed' });
    });

    it('never deletes an entity that is absent from the payload', async () => {
      const [a, b] = [element(), element()];
      await calls.sync([a, b]);
      await calls.sync([a]);
      expect((await calls.entity(b.guid)).number).toBe(b.number);
    });
  });

  describe('parent links', () => {
    it('are made whatever the order of parent and child in the payload', async () => {
      const top = element({ categoryKey: 'assembly' });
      const child = element({ parentGuid: top.guid, quantity: 0.5 });
      await calls.sync([child, top]);
      expect(await calls.uses(top.guid)).toEqual({ [child.number]: 0.5 });
    });

    it('sum the quantities of the same parent and child; a re-sync sets them and never accumulates', async () => {
      const top = element({ categoryKey: 'assembly' });
      const child = element({ parentGuid: top.guid });
      await calls.sync([top, child, child, { ...child, quantity: 0.1 }]);
      expect(await calls.uses(top.guid)).toEqual({ [child.number]: 2.1 });
      await calls.sync([top, child, child, { ...child, quantity: 0.1 }]);
      expect(await calls.uses(top.guid)).toEqual({ [child.number]: 2.1 });
      const { results } = await calls.sync([top, child]);
      expect(results.map((result) => result.result)).toEqual(['skipped', 'updated']);
      expect(await calls.uses(top.guid)).toEqual({ [child.number]: 1 });
    });

    it('refuse an element that would take the sum above 999999999.999999; the others stand', async () => {
      const [top, other] = [element(), element()];
      const child = element({ parentGuid: top.guid, quantity: 999_999_999 });
      const batch = await calls.sync([
        top,
        other,
        child,
        { ...child, quantity: 0.999999 },
        { ...child, quantity: 0.000001 },
        { ...child, parentGuid: other.guid },
      ]);
      const outcomes = batch.results.map(outcomeOf);
      expect(outcomes.slice(2)).toEqual(['created', 'skipped', 'invalid_entity', 'skipped']);
      for (const named of ['"quantity"', top.guid, '999999999.999999'])
        expect(refusalOf(batch.results[4])).toContain(named);
      expect(await calls.uses(top.guid)).toEqual({ [child.number]: 999_999_999.999999 });
      expect(await calls.uses(other.guid)).toEqual({ [child.number]: 999_999_999 });
    });

    it('that are absent from the payload are kept', async () => {
      const top = element({ categoryKey: 'assembly' });
      const child = element({ parentGuid: top.guid });
      await calls.sync([top, child]);
      await calls.sync([top, { ...child, parentGuid: null }]);
      expect(await calls.uses(top.guid)).toEqual({ [child.number]: 1 });
    });

    it('change the parent’s ETag and time of change when they change, and only then', async () => {
      const [top, child] = [element({ categoryKey: 'assembly' }), element()];
      await calls.sync([top, child]);
      const tagOf = async (guid: string) => {
        const answer = await calls.get(`/entities/guid:${guid}`);
        return { tag: answer.headers.get('etag'), updatedAt: answer.body.updatedAt };
      };
      const before = await tagOf(top.guid);
      const under = { ...child, parentGuid: top.guid };
      await calls.sync([under]);
      const linked = await tagOf(top.guid);
      expect(linked.tag).not.toBe(before.tag);
      expect(linked.updatedAt > before.updatedAt).toBe(true);
      await calls.sync([under, top]);
      expect(await tagOf(top.guid)).toEqual(linked);
      await calls.sync([{ ...under, quantity: 2 }]);
      expect((await tagOf(top.guid)).tag).not.toBe(linked.tag);
    });

    it('wait for a parent that is nowhere: parent_pending, and made when one appears in a later batch', async () => {
      const top = element({ categoryKey: 'assembly' });
      const child = element({ parentGuid: top.guid, quantity: 2 });
      for (const result of ['created', 'skipped']) {
        const batch = await calls.sync([child]);
        expect(batch.results[0].result).toBe(result);
        expect(codesOf(batch.results[0])).toEqual(['parent_pending']);
      }
      await calls.sync([{ ...child, quantity: 5 }]);
      await calls.sync([top]);
      expect(await calls.uses(top.guid)).toEqual({ [child.number]: 5 });
      expect((await calls.sync([{ ...child, quantity: 5 }])).results[0]).not.toHaveProperty('warnings');
    });

    it('to a parent that was refused are pending too', async () => {
      const top = element({ categoryKey: 'nope' });
      const child = element({ parentGuid: top.guid });
      const batch = await calls.sync([top, child]);
      expect(batch.results.map((result) => result.result)).toEqual(['error', 'created']);
      expect(codesOf(batch.results[1])).toEqual(['parent_pending']);
    });
  });

  describe('cycles', () => {
    it('refuse an element that names itself', async () => {
      const guid = randomUUID();
      const batch = await calls.sync([element({ guid, parentGuid: guid.toUpperCase() })]);
      expect(batch.results[0]).toMatchObject({ result: 'error', code: 'cycle' });
      expect((await calls.get(`/entities/guid:${guid}`)).status).toBe(404);
    });

    it('refuse the element that closes one inside the payload; its own data are not written', async () => {
      const [a, b, c] = [element(), element(), element()];
      const batch = await calls.sync([
        { ...b, parentGuid: a.guid },
        { ...c, parentGuid: b.guid },
        { ...a, parentGuid: c.guid },
      ]);
      expect(batch.results.map(outcomeOf)).toEqual(['created', 'created', 'cycle']);
      const [toA, toB, toC] = [a, b, c].map(({ guid, number }) => `${number} (${guid})`);
      expect(batch.results[2]).toMatchObject({
        message: `The link to parent would close a cycle: ${toC} → ${toA} → ${toB} → ${c.number}.`,
      });
      expect((await calls.get(`/entities/guid:${a.guid}`)).status).toBe(404);
      expect(codesOf(batch.results[0])).toEqual(['parent_pending']);
      expect(await calls.uses(b.guid)).toEqual({ [c.number]: 1 });
    });

    it('and what else refuses an element keep what its source had to say of it', async () => {
      const [a, b] = [element(), element()];
      const saying = (message: string) => ({ sourceWarnings: [{ message }] });
      const said = (message: string) => [{ code: 'source_warning', message }];
      const many = { ...element({ parentGuid: a.guid }), quantity: 9e8 };
      const batch = await calls.sync([
        { ...a, parentGuid: b.guid, ...saying('Line 1') },
        { ...b, parentGuid: a.guid, ...saying('Line 2') },
        many,
        { ...many, ...saying('Line 4') },
        element({ categoryKey: 'unknown', ...saying('Line 5') }),
        { ...element(), guid: 'none', ...saying('Line 6') },
      ]);
      const refused = ['cycle', 'invalid_entity', 'category_not_found'];
      expect([1, 3, 4].map((at) => outcomeOf(batch.results[at] as never))).toEqual(refused);
      expect(outcomeOf(batch.results[5] as never)).toBe('invalid_entity');
      const told = batch.results.map(({ warnings = [] }) =>
        (warnings as object[]).filter((warning) => 'code' in warning && warning.code === 'source_warning'),
      );
      expect(told).toEqual([
        said('Line 1'),
        said('Line 2'),
        [],
        said('Line 4'),
        said('Line 5'),
        said('Line 6'),
      ]);
    });

    it('refuse the element that closes one through stored links', async () => {
      const [a, b, c] = [element(), element(), element()];
      await calls.sync([a, { ...b, parentGuid: a.guid }, { ...c, parentGuid: b.guid }]);
      const batch = await calls.sync([
        { ...a, name: 'Changed', parentGuid: c.guid },
        element({ parentGuid: c.guid }),
      ]);
      expect(batch.results[0]).toMatchObject({ result: 'error', code: 'cycle' });
      const [toA, toB, toC] = [a, b, c].map(({ guid, number }) => `${number} (${guid})`);
      expect(batch.results[0]).toMatchObject({
        message: `The link to parent would close a cycle: ${toC} → ${toA} → ${toB} → ${c.number}.`,
      });
      expect(batch.results[1].result).toBe('created');
      expect((await calls.entity(a.guid)).name).toBe(a.name);
    });

    it('refuse the element that closes one through a link that waits for it', async () => {
      const [parent, child] = [element(), element()];
      await calls.sync([{ ...child, parentGuid: parent.guid }]);
      const batch = await calls.sync([{ ...parent, parentGuid: child.guid }]);
      expect(batch.results[0]).toMatchObject({ result: 'error', code: 'cycle' });
      expect((await calls.sync([parent])).results[0].result).toBe('created');
      expect(await calls.uses(parent.guid)).toEqual({ [child.number]: 1 });
    });

    it('refuse one of several elements with a GUID; the next one carries the data and speaks of its link', async () => {
      const [a, b, c] = [element(), element(), element()];
      await calls.sync([{ ...b, parentGuid: a.guid }, a, c]);
      const batch = await calls.sync([
        { ...a, parentGuid: b.guid },
        { ...a, parentGuid: c.guid },
      ]);
      expect(batch.results.map((result) => result.result)).toEqual(['error', 'updated']);
      expect(batch.results[1]).not.toHaveProperty('warnings');
      expect(await calls.uses(c.guid)).toEqual({ [a.number]: 1 });
    });

    it('are none where a part stands under several parents at several levels', async () => {
      const [a, b, c] = [element(), element(), element()];
      const batch = await calls.sync([
        a,
        { ...b, parentGuid: a.guid },
        { ...c, parentGuid: b.guid },
        { ...c, parentGuid: a.guid },
      ]);
      expect(batch.counts.error).toBe(0);
    });
  });

  describeLinkRules(() => ({ calls, ask: workspace.ask, putInState, revisionsOf }));
}
