/**
 * Requests to the whole surface that the OpenAPI document names, made to fit, nearly to fit, and then damaged in their bytes, most of
 * them about things that are there, as answers have told: no 5xx, no call without an answer, no growth of memory. test/http/contract.test.ts is the same in small and holds every
 * answer against its declaration. REQUESTS of them (10 000), by SEED.
 */
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { fitting, nearlyFitting, resolve } from '../../../test/setup/generate-input.ts';
import { startSystem } from '../../system.ts';
import { openRandom, type Random } from '../random.ts';

const REQUESTS = Number(process.env.REQUESTS ?? 10_000);
const SEED = Number(process.env.SEED ?? Date.now() % 1_000_000);
const AT_ONCE = 4;
const ANSWER_MS_MAX = 60_000;
/** Caches and compiled code fill in the first part of a run; what comes behind is growth. */
/** Requests before memory is measured: code and caches have been loaded by then. A shorter run does not judge memory. */
const WARM_REQUESTS = Math.max(4000, Math.round(REQUESTS * 0.4));
const GROWTH_MIB_MAX = 96;

interface Operation {
  method: string;
  path: string;
  // biome-ignore lint/suspicious/noExplicitAny: a document of OpenAPI is read member by member
  declared: any;
}

const file = new URL('../../../docs/openapi.json', import.meta.url);
const openApi = JSON.parse(readFileSync(file, 'utf8'));
const input = { openApi, existing };
const operations: Operation[] = Object.entries(openApi.paths).flatMap(([path, methods]) =>
  Object.entries(methods as object).map(([method, declared]) => ({ method, path, declared })),
);

/** What answers said there is, by the path of its list. */
const known = new Map<string, string[]>();
const KNOWN_MAX = 200;
const ENTITIES = '/api/wid/{slug}/entities';
/** The fuzz's own key must go on opening. */
const UNTOUCHED = /api-keys/;

function learn(random: Random, path: string, text: string): void {
  if (UNTOUCHED.test(path) || text === '') return;
  const body = JSON.parse(text) as Record<string, unknown>;
  const items = Array.isArray(body.items) ? (body.items as Record<string, unknown>[]) : [body];
  const list = path.replace(/\/\{\w+\}$/, '');
  for (const item of items) {
    const name = item.id ?? item.batchId ?? item.key;
    if (typeof name !== 'string') continue;
    const there = known.get(list) ?? [];
    known.set(list, there);
    if (there.length < KNOWN_MAX) there.push(name);
    else there[random.integer(KNOWN_MAX)] = name;
  }
}

function existing(field: string): readonly string[] {
  if (/EntityId$/.test(field)) return known.get(ENTITIES) ?? [];
  if (/^category(Key)?$/.test(field)) return known.get('/api/wid/{slug}/categories') ?? [];
  return [];
}

/** What there is of what the parameter of a path names. */
function thingsOf(path: string, name: string): readonly string[] {
  const list = path.slice(0, path.indexOf(`/{${name}}`));
  return known.get(list) ?? (/EntityId$|^childId$/.test(name) ? existing('entityEntityId') : []);
}

async function fuzz(): Promise<void> {
  console.log(`${REQUESTS} requests to ${operations.length} operations, seed ${SEED}`);
  const random = openRandom(SEED);
  const system = await startSystem({ SYNC_WAIT_SECONDS: '0', GUESSES_MAX: '1000000', LOG_LEVEL: 'error' });
  const faults: string[] = [];
  const statuses = new Map<number, number>();
  let [sent, warmMiB] = [0, 0];
  try {
    const workspace = await system.createWorkspace();
    for (const number of Array.from({ length: 40 }, (_, at) => `F-${at}`))
      await fetch(`${workspace.path}/entities`, {
        method: 'POST',
        headers: { Authorization: `Bearer ${workspace.key}`, 'Content-Type': 'application/json' },
        body: JSON.stringify({ category: random.pick(['part', 'location', 'assembly']), name: number }),
      });
    const one = async (): Promise<void> => {
      while (sent < REQUESTS) {
        sent++;
        if (sent === WARM_REQUESTS) warmMiB = system.web.rssMiB();
        const { path, target, told, options } = requestOf(random, workspace);
        try {
          const signal = AbortSignal.timeout(ANSWER_MS_MAX);
          const answer = await fetch(`${system.baseUrl}${target}`, {
            ...options,
            signal,
            redirect: 'manual',
          });
          const endless = answer.headers.get('content-type')?.startsWith('text/event-stream');
          if (endless) await answer.body?.cancel();
          const text = endless ? '' : await answer.text();
          statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
          const isJson = answer.headers.get('content-type')?.startsWith('application/json') === true;
          if (answer.ok && isJson) learn(random, path, text);
          if (answer.status >= 500) faults.push(`${told}\n→ ${answer.status} ${text.slice(0, 500)}`);
        } catch (error) {
          // A value that no HTTP client sends is none of the service's.
          if (!(error instanceof TypeError && /header|method|URL/i.test(error.message)))
            faults.push(`${told}\n→ ${error}`);
        }
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, one));
    const grown = warmMiB === 0 ? 0 : system.web.rssMiB() - warmMiB;
    const told = [...statuses].sort(([a], [b]) => a - b).map(([status, count]) => `${status}: ${count}`);
    const memory =
      warmMiB === 0
        ? `memory is not judged below ${WARM_REQUESTS} requests`
        : `web ${warmMiB} MiB when warm, ${grown} MiB more at the end`;
    console.log(`answers ${told.join(', ')}; ${memory}`);
    if (grown > GROWTH_MIB_MAX) faults.push(`memory has grown by ${grown} MiB`);
    if (system.web.ownEnds() > 0) faults.push('the web process ended by itself');
  } finally {
    await system.close();
  }
  for (const fault of faults.slice(0, 20)) console.error(fault);
  if (faults.length === 0) return;
  console.error(`${faults.length} faults. Again: SEED=${SEED} REQUESTS=${REQUESTS} npm run soak -- fuzz`);
  process.exitCode = 1;
}

