// The picture of an entity: uploaded, resized, kept with revisions; what is no picture, or a bomb, is refused.
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { inTransaction } from '../../src/db/transaction.ts';
import { pruneOld } from '../../src/retention.ts';
import { startTestServer, type TestServer } from '../setup/server.ts';
import { type DefaultWorkspace, makeDefaultWorkspace } from '../workspaces/default-workspace.ts';
import { drawAnimation, drawJpeg, drawNoise, drawPng, drawWebp, pngBomb, sha256Of } from './draw.ts';

const MiB = 1024 * 1024;
const BYTES_MAX = 48 * MiB;
let server: TestServer;
let workspace: DefaultWorkspace;
beforeAll(async () => {
  server = await startTestServer({ environment: { PICTURES_BYTES_MAX: String(BYTES_MAX) } });
  workspace = await makeDefaultWorkspace(server);
});
afterAll(() => server.close());

let made = 0;
async function part(): Promise<string> {
  const answer = await workspace.ask('POST', '/entities', { category: 'part', name: `Part ${++made}` });
  expect(answer.status, answer.text).toBe(201);
  return answer.body.id;
}

const send = (path: string, bytes: Uint8Array, type = 'image/png', key = workspace.key) =>
  server.request(`/api/wid/${workspace.slug}${path}`, {
    method: 'PUT',
    key,
    headers: { 'Content-Type': type },
    body: bytes,
  });
const put = (id: string, bytes: Uint8Array, type?: string) => send(`/entities/${id}/picture`, bytes, type);

async function get(path: string, { headers = {}, of = workspace, method = 'GET' } = {}) {
  const answer = await fetch(`${server.baseUrl}/api/wid/${of.slug}${path}`, {
    method,
    headers: { Authorization: `Bearer ${of.key}`, ...headers },
  });
  return { status: answer.status, headers: answer.headers, bytes: Buffer.from(await answer.arrayBuffer()) };
}

const stored = async () => {
  const [row] = await inTransaction(server.ctx.db, { workspaceId: workspace.id }, (tx) =>
    tx.query<{ blobs: number; bytes: number; usage: number }>(
      `select count(*)::int as blobs, coalesce(sum(stored_bytes), 0)::float8 as bytes,
              coalesce((select stored_bytes from blob_usage where workspace_id = $1), 0)::float8 as usage
       from blob where workspace_id = $1`,
      [tx.workspaceId],
    ),
  );
  return row ?? { blobs: 0, bytes: 0, usage: 0 };
};

