/** How the values of an element are read: texts, numbers, nulls, and names that are nearly right (contract §2.4). */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { drawPng, sha256Of } from '../pictures/draw.ts';
import { startTestServer, type TestServer } from '../setup/server.ts';
import { type DefaultWorkspace, makeDefaultWorkspace } from '../workspaces/default-workspace.ts';
import { describeLocationRules } from './location-rules.ts';
import { describeSupplierPartRules } from './supplier-part-rules.ts';
import { element, outcomeOf, refusalOf, type SentPart, type SyncCalls, syncCalls } from './sync-calls.ts';

const NIL = '00000000-0000-0000-0000-000000000000';

export function describeElements(environment: Record<string, string>): void {
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
    for (const [key, type] of Object.entries({
      Mass: 'numeric',
      Colour: 'text',
      Due: 'date',
      Bought: 'boolean',
    })) {
      const made = await workspace.ask('POST', '/property-definitions', { key, name: key, type });
      expect(made.status, made.text).toBe(201);
    }
  });

  const warningsOf = ({ warnings = [] }: { warnings?: { code: string; property?: string }[] }) =>
    warnings.map(({ code, property }) => [code, property]);

  /** Sends one element that creates its entity, and returns what is stored of it beside its warnings. */
  async function created(given: object) {
    const sent = element(given);
    const batch = await calls.sync([sent]);
    expect(batch.results[0].result, refusalOf(batch.results[0])).toBe('created');
    return { entity: await calls.entity(sent.guid), warnings: warningsOf(batch.results[0]) };
  }

  describe('null as the value of a property', () => {
    it('removes what is stored, and processes the rest of the element', async () => {
      const part = element({ properties: { Mass: '2', Colour: 'red' } });
      await calls.sync([part]);
      const changed = { ...part, name: 'Renamed', properties: { Mass: null, Bought: 'true' } };
      expect((await calls.sync([changed])).counts).toMatchObject({ updated: 1, error: 0, warnings: 0 });
      expect(await calls.entity(part.guid)).toMatchObject({
        name: 'Renamed',
        properties: { Colour: 'red', Bought: true },
      });
      expect((await calls.sync([changed])).counts).toMatchObject({ skipped: 1 });
      expect((await calls.sync([{ ...part, name: 'Renamed' }])).counts).toMatchObject({ updated: 1 });
      expect((await calls.sync([changed])).counts).toMatchObject({ updated: 1 });
      expect((await calls.entity(part.guid)).properties).toEqual({ Colour: 'red', Bought: true });
    });

    it('changes nothing where none is stored, and nothing of an entity that is new', async () => {
      const { entity } = await created({ properties: { Mass: null, Unknown: null, Colour: 'red' } });
      expect(entity.properties).toEqual({ Colour: 'red' });
      const again = element({ guid: entity.E_Guid, name: entity.name, properties: { Mass: null } });
      expect((await calls.sync([again])).counts).toMatchObject({ skipped: 1 });
    });

    it('is told by a dry run as a change to null', async () => {
      const part = element({ properties: { Mass: '2' } });
      await calls.sync([part]);
      const plan = await calls.sync([{ ...part, properties: { Mass: null } }], '?dryRun=true');
      expect(plan.results[0]).toMatchObject({ changes: [{ field: 'properties.Mass', from: 2, to: null }] });
    });
  });

  describe('numbers and truth values in JSON', () => {
    it('are taken as their text', async () => {
      const { entity, warnings } = await created({ properties: { Mass: 5, Bought: true, Colour: 7 } });
      expect(entity.properties).toEqual({ Mass: 5, Bought: true, Colour: '7' });
      expect(warnings).toEqual([]);
    });

    it('keep the digits that were sent', async () => {
      const part = element();
      const body = JSON.stringify({ entities: [{ ...part, properties: { Colour: '#' } }] });
      const answer = await calls.send(body.replace('"#"', '1.50'));
      expect(answer.status, answer.text).toBe(200);
      expect((await calls.entity(part.guid)).properties).toEqual({ Colour: '1.50' });
    });

    it('are refused where they are lists or objects', async () => {
      const batch = await calls.sync([element({ properties: { Mass: [5] } })]);
      expect(batch.results[0]).toMatchObject({
        code: 'invalid_entity',
        message: expect.stringContaining('"Mass"'),
      });
    });
  });

  it('blanks around a value are dropped for every type but text', async () => {
    const { entity, warnings } = await created({
      properties: { Bought: 'True ', Due: ' 2026-11-26 ', Mass: ' 1.5 ', Colour: ' red ' },
    });
    expect(entity.properties).toEqual({ Bought: true, Due: '2026-11-26', Mass: 1.5, Colour: ' red ' });
    expect(warnings).toEqual([]);
  });

  describe('a number with more digits than can be stored', () => {
    it.each([
      '9007199254740993',
      '0.1234567890123456789',
      '3.14159265358979323846',
      '1e-400',
      '-12345678901234567',
    ])('changes nothing and has the warning imprecise_numeric: %s', async (text) => {
      const part = element({ properties: { Mass: '2' } });
      await calls.sync([part]);
      const batch = await calls.sync([{ ...part, properties: { Mass: text } }]);
      expect(warningsOf(batch.results[0])).toEqual([['imprecise_numeric', 'Mass']]);
      expect((await calls.entity(part.guid)).properties).toEqual({ Mass: 2 });
    });

    it('has the warning as a number in JSON, too', async () => {
      const body = JSON.stringify({ entities: [element({ properties: { Mass: '#' } })] });
      const answer = await calls.send(body.replace('"#"', '9007199254740993'));
      expect(warningsOf(answer.body.results[0])).toEqual([['imprecise_numeric', 'Mass']]);
    });

    it.each([
      ['9007199254740992', 9007199254740992],
      // As programs print a double of 0.1 that want to lose nothing of it.
      ['0.10000000000000001', 0.1],
      ['0.30000000000000004', 0.30000000000000004],
      ['1.10', 1.1],
      ['000123.4500', 123.45],
      ['1e21', 1e21],
      ['12345678901234567890e-10', null],
      ['-0', 0],
      ['1.5E3', 1500],
    ])('does not mean %s', async (text, value) => {
      const { entity, warnings } = await created({ properties: { Mass: text } });
      if (value === null) expect(warnings).toEqual([['imprecise_numeric', 'Mass']]);
      else expect([entity.properties, warnings]).toEqual([{ Mass: value }, []]);
    });
  });

  describe('the nil GUID', () => {
    it.each([NIL, `{${NIL}}`])('is refused: %s', async (guid) => {
      const batch = await calls.sync([element({ guid }), element({ guid })]);
      for (const result of batch.results.slice(0, 2))
        expect(result).toMatchObject({
          code: 'invalid_entity',
          message: expect.stringContaining('nil GUID'),
        });
      expect((await calls.get(`/entities/guid:${NIL}`)).status).toBe(404);
    });

    it('is refused as a parent', async () => {
      const batch = await calls.sync([element({ parentGuid: NIL })]);
      expect(batch.results[0]).toMatchObject({
        code: 'invalid_entity',
        message: expect.stringContaining('"parentGuid"'),
      });
    });

    it('is refused for an entity that is made or changed by hand', async () => {
      const body = { category: 'part', name: 'Part', E_Guid: NIL };
      expect(await workspace.ask('POST', '/entities', body)).toMatchObject({ status: 422 });
      const made = await workspace.ask('POST', '/entities', { category: 'part', name: 'Part' });
      const patched = await workspace.ask('PATCH', `/entities/${made.body.id}`, { E_Guid: NIL });
      expect(patched).toMatchObject({ status: 422 });
    });
  });

  describe('the texts of an element', () => {
    it('lose the blanks around number and name', async () => {
      const { entity, warnings } = await created({ number: ' A-77 ', name: '\u00a0Wheel\t' });
      expect(entity).toMatchObject({ number: 'A-77', name: 'Wheel' });
      expect(warnings).toEqual([]);
    });

    it.each([
      [{ number: 'A\nB' }, { number: 'A B' }, 'number'],
      [{ number: 'A\u200bB\ufeff' }, { number: 'AB' }, 'number'],
      [{ name: 'One\r\nline' }, { name: 'One line' }, 'name'],
      [{ name: 'Part \u202egnp.exe' }, { name: 'Part gnp.exe' }, 'name'],
      [{ name: '\u0007Bell\u2066' }, { name: 'Bell' }, 'name'],
      [{ properties: { Colour: 'a\u0007b\u202e' } }, { properties: { Colour: 'ab' } }, 'Colour'],
    ])('lose characters that cannot be shown, with a warning: %j', async (given, stored, property) => {
      const { entity, warnings } = await created(given);
      expect(entity).toMatchObject(stored);
      expect(warnings).toEqual([['text_cleaned', property]]);
    });

    it('are shown by their codes in the warning', async () => {
      const batch = await calls.sync([element({ name: 'x\u202ey' })]);
      expect(batch.results[0]?.warnings?.[0]?.message).toContain('("x\\u202ey")');
    });

    it('keep line breaks and tabs in the value of a property, and joined emoji in a name', async () => {
      const name = '\u{1f468}\u200d\u{1f469}\u200d\u{1f466} Family';
      const { entity, warnings } = await created({ name, properties: { Colour: 'red\n\tor blue\r\n' } });
      expect(entity).toMatchObject({ name, properties: { Colour: 'red\n\tor blue\r\n' } });
      expect(warnings).toEqual([]);
    });

    it('are one text however their accents are typed', async () => {
      const part = element({
        number: 'Cafe\u0301-1',
        name: 'Cafe\u0301',
        properties: { Colour: 'cre\u0301me' },
      });
      await calls.sync([part]);
      expect(await calls.entity(part.guid)).toMatchObject({
        number: 'Caf\u00e9-1',
        name: 'Caf\u00e9',
        properties: { Colour: 'cr\u00e9me' },
      });
      const composed = {
        ...part,
        number: 'Caf\u00e9-1',
        name: 'Caf\u00e9',
        properties: { Colour: 'cr\u00e9me' },
      };
      expect((await calls.sync([composed])).counts).toMatchObject({ skipped: 1 });
    });

    it('are one text however their accents are typed by hand', async () => {
      const body = {
        category: 'part',
        name: ' Cafe\u0301 ',
        number: ' Cafe\u0301-2 ',
        properties: { Colour: 'cre\u0301me' },
      };
      const made = await workspace.ask('POST', '/entities', body);
      const stored = { name: 'Caf\u00e9', number: 'Caf\u00e9-2', properties: { Colour: 'cr\u00e9me' } };
      expect(made).toMatchObject({ status: 201, body: stored });
      const renamed = await workspace.ask('PATCH', `/entities/${made.body.id}`, { name: 'Te\u0301' });
      expect(renamed.body.name).toBe('T\u00e9');
    });

    it('take the number as the name where the name is empty, and are refused where both are', async () => {
      const { entity, warnings } = await created({ number: 'N-EMPTY', name: ' \t ' });
      expect(entity).toMatchObject({ number: 'N-EMPTY', name: 'N-EMPTY' });
      expect(warnings).toEqual([['empty_name', 'name']]);
      const batch = await calls.sync([element({ number: ' ', name: '' })]);
      expect(batch.results[0]).toMatchObject({ code: 'invalid_entity' });
    });

    it('may have as many characters as the limit says, those of two code units counted once', async () => {
      const name = '\u{1f600}'.repeat(1024);
      expect((await created({ name })).entity.name).toBe(name);
      const batch = await calls.sync([element({ name: `${name}x` })]);
      expect(batch.results[0]).toMatchObject({ code: 'invalid_entity' });
    });
  });

  describe('a field whose name is nearly right', () => {
    it('has one warning in an import, which names the right one', async () => {
      const misspelled = Array.from({ length: 4 }, () => ({
        ...element(),
        parentGUID: randomUUID(),
        qty: 3,
      }));
      for (let time = 0; time < 2; time++) {
        const batch = await calls.sync([element(), ...misspelled]);
        const warnings = batch.results.flatMap((one) => one.warnings ?? []);
        expect(warnings.map(({ property }) => property).sort()).toEqual(['parentGUID', 'qty']);
        expect(warnings.map(({ code }) => code)).toEqual(['unknown_field', 'unknown_field']);
        expect(warnings.map(({ message }) => message).join(' ')).toMatch(
          /"parentGuid".*"quantity"|"quantity".*"parentGuid"/,
        );
        expect(batch.counts.warnings).toBe(2);
        const problems = await calls.get(`/pdm/sync/batches/${batch.batchId}/problems`);
        expect(problems.body.items.map(({ count }: { count: number }) => count)).toEqual([1, 1]);
      }
    });

    it('is proposed where the field is missing', async () => {
      const { categoryKey: category_key, ...rest } = element();
      const batch = await calls.sync([{ ...rest, category_key }]);
      expect(batch.results[0]).toMatchObject({
        code: 'invalid_entity',
        message: '"categoryKey" is missing. Send "category_key" as "categoryKey".',
      });
    });

    it('is no warning beside the right one, nor for a field that is like none', async () => {
      const { warnings } = await created({ quantity: 1, qty: 3, weight: 3, colour: 'red', 'qty\u0000': 1 });
      expect(warnings).toEqual([]);
    });
  });

  it.each([
    ['Part', 'part'],
    ['prt', 'part'],
    ['ASSEMBLY ', 'assembly'],
  ])('of a category that does not exist, %s, the nearest key is proposed', async (categoryKey, key) => {
    const batch = await calls.sync([element({ categoryKey })]);
    expect(batch.results[0]).toMatchObject({ code: 'category_not_found' });
    expect(refusalOf(batch.results[0])).toContain(`Did you mean "${key}"?`);
  });

  it('a category that is like no other has no proposal', async () => {
    const batch = await calls.sync([element({ categoryKey: 'zzzzzzzz' })]);
    expect(refusalOf(batch.results[0])).toBe('Category "zzzzzzzz" does not exist in this workspace.');
  });

  it('a level that contradicts the parent has a warning', async () => {
    const root = element({ level: 0 });
    const parentGuid = root.guid;
    const sent = [
      root,
      element({ level: 1, parentGuid }),
      element({ level: 0, parentGuid }),
      element({ level: 2 }),
    ];
    const batch = await calls.sync(sent);
    expect(batch.results.map(warningsOf)).toEqual([
      [],
      [],
      [['level_mismatch', 'level']],
      [['level_mismatch', 'level']],
    ]);
    expect(Object.keys(await calls.uses(root.guid))).toHaveLength(2);
  });

  it('a link that waits for a parent says where the parent was rejected in the same import', async () => {
    const parent = element({ categoryKey: 'nonsense' });
    const batch = await calls.sync([
      element({ parentGuid: parent.guid }),
      parent,
      element({ parentGuid: randomUUID() }),
    ]);
    const messages = batch.results.map((one) => one.warnings?.[0]?.message ?? '');
    expect(messages[0]).toMatch(/rejected in this import/);
    expect(messages[2]).toMatch(/No entity has the parent/);
  });

  describe('what has no place in a structure', () => {
    const outcomes = (batch: { results: { result: string; code?: string }[] }) =>
      batch.results.map(({ result, code }) => code ?? result);
    const location = (given: object = {}) => element({ categoryKey: 'location', ...given });

    it('is refused as a child and as a parent, with a result for that element', async () => {
      const [hall, order, rack] = [location(), element({ categoryKey: 'purchaseOrder' }), element()];
      expect(outcomes(await calls.sync([hall, order, rack]))).toEqual(['created', 'created', 'created']);
      const batch = await calls.sync([
        element({ parentGuid: hall.guid }),
        element({ parentGuid: order.guid }),
        element({ categoryKey: 'salesOrder', parentGuid: rack.guid }),
        element({ parentGuid: rack.guid }),
        { ...rack, name: 'Renamed', parentGuid: order.guid },
      ]);
      const refused = 'not_in_structure';
      expect(outcomes(batch)).toEqual([refused, refused, refused, 'created', refused]);
      expect(refusalOf(batch.results[1])).toContain(order.guid);
      expect((await calls.entity(rack.guid)).name).toBe(rack.name);
      expect((await calls.get(`/entities/guid:${order.guid}/uses`)).body.items).toEqual([]);
      const [first] = batch.results;
      expect((await calls.get(`/entities/guid:${first.guid}`)).status).toBe(404);
    });

    it('says so in a dry run too', async () => {
      const hall = location();
      await calls.sync([hall]);
      const batch = await calls.sync([element({ parentGuid: hall.guid })], '?dryRun=true');
      expect(outcomes(batch)).toEqual(['not_in_structure']);
    });

    it('is refused where both are new', async () => {
      const order = element({ categoryKey: 'purchaseOrder' });
      const hall = location();
      const [bolt, nut] = [element({ parentGuid: order.guid }), element({ parentGuid: hall.guid })];
      const batch = await calls.sync([bolt, order, hall, nut, element()]);
      expect(outcomes(batch)).toEqual([
        'not_in_structure',
        'created',
        'created',
        'not_in_structure',
        'created',
      ]);
      expect((await calls.get(`/entities/guid:${bolt.guid}`)).status).toBe(404);
      expect((await calls.get(`/entities/guid:${order.guid}/uses`)).body.items).toEqual([]);
    });

    it('does not get the links that wait for it', async () => {
      const [order, hall] = [element({ categoryKey: 'purchaseOrder' }), location()];
      const [bolt, nut] = [element({ parentGuid: order.guid }), element({ parentGuid: hall.guid })];
      await calls.sync([bolt, nut]);
      expect(outcomes(await calls.sync([order, element()]))).toEqual(['created', 'created']);
      const given = { category: 'location', name: 'Hall', E_Guid: hall.guid };
      expect((await workspace.ask('POST', '/entities', given)).status).toBe(201);
      for (const [parent, child] of [
        [order, bolt],
        [hall, nut],
      ] as const) {
        expect((await calls.get(`/entities/guid:${parent.guid}/uses`)).body.items).toEqual([]);
        const waiting = await calls.get(`/pending-links?child=guid:${child.guid}`);
        expect(waiting.body.items).toHaveLength(1);
      }
    });

    it('stays linked where it was linked before there was the rule', async () => {
      const [hall, bolt] = [location(), element()];
      await calls.sync([hall, bolt]);
      await workspace.transact((tx) =>
        tx.query(
          `insert into entity_link (workspace_id, parent_id, child_id, quantity)
           select $1, p.id, c.id, 1 from entity p, entity c
           where p.workspace_id = $1 and p.guid = $2 and c.workspace_id = $1 and c.guid = $3`,
          [workspace.id, hall.guid, bolt.guid],
        ),
      );
      const renamed = { ...bolt, name: 'Renamed', parentGuid: hall.guid };
      expect(outcomes(await calls.sync([renamed]))).toEqual(['updated']);
      expect(outcomes(await calls.sync([{ ...renamed, quantity: 2 }]))).toEqual(['updated']);
    });
  });

  describe('a number that another entity has', () => {
    const codesOf = (results: readonly { warnings?: { code: string }[] }[]) =>
      results.map(({ warnings = [] }) => warnings.map(({ code }) => code));

    it('has the warning number_taken, also within one import', async () => {
      const number = `TAKEN-${randomUUID()}`;
      const first = element({ number });
      expect(codesOf((await calls.sync([first])).results)).toEqual([[]]);
      const batch = await calls.sync([first, element({ number })]);
      expect([batch.counts.created, codesOf(batch.results)]).toEqual([1, [[], ['number_taken']]]);
      const other = `TAKEN-${randomUUID()}`;
      const several = await calls.sync(Array.from({ length: 5 }, () => element({ number: other })));
      expect(codesOf(several.results)).toEqual([
        [],
        ['number_taken'],
        ['number_taken'],
        ['number_taken'],
        ['number_taken'],
      ]);
      expect(several.counts).toMatchObject({ created: 5, warnings: 4 });
    });

    it('has the warning in a dry run and in its commit, the first in the payload excepted', async () => {
      const number = `TAKEN-${randomUUID()}`;
      const sent = [element({ number }), element({ number }), element(), element({ number })];
      const expected = [[], ['number_taken'], [], ['number_taken']];
      const plan = await calls.sync(sent, '?dryRun=true');
      expect(codesOf(plan.results)).toEqual(expected);
      const commit = await calls.commit(plan.batchId);
      expect([commit.counts.created, codesOf(commit.results)]).toEqual([4, expected]);
    });

    it('is refused where the category says so, by a sync and by hand', async () => {
      const { key: _, ...category } = (await workspace.ask('GET', '/categories/part')).body;
      const numbering = { ...category.numbering, whenTaken: 'refuse' };
      const changed = await workspace.ask('PUT', '/categories/part', { ...category, numbering });
      expect(changed.status, changed.text).toBe(200);
      const number = `TAKEN-${randomUUID()}`;
      const [first, child]: SentPart[] = [element({ number }), element()] as SentPart[];
      await calls.sync([first]);
      const second = element({ number });
      const batch = await calls.sync([second, { ...(child as SentPart), parentGuid: second.guid }]);
      expect(batch.results[0]).toMatchObject({ result: 'error', code: 'number_taken' });
      const message = `The parent with the GUID ${second.guid} was rejected in this import; the link is made when it is accepted.`;
      const warnings = [{ code: 'parent_pending', message }];
      expect(batch.results[1]).toMatchObject({ result: 'created', warnings });
      expect((await calls.get(`/entities/guid:${second.guid}`)).status).toBe(404);
      const other = `TAKEN-${randomUUID()}`;
      const both = await calls.sync([element({ number: other }), element({ number: other })]);
      expect(both.counts).toMatchObject({ created: 1, error: 1 });
      const planned = `TAKEN-${randomUUID()}`;
      const dry = [element({ number: planned }), element({ number: planned }), element({ number: planned })];
      const plan = await calls.sync(dry, '?dryRun=true');
      expect(plan.results.map(outcomeOf)).toEqual(['created', 'number_taken', 'number_taken']);
      const made = await workspace.ask('POST', '/entities', { category: 'part', name: 'Part', number });
      expect(made).toMatchObject({ status: 409, body: { code: 'number_taken' } });
      expect((await calls.sync([{ ...first, name: 'Renamed' }])).counts).toMatchObject({
        updated: 1,
        error: 0,
      });
    });
  });

  describe('the hash of a picture', () => {
    /** Draws a picture that no other test has, and uploads it unless it is to be missing. */
    async function picture(
      width: number,
      isUploaded = true,
    ): Promise<{ hash: string; upload: () => Promise<void> }> {
      const bytes = await drawPng(width, 20);
      const hash = sha256Of(bytes);
      const upload = async () => {
        const answer = await fetch(`${server.baseUrl}/api/wid/${workspace.slug}/pictures/${hash}`, {
          method: 'PUT',
          body: new Uint8Array(bytes),
          headers: { Authorization: `Bearer ${workspace.key}`, 'Content-Type': 'image/png' },
        });
        expect(answer.status, await answer.text()).toBe(200);
      };
      if (isUploaded) await upload();
      return { hash, upload };
    }
    const pictureOf = async ({ guid }: { guid: string }) => (await calls.entity(guid)).picture;
    const others = () => Array.from({ length: 3 }, () => element());

    it('gives a new and a stored part its picture; absent it stays, and null takes it away', async () => {
      const [first, second] = [await picture(20), await picture(21)];
      const part = element({ picture: first.hash.toUpperCase() });
      const beside = others();
      expect((await calls.sync([part, ...beside])).counts).toMatchObject({ created: 4, warnings: 0 });
      expect(await pictureOf(part)).toBe(first.hash);
      expect((await calls.sync([part, ...beside])).counts).toMatchObject({ skipped: 4, warnings: 0 });
      const changed = { ...part, picture: second.hash };
      const plan = await calls.sync([changed, ...beside], '?dryRun=true');
      expect(plan.results[0]).toMatchObject({
        changes: [{ field: 'picture', from: first.hash, to: second.hash }],
      });
      expect(await pictureOf(part)).toBe(first.hash);
      expect((await calls.commit(plan.batchId)).counts).toMatchObject({ updated: 1, skipped: 3 });
      expect(await pictureOf(part)).toBe(second.hash);
      const { picture: _, ...silent } = changed;
      await calls.sync([{ ...silent, name: 'Renamed' }, ...beside]);
      expect(await pictureOf(part)).toBe(second.hash);
      const bare = { ...silent, name: 'Renamed', picture: null };
      expect((await calls.sync([bare, ...beside])).counts).toMatchObject({ updated: 1, skipped: 3 });
      expect(await pictureOf(part)).toBeNull();
      expect((await calls.sync([bare, ...beside])).counts).toMatchObject({ skipped: 4 });
    });

    it('is written again where a person has changed the picture', async () => {
      const { hash } = await picture(22);
      const part = element({ picture: hash });
      await calls.sync([part]);
      const removed = await workspace.ask('DELETE', `/entities/guid:${part.guid}/picture`);
      expect(removed.status, removed.text).toBe(200);
      expect((await calls.sync([part])).counts).toMatchObject({ updated: 1 });
      expect(await pictureOf(part)).toBe(hash);
    });

    it('opens a revision of a released part, which keeps the picture that it was released with', async () => {
      const [before, after] = [await picture(23), await picture(24)];
      const part = element({ picture: before.hash });
      await calls.sync([part]);
      for (const toState of ['In Review', 'Released'])
        await workspace.ask('POST', `/entities/guid:${part.guid}/transitions`, { toState });
      expect((await calls.sync([{ ...part, picture: after.hash }])).results[0]).toMatchObject({
        result: 'updated',
        revision: 'B',
      });
      const revisions = await calls.get(`/entities/guid:${part.guid}/revisions`);
      expect(revisions.body.items).toMatchObject([{ picture: after.hash }, { picture: before.hash }]);
    });

    it('of a picture that is not there is a warning each time, until it is uploaded', async () => {
      const { hash, upload } = await picture(25, false);
      const part = element({ picture: hash });
      const beside = others();
      const pending = [['picture_pending', 'picture']];
      const created = await calls.sync([part, ...beside]);
      expect([created.counts.created, warningsOf(created.results[0])]).toEqual([4, pending]);
      const again = await calls.sync([part, ...beside]);
      expect([again.counts.skipped, warningsOf(again.results[0])]).toEqual([4, pending]);
      const renamed = await calls.sync([{ ...part, name: 'Renamed' }, ...beside]);
      expect([renamed.counts.updated, warningsOf(renamed.results[0])]).toEqual([1, pending]);
      await upload();
      expect((await calls.sync([{ ...part, name: 'Renamed' }, ...beside])).counts).toMatchObject({
        updated: 1,
        warnings: 0,
      });
      expect(await pictureOf(part)).toBe(hash);
    });

    it('that is no hash is a warning, and the rest of the element is taken', async () => {
      for (const wrong of ['wheel.png', '', 7, {}]) {
        const { entity, warnings } = await created({ picture: wrong });
        expect([entity.picture, warnings]).toEqual([null, [['invalid_picture', 'picture']]]);
      }
    });

    it('that differs between two elements of one part is a conflict: the first counts', async () => {
      const [first, second] = [await picture(26), await picture(27)];
      const part = element({ picture: first.hash });
      const batch = await calls.sync([part, { ...part, picture: second.hash }]);
      expect(warningsOf(batch.results[1])).toEqual([['duplicate_guid_conflict', undefined]]);
      expect(await pictureOf(part)).toBe(first.hash);
    });
  });

  describeLocationRules(() => ({ calls, workspace }));
  const callsOf = (key: string) => syncCalls(server, { ...workspace, key });
  describeSupplierPartRules(() => ({ calls, workspace, callsOf }));
}