function requestOf(random: Random, workspace: { slug: string; key: string }) {
  const { method, path, declared } = random.pick(operations);
  const sample = <T>(from: fc.Arbitrary<T>): T =>
    fc.sample(from, { numRuns: 1, seed: random.integer(2 ** 31) })[0] as T;
  const parameters = (declared.parameters ?? []).map((one: unknown) => resolve(openApi, one));
  const textOf = (schema: unknown): string => {
    const made = sample(random.share() < 0.7 ? fitting(input, schema) : nearlyFitting(input, schema));
    const value = typeof made === 'string' ? made : (JSON.stringify(made) ?? '');
    return encodeURIComponent(value.toWellFormed().slice(0, 1000)) || 'x';
  };
  const nameIn = (name: string): string => {
    const there = thingsOf(path, name);
    if (there.length > 0 && random.share() < 0.7) return encodeURIComponent(random.pick(there));
    return textOf(
      parameters.find((one: { name: string }) => one.name === name)?.schema ?? { type: 'string' },
    );
  };
  let target = path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    name === 'slug' ? workspace.slug : nameIn(name),
  );
  const query = parameters
    .filter((one: { in: string }) => one.in === 'query' && random.share() < 0.4)
    .map((one: { name: string; schema: unknown }) => `${one.name}=${textOf(one.schema)}`);
  if (query.length > 0) target += `?${query.join('&')}`;
  const contents = Object.keys(declared.requestBody?.content ?? {});
  const type = contents.length === 0 ? null : random.pick(contents);
  const schema = type === null ? null : (declared.requestBody.content['application/json']?.schema ?? {});
  const text =
    schema === null
      ? null
      : JSON.stringify(sample(random.share() < 0.5 ? fitting(input, schema) : nearlyFitting(input, schema)));
  const body = text === undefined || text === null ? undefined : damage(random, Buffer.from(text));
  const headers: Record<string, string> = {
    Authorization: `Bearer ${workspace.key}`,
    ...(type === null ? {} : { 'Content-Type': type }),
    ...random.pick(odd),
  };
  const told = `${method} ${target} ${JSON.stringify(headers)} ${body?.toString('latin1').slice(0, 500) ?? ''}`;
  const options = { method: method.toUpperCase(), headers, ...(body === undefined ? {} : { body }) };
  return { path, target, told: told.replace(workspace.key, '…'), options };
}

const odd: Record<string, string>[] = [
  {},
  {},
  { 'If-Match': '"nothing"' },
  { 'Idempotency-Key': 'the-same-for-all' },
  { 'Content-Encoding': 'gzip' },
  { 'Content-Encoding': 'br, gzip' },
  { Accept: 'text/csv', Prefer: 'wait=1' },
  { Prefer: 'respond-async' },
  { Range: 'bytes=0-1', 'If-None-Match': '*' },
  { traceparent: '00-00000000000000000000000000000001-0000000000000001-01' },
];

/** As it is, cut off, with bytes changed, doubled, or with pieces that parsers stumble over. */
function damage(random: Random, bytes: Buffer): Buffer {
  const kind = random.integer(8);
  const at = random.integer(bytes.length + 1);
  if (kind === 0) return bytes.subarray(0, at);
  if (kind === 1) return Buffer.concat([bytes, bytes]);
  if (kind === 2)
    return Buffer.concat([bytes.subarray(0, at), Buffer.from(random.pick(pieces)), bytes.subarray(at)]);
  if (kind === 3) {
    const changed = Buffer.from(bytes);
    for (let i = 0; i < 3 && changed.length > 0; i++)
      changed[random.integer(changed.length)] = random.integer(256);
    return changed;
  }
  return bytes;
}

const pieces = [
  '\u0000',
  '\\u0000',
  '\\ud800',
  '[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[',
  '1e999',
  '-0.0000000000000000000000000000001',
  '"__proto__":{"a":1},',
  '"constructor":{"prototype":null},',
  '\ufeff',
  '\n{}\n',
  '9007199254740993',
  "'; drop table entity; --",
];

await fuzz();