describe('a picture', () => {
  test.each([
    ['image/png', drawPng],
    ['image/jpeg', drawJpeg],
    ['image/webp', drawWebp],
  ] as const)('of type %s is read as it was uploaded, and in three sizes as WebP', async (type, draw) => {
    const id = await part();
    const bytes = await draw(1600, 1200);
    const answer = await put(id, bytes, type);
    expect(answer.status, answer.text).toBe(200);
    expect(answer.body).toMatchObject({ id, picture: sha256Of(bytes), revision: 'A' });

    const original = await get(`/entities/${id}/picture`);
    expect(original.status).toBe(200);
    expect(original.headers.get('content-type')).toBe(type);
    expect(original.bytes.equals(bytes)).toBe(true);
    for (const [size, height] of [
      [64, 48],
      [256, 192],
      [1024, 768],
    ]) {
      const { headers, bytes: small } = await get(`/entities/${id}/picture?size=${size}`);
      expect(headers.get('content-type')).toBe('image/webp');
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('cache-control')).toBe('private, no-cache');
      expect(await sharp(small).metadata()).toMatchObject({ format: 'webp', width: size, height });
    }
    const byHash = await get(`/pictures/${sha256Of(bytes)}?size=64`);
    expect(byHash.headers.get('cache-control')).toContain('immutable');
  });

  test('is turned as its camera says, not enlarged, and its renditions tell no place', async () => {
    const id = await part();
    const photo = await sharp(await drawPng(50, 20))
      .jpeg()
      .withExif({ IFD0: { Orientation: '6' }, IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '51/1 30/1 0/1' } })
      .withMetadata({ orientation: 6 })
      .toBuffer();
    expect((await put(id, photo, 'image/jpeg')).status).toBe(200);
    const { bytes } = await get(`/entities/${id}/picture?size=1024`);
    const { width, height, exif } = await sharp(bytes).metadata();
    expect({ width, height, exif }).toEqual({ width: 20, height: 50, exif: undefined });
  });

  test('is not sent again to a client that has it', async () => {
    const id = await part();
    const [one, other] = [await drawPng(30, 30, '#123'), await drawPng(30, 30, '#321')];
    await put(id, one);
    const first = await get(`/entities/${id}/picture?size=64`);
    const ask = () =>
      get(`/entities/${id}/picture?size=64`, {
        headers: { 'If-None-Match': first.headers.get('etag') ?? '' },
      });
    expect(await ask()).toMatchObject({ status: 304, bytes: Buffer.alloc(0) });
    await put(id, other);
    expect((await ask()).status).toBe(200);
  });

  test('is stored once, however often and by how many it is sent', async () => {
    const bytes = await drawPng(333, 222);
    const ids = await Promise.all([part(), part(), part()]);
    const before = await stored();
    const answers = await Promise.all(ids.map((id) => put(id, bytes)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    const { body: again } = await put(ids[0] as string, bytes);
    expect(again.updatedAt).toBe(answers[0]?.body.updatedAt);
    const after = await stored();
    expect(after.blobs).toBe(before.blobs + 1);
    expect(after.usage).toBe(after.bytes);
  });

  test('of a released entity opens a revision, and the released one keeps its picture', async () => {
    const id = await part();
    const [old, young] = [await drawPng(61, 61, '#111'), await drawPng(61, 61, '#999')];
    await put(id, old);
    for (const toState of ['In Review', 'Released'])
      await workspace.ask('POST', `/entities/${id}/transitions`, { toState });
    const { body } = await put(id, young);
    expect(body).toMatchObject({ revision: 'B', picture: sha256Of(young), released: false });
    const first = await workspace.ask('GET', `/entities/${id}/revisions/1`);
    expect(first.body.picture).toBe(sha256Of(old));
    const { body: compared } = await workspace.ask('GET', `/entities/${id}/revisions/compare?from=1&to=2`);
    expect(compared.fields).toContainEqual({ field: 'picture', from: sha256Of(old), to: sha256Of(young) });
    const gone = await server.request(`/api/wid/${workspace.slug}/entities/${id}/picture`, {
      method: 'DELETE',
      key: workspace.key,
    });
    expect(gone.body).toMatchObject({ revision: 'B', picture: null });
    expect((await get(`/entities/${id}/picture`)).status).toBe(404);
    expect((await get(`/pictures/${sha256Of(old)}?size=64`)).status).toBe(200);
  });

  test('is seen by those who may read, changed by those who may write, and by nobody of another workspace', async () => {
    const id = await part();
    const bytes = await drawPng(44, 33);
    await put(id, bytes);
    const { body: made } = await workspace.ask('POST', '/api-keys', { name: 'Reader', permission: 'read' });
    const reader = made.key;
    expect((await get(`/entities/${id}/picture`, { of: { ...workspace, key: reader } })).status).toBe(200);
    expect((await send(`/entities/${id}/picture`, bytes, 'image/png', reader)).status).toBe(403);
    const other = await makeDefaultWorkspace(server);
    expect((await get(`/pictures/${sha256Of(bytes)}`, { of: other })).status).toBe(404);
    expect((await get(`/entities/${id}/picture`, { of: other })).status).toBe(404);
  });

  test('is in lists', async () => {
    const id = await part();
    const bytes = await drawPng(12, 12);
    const { body } = await put(id, bytes);
    const { body: page } = await workspace.ask('GET', `/entities?q=${encodeURIComponent(body.name)}`);
    expect(page.items.find((one: { id: string }) => one.id === id).picture).toBe(sha256Of(bytes));
  });
});

describe('an upload by hash', () => {
  test('serves many parts, which are given it by its hash; null takes it away', async () => {
    const bytes = await drawPng(78, 55);
    const picture = sha256Of(bytes);
    const [one, other] = [await part(), await part()];
    const unknown = await workspace.ask('PATCH', `/entities/${one}`, { picture });
    expect([unknown.status, unknown.body.code]).toEqual([404, 'picture_not_found']);
    await send(`/pictures/${picture}`, bytes);
    for (const id of [one, other])
      expect((await workspace.ask('PATCH', `/entities/${id}`, { picture })).body.picture).toBe(picture);
    expect((await workspace.ask('PATCH', `/entities/${one}`, { picture: null })).body.picture).toBeNull();
    expect((await workspace.ask('PATCH', `/entities/${other}`, { name: 'Same' })).body.picture).toBe(picture);
    expect((await workspace.ask('PATCH', `/entities/${one}`, { picture: 'none' })).status).toBe(422);
  });

  test('is stored, and HEAD says whether it is there', async () => {
    const bytes = await drawPng(77, 55);
    const path = `/pictures/${sha256Of(bytes)}`;
    expect((await get(path, { method: 'HEAD' })).status).toBe(404);
    const answer = await send(path, bytes);
    expect(answer.status, answer.text).toBe(200);
    expect(answer.body).toEqual({
      sha256: sha256Of(bytes),
      mediaType: 'image/png',
      bytes: bytes.length,
      width: 77,
      height: 55,
    });
    expect((await get(path, { method: 'HEAD' })).status).toBe(200);
  });

  test('with another hash is refused', async () => {
    const answer = await send(`/pictures/${'0'.repeat(64)}`, await drawPng(9, 9));
    expect(answer.status).toBe(422);
    expect(answer.body.detail).toContain('SHA-256');
  });
});

