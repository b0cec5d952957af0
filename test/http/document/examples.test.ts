// The examples of the API reference are calls that the service takes and answers that it gives: every operation has one,
// each is sent to a real service, and both sides are held against the schemas. `npm run examples` writes them anew.
import { writeFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { OPERATOR } from '../../../src/actor.ts';
import { routes } from '../../../src/api.ts';
import { pauseWork, resumeWork } from '../../../src/console/actions/pause-work.ts';
import { inTransaction } from '../../../src/db/transaction.ts';
import { buildOpenApi } from '../../../src/http/document/build-openapi.ts';
import {
  type Example,
  type Examples,
  examplesFile,
  readExamples,
} from '../../../src/http/document/examples.ts';
import type { AnyRoute } from '../../../src/http/route.ts';
import { patience } from '../../setup/patience.ts';
import { startTestServer, type TestAnswer, type TestServer } from '../../setup/server.ts';
import { openReceiver, type Receiver } from '../../webhooks/receiver.ts';
import { Anonymiser } from './anonymise.ts';
import { type Given, type Walker, walk } from './walk.ts';
import { PUBLIC_ORIGIN } from './walk-people.ts';

const WRITES = process.env.EXAMPLES === 'write';

const document = JSON.parse(JSON.stringify(buildOpenApi(routes, { closed: true })));
const ajv = new Ajv2020({ strict: false, allErrors: true, logger: false });
addFormats.default(ajv);
ajv.addSchema({ ...document, $id: 'openapi' });

/** What is wrong with a value by the schema at that place in the document; nothing where it fits. */
function faults(value: unknown, ...place: string[]): string {
  const pointer = place.map((part) => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1')));
  const fits = ajv.compile({ $ref: `openapi#/${pointer.join('/')}` });
  return fits(value) ? '' : `${place.slice(1, 3).join(' ')}: ${ajv.errorsText(fits.errors)}`;
}

const routeOf = new Map(routes.map((route) => [route.operationId, route]));
const fresh: Examples = { operations: {}, messages: {} };
let server: TestServer;
let receiver: Receiver;

beforeAll(async () => {
  server = await startTestServer({
    worker: true,
    environment: { WEBHOOK_ALLOW_PRIVATE: 'true', PUBLIC_URL: PUBLIC_ORIGIN },
  });
  receiver = await openReceiver();
  const anonymiser = new Anonymiser();
  anonymiser.know(receiver.url, 'https://erp.example/hooks/partbook');
  anonymiser.know(server.baseUrl, 'https://partbook.example');
  await walk(makeWalker(anonymiser));
  for (const { body } of receiver.received) {
    const message = JSON.parse(body);
    if (fresh.messages[message.type] === undefined) fresh.messages[message.type] = anonymiser.of(message);
  }
  if (WRITES) writeFileSync(examplesFile, `${JSON.stringify(fresh, null, 1)}\n`);
});
afterAll(async () => {
  await receiver.close();
  await server.close();
});

/** An image that no text can show. */
const isBinary = (type: string) => /^(image\/(png|jpeg|webp)|application\/pdf)$/.test(type);

function makeWalker(anonymiser: Anonymiser): Walker {
  let credential: Record<string, string> = {};
  let lastCookie = '';
  const credentials = {
    operator: { Authorization: `Bearer ${server.ctx.operatorToken}` },
    none: {},
  };
  const targetOf = ({ path }: AnyRoute, { params = {}, query = {} }: Given) => {
    const filled = path.replace(/\{(\w+)\}/g, (_, name: string) =>
      name === 'slug' ? 'acme' : encodeURIComponent(String(params[name])).replaceAll('%3A', ':'),
    );
    const search = new URLSearchParams();
    for (const [name, value] of Object.entries(query)) search.set(name, String(value));
    return search.size === 0 ? filled : `${filled}?${search}`;
  };
  const send = async (
    operationId: string,
    given: Given,
  ): Promise<{ route: AnyRoute; answer: TestAnswer }> => {
    const route = routeOf.get(operationId);
    if (route === undefined) throw new Error(`There is no operation ${operationId}`);
    const { body, type, accept, key } = given;
    const isRaw = typeof body === 'string' || body instanceof Uint8Array;
    const answer = await server.request(targetOf(route, given), {
      method: route.method.toUpperCase(),
      headers: {
        ...(key === undefined ? credential : credentials[key]),
        ...(accept === undefined ? {} : { Accept: accept }),
        ...(type === undefined ? {} : { 'Content-Type': type }),
        ...given.headers,
      },
      ...(body === undefined ? {} : { body: isRaw ? body : `${JSON.stringify(body)}\n` }),
    });
    lastCookie = (answer.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
    expect(answer.status, `${operationId} ${JSON.stringify(given)}: ${answer.text}`).toBeLessThan(300);
    return { route, answer };
  };
  const note = (
    route: AnyRoute,
    given: Given,
    status: number,
    answered: { type: string; value: unknown } | null,
  ) => {
    anonymiser.passTime();
    const { name = 'example', params, query, headers, body, type = 'application/json' } = given;
    const example: Example = anonymiser.of({
      name,
      ...(params === undefined ? {} : { params }),
      ...(query === undefined ? {} : { query }),
      ...(headers === undefined ? {} : { headers }),
      // Bytes are no example for a reader.
      ...(body === undefined || body instanceof Uint8Array ? {} : { body: { type, value: body } }),
      status,
      ...(answered === null ? {} : { answer: answered }),
    });
    fresh.operations[route.operationId] = [...(fresh.operations[route.operationId] ?? []), example];
  };
  return {
    server,
    receiver,
    act: (as) => {
      credential =
        'key' in as
          ? { Authorization: `Bearer ${as.key}` }
          : { Cookie: as.cookie, 'Sec-Fetch-Site': 'same-origin' };
    },
    cookie: () => lastCookie,
    show: async (operationId, given = {}) => {
      const { route, answer } = await send(operationId, given);
      const type = answer.headers.get('content-type')?.split(';')[0];
      const text =
        type?.endsWith('ndjson') === true
          ? JSON.parse(answer.text.split('\n')[0] ?? '')
          : type === 'text/csv'
            ? beginningOf(answer.text)
            : answer.text;
      const isShown = type !== undefined && !isBinary(type);
      note(route, given, answer.status, isShown ? { type, value: answer.body ?? text } : null);
      return answer.body;
    },
    call: async (operationId, given = {}) => (await send(operationId, given)).answer.body,
    until: async (operationId, given, fits) => {
      const { body } = await vi.waitUntil(async () => {
        const { answer } = await send(operationId, given);
        return fits(answer.body) && answer;
      }, patience);
      return body;
    },
    follow: async (operationId, given, meanwhile) => {
      const route = routeOf.get(operationId) as AnyRoute;
      const { event, leave } = await openStream(
        `${server.baseUrl}${targetOf(route, given)}`,
        credential,
        meanwhile,
      );
      note(route, given, 200, { type: 'text/event-stream', value: event });
      leave();
    },
    holdBatches: async (isHeld) => {
      const { config, db, log, queues } = server.ctx;
      const [workspace] = await inTransaction(db, 'instance', (tx) =>
        tx.query<{ id: string; slug: string }>(`select id, slug from workspace where slug = 'acme'`, []),
      );
      if (workspace === undefined) throw new Error('There is no workspace yet');
      const pause = { workspace, work: 'batch' as const, reason: 'to be looked at', operator: OPERATOR };
      if (isHeld) await pauseWork({ config, db, log, queues }, pause);
      else await resumeWork({ config, db, log, queues }, pause);
    },
    failBatch: async (batchId) => {
      const failure = JSON.stringify({ code: 'chunk_failed', message: 'The disk was full.' });
      await inTransaction(server.ctx.db, 'instance', (tx) =>
        tx.query(`update sync_batch set status = 'failed', finished_at = now(), failure = $2 where id = $1`, [
          batchId,
          failure,
        ]),
      );
    },
  };
}

/** The last event that ends a batch or tells of one. */
async function openStream(url: string, headers: Record<string, string>, meanwhile: () => Promise<unknown>) {
  const gone = new AbortController();
  const response = await fetch(url, { headers, signal: gone.signal });
  expect(response.status).toBe(200);
  let text = '';
  let began = false;
  const decoder = new TextDecoder();
  for await (const piece of response.body as AsyncIterable<Uint8Array>) {
    text += decoder.decode(piece, { stream: true });
    if (!began) await meanwhile();
    began = true;
    const block = text
      .split('\n\n')
      .find((one) => /^event: (completed|batch)$/m.test(one) && one.includes('"finishedAt":"'));
    if (block === undefined || !text.includes(`${block}\n\n`)) continue;
    const field = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(block)?.[1];
    const id = field('id');
    const event = {
      ...(id === undefined ? {} : { id }),
      event: field('event'),
      data: JSON.parse(field('data') ?? ''),
    };
    return { event, leave: () => gone.abort() };
  }
  throw new Error(`The stream ended without it: ${text}`);
}

/** The header and two lines of a table. */
const beginningOf = (text: string) =>
  text
    .split(/(?<=\n)/)
    .slice(0, 3)
    .join('');

interface Answering {
  content?: Record<string, { examples?: object }>;
}

/** Ids of a run are others in the next one. */
const withoutIds = (value: unknown) =>
  JSON.stringify(value)?.replace(/0199d0f0-0000-7000-8000-[0-9a-f]{12}/g, 'id');

describe('the examples of the reference', () => {
  test('are of every operation and every message', () => {
    const recorded = readExamples();
    expect(
      routes.map(({ operationId }) => operationId).filter((one) => fresh.operations[one] === undefined),
    ).toEqual([]);
    expect(Object.keys(recorded.operations).toSorted()).toEqual(Object.keys(fresh.operations).toSorted());
    expect(Object.keys(recorded.messages).toSorted()).toEqual(Object.keys(document.webhooks).toSorted());
  });

  test('are what the service takes (npm run examples)', () => {
    const recorded = readExamples();
    for (const [operationId, examples] of Object.entries(fresh.operations)) {
      const asked = (some: readonly Example[] = []) =>
        some.map(({ answer: _, ...request }) => [operationId, withoutIds(request)]);
      expect(asked(recorded.operations[operationId])).toEqual(asked(examples));
    }
  });

  test.each(['recorded', 'given now'])('fit the schemas, requests and answers, as %s', (which) => {
    const { operations, messages } = which === 'recorded' ? readExamples() : fresh;
    const wrong: string[] = [];
    for (const [operationId, examples] of Object.entries(operations)) {
      const { path, method } = routeOf.get(operationId) as AnyRoute;
      const at = ['paths', path, method];
      for (const { body, status, answer, params = {}, query = {} } of examples) {
        if (body !== undefined)
          wrong.push(faults(body.value, ...at, 'requestBody', 'content', body.type, 'schema'));
        const { parameters = [], responses } = document.paths[path][method];
        for (const [index, { name, in: where, required }] of parameters.entries()) {
          const value =
            where === 'path'
              ? { slug: 'acme', ...params }[name as string]
              : where === 'query'
                ? query[name]
                : undefined;
          if (value === undefined && (where === 'header' || !required)) continue;
          wrong.push(faults(value, ...at, 'parameters', String(index), 'schema'));
        }
        expect(responses[status], `${operationId} ${status}`).toBeDefined();
        const types = Object.keys(responses[status].content ?? {});
        if (answer === undefined)
          expect(
            types.filter((type) => !isBinary(type)),
            operationId,
          ).toEqual([]);
        else
          wrong.push(
            faults(answer.value, ...at, 'responses', String(status), 'content', answer.type, 'schema'),
          );
      }
    }
    for (const [type, message] of Object.entries(messages))
      wrong.push(
        faults(message, 'webhooks', type, 'post', 'requestBody', 'content', 'application/json', 'schema'),
      );
    expect(wrong.filter((one) => one !== '')).toEqual([]);
  });

  test('stand in the document, at the place of each request and each answer', () => {
    const open = JSON.parse(JSON.stringify(buildOpenApi(routes)));
    for (const { path, method, operationId } of routes) {
      const operation = open.paths[path][method];
      const good = Object.entries<Answering>(operation.responses).filter(([status]) =>
        status.startsWith('2'),
      );
      const shown = good.flatMap(([, one]) => Object.entries(one.content ?? {}));
      const sent = Object.entries((operation.requestBody as Answering | undefined)?.content ?? {});
      // Of an operation that answers at once or later one of both, in each form.
      for (const [type] of [...sent, ...shown]) {
        if (isBinary(type)) continue;
        for (const of of [sent, shown].filter((some) => some.some(([one]) => one === type))) {
          const examples = of
            .filter(([one]) => one === type)
            .flatMap(([, one]) => Object.keys(one.examples ?? {}));
          expect(examples, `${operationId} ${type}`).not.toEqual([]);
        }
      }
    }
  });
});