describe('what is refused', () => {
  const jpeg = () => drawNoise(600, 600);
  const cases: [string, () => Promise<Uint8Array>, string][] = [
    ['a text', async () => Buffer.from('no picture'), 'not a PNG, JPEG or WebP'],
    ['an SVG', async () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), 'not a PNG'],
    ['a GIF', async () => Buffer.from('GIF89a/*'), 'not a PNG'],
    ['an empty body', async () => Buffer.alloc(0), 'not a PNG'],
    [
      'a PNG with the rest of a page',
      async () => Buffer.from('\x89PNG\r\n\x1a\n<script>', 'latin1'),
      'damaged',
    ],
    ['a truncated JPEG', async () => (await jpeg()).subarray(0, 30_000), 'damaged'],
    ['a truncated PNG', async () => (await drawPng(900, 900)).subarray(0, 300), 'damaged'],
    ['a truncated WebP', async () => (await drawWebp(900, 900)).subarray(0, 120), 'damaged'],
    ['a PNG of 60 000 × 60 000', async () => pngBomb(60_000, 60_000), 'megapixels'],
    ['a PNG of 2 000 000 000 × 1', async () => pngBomb(2_000_000_000, 1), ''],
    ['a PNG of 144 megapixels', async () => pngBomb(12_000, 12_000), '100 megapixels'],
    [
      'an interlaced PNG of 64 megapixels',
      async () => pngBomb(8000, 8000, { interlaced: true }),
      '50 megapixels',
    ],
  ];
  test.each(cases)('%s', async (_name, draw, reason) => {
    const id = await part();
    const answer = await put(id, await draw());
    expect([answer.status, answer.body.code], answer.text).toEqual([422, 'picture_unreadable']);
    expect(answer.body.detail).toContain(reason);
  });

  test('a body of 10 MiB and a byte', async () => {
    const answer = await put(await part(), Buffer.alloc(10 * MiB + 1));
    expect([answer.status, answer.body.limit]).toEqual([413, 10 * MiB]);
  });

  test('another media type', async () => {
    expect((await put(await part(), await drawPng(9, 9), 'image/gif')).status).toBe(415);
  });

  test('an entity that does not exist, before its body is decoded', async () => {
    expect((await put(crypto.randomUUID(), await drawPng(9, 9))).status).toBe(404);
  });

  test('more than the workspace has room for, and then what fits is still taken', async () => {
    const other = await makeDefaultWorkspace(server);
    await inTransaction(server.ctx.db, { workspaceId: other.id }, (tx) =>
      tx.query('insert into blob_usage (workspace_id, stored_bytes) values ($1, $2)', [
        tx.workspaceId,
        BYTES_MAX - 4000,
      ]),
    );
    const upload = (bytes: Uint8Array) =>
      server.request(`/api/wid/${other.slug}/pictures/${sha256Of(bytes)}`, {
        method: 'PUT',
        key: other.key,
        headers: { 'Content-Type': 'image/jpeg' },
        body: bytes,
      });
    const refused = await upload(await jpeg());
    expect([refused.status, refused.body.code]).toEqual([409, 'storage_full']);
    expect((await upload(await drawPng(5, 5))).status).toBe(200);
  });

  test('nothing keeps the next picture from being taken', async () => {
    const id = await part();
    const [bomb, sound] = [pngBomb(9999, 9999), await drawPng(20, 20)];
    const answers = await Promise.all([put(id, bomb), put(id, bomb), put(id, sound)]);
    expect(answers.map(({ status }) => status)).toEqual([422, 422, 200]);
  });
});

test('an animation is shown by its first frame', async () => {
  const id = await part();
  expect((await put(id, await drawAnimation(), 'image/webp')).status).toBe(200);
  const { bytes } = await get(`/entities/${id}/picture?size=64`);
  expect((await sharp(bytes).metadata()).pages ?? 1).toBe(1);
  const { dominant } = await sharp(bytes).stats();
  expect([dominant.r > 200, dominant.b < 60]).toEqual([true, true]);
});

test('a JPEG that is called a PNG is served as what it is', async () => {
  const id = await part();
  await put(id, await drawJpeg(20, 20), 'image/png');
  expect((await get(`/entities/${id}/picture`)).headers.get('content-type')).toBe('image/jpeg');
});

test('retention deletes pictures that nothing refers to any more, and only those', async () => {
  const { db, config } = server.ctx;
  const id = await part();
  const [used, replaced, unused] = [
    await drawPng(71, 1),
    await drawPng(72, 1),
    await drawPng(73, 1),
  ] as const;
  await put(id, replaced);
  await put(id, used);
  await send(`/pictures/${sha256Of(unused)}`, unused);
  await pruneOld({ db, config: { ...config, PICTURE_RETENTION_DAYS: 1 } });
  const statuses = () =>
    Promise.all(
      [used, replaced, unused].map(async (one) => (await get(`/pictures/${sha256Of(one)}`)).status),
    );
  expect(await statuses()).toEqual([200, 200, 200]);
  await pruneOld({ db, config: { ...config, PICTURE_RETENTION_DAYS: 0 } });
  expect(await statuses()).toEqual([200, 404, 404]);
  const { usage, bytes } = await stored();
  expect(usage).toBe(bytes);
});
