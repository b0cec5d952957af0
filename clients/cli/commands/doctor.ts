/** `partbook doctor`: what is wrong with my set-up. Each finding says what to do about it. */
import { statSync } from 'node:fs';
import type { Command } from 'commander';
import type { Partbook } from '../../typescript/connect.ts';
import { ApiError, ConnectionError } from '../../typescript/errors.ts';
import type { Overview } from '../../typescript/generated/types.ts';
import { countOf } from '../count-of.ts';
import { Ended, exitCodes } from '../exit-codes.ts';
import { keyTextFault } from '../key-text.ts';
import { plain } from '../output.ts';
import { connectTo, type GlobalFlags, interruption, outputOf } from '../session.ts';
import { findSettings, keptFilePath, type Settings } from '../settings.ts';
import { here } from '../surroundings.ts';

interface Check {
  name: string;
  ok: boolean;
  said: string;
}

const SKEW_SECONDS_MAX = 120;

export function addDoctor(program: Command): void {
  const doctor = program
    .command('doctor')
    .description('check settings, connection, key and service')
    .action(async () => {
      const output = outputOf(doctor);
      const settings = findSettings(doctor.optsWithGlobals<GlobalFlags>(), here().env, here().cwd);
      const checks: Check[] = [];
      for await (const check of examine(settings)) checks.push(check);
      output.answer(checks, () =>
        checks.map(({ name, ok, said }) => `${ok ? 'ok   ' : 'WRONG'} ${name.padEnd(10)} ${said}`).join('\n'),
      );
      if (checks.some(({ ok }) => !ok)) throw new Ended(exitCodes.failed);
    });
}

async function* examine(settings: Settings): AsyncGenerator<Check> {
  const { url, workspace, key, from } = settings;
  yield {
    name: 'node',
    ok: Number(process.versions.node.split('.')[0]) >= 22,
    said: `${process.versions.node} (22.12 or newer is needed)`,
  };
  yield keptFile();
  yield {
    name: 'address',
    ok: /^https?:\/\//.test(url),
    said: url === '' ? 'not known: --url, PARTBOOK_URL or login' : `${url} (${from.url})`,
  };
  yield {
    name: 'workspace',
    ok: workspace !== '',
    said:
      workspace === ''
        ? 'not known: --workspace, PARTBOOK_WORKSPACE or login'
        : `${workspace} (${from.workspace})`,
  };
  const fault = key === '' ? 'none: PARTBOOK_API_KEY or login' : keyTextFault(key);
  yield { name: 'key', ok: fault === null, said: fault ?? `${key.slice(0, 8)}… (${from.key})` };
  if (!/^https?:\/\//.test(url)) return;
  if (url.startsWith('http://') && !/^http:\/\/(?:localhost|127\.|\[::1\])/.test(url)) {
    yield {
      name: 'transport',
      ok: false,
      said: 'http sends the key for everybody on the way to read: use https',
    };
  }
  yield* askService(settings);
}

async function* askService({ url, workspace, key }: Settings): AsyncGenerator<Check> {
  // Nothing is tried again, because the present state is asked for.
  const partbook = connectTo({ url, workspace, key }, { retries: 0 });
  try {
    const answer = await partbook.send('GET /health/ready', {}, { signal: interruption() });
    const skew = Math.abs(Date.now() - Date.parse(answer.headers.get('Date') ?? '')) / 1000;
    const version = answer.headers.get('X-Api-Version');
    yield {
      name: 'service',
      ok: version !== null,
      said:
        version === null
          ? `something else answers at ${url}: a proxy, a page to sign in, another program`
          : `ready, interface of ${version}`,
    };
    if (version === null) return;
    yield {
      name: 'clock',
      ok: !(skew > SKEW_SECONDS_MAX),
      said: `${Math.round(skew) || 0} s from the service's`,
    };
    if (workspace === '' || key === '') return;
    const session = await partbook('GET /session', {}, { signal: interruption() });
    const may = session.areas.includes('engineering')
      ? ''
      : ': to send imports, use a key with the area "engineering"';
    yield { name: 'areas', ok: true, said: `"${session.keyName}" has ${session.areas.join(', ')}${may}` };
    yield { name: 'expiry', ok: true, said: session.expiresAt ?? 'never' };
    const overview = await partbook('GET /overview', { query: { hours: 1 } }, { signal: interruption() });
    const held = [...heldBack(overview)];
    yield* held;
    for (const webhook of overview.failingWebhooks)
      yield await ofWebhook(
        webhook,
        partbook,
        `${url.replace(/\/+$/, '')}/w/${encodeURIComponent(workspace)}`,
      );
    const unnamed = overview.failingWebhookCount - overview.failingWebhooks.length;
    if (unnamed > 0)
      yield { name: 'webhook', ok: false, said: `${unnamed} more fail or were switched off for that` };
    // A receiver that fails says nothing of the batches.
    if (held.length === 0) yield { name: 'work', ok: true, said: inLine(overview.waitingBatches) };
  } catch (error) {
    yield { name: 'service', ok: false, said: advice(error) };
  }
}

const heldWords = {
  batch: ['batches', 'what is sent is accepted and kept, and applied when they are resumed'],
  automation: ['automations', 'what happens meanwhile is kept, and they run for it when they are resumed'],
  webhook: ['webhooks', 'what happens meanwhile is kept, and is told when they are resumed'],
} as const;

/** Everything may be in place and nothing happen all the same: what is held back, or stands still. */
function* heldBack({ paused, waitingBatches: line }: Overview): Generator<Check> {
  for (const { work, since } of paused) {
    const [name, then] = heldWords[work];
    yield { name, ok: false, said: `paused by the operator since ${since}: ${then}` };
  }
  const { first, isFull } = line;
  const wrong = (said: string): Check => ({ name: 'line', ok: false, said: `${countedLine(line)}${said}` });
  if (first?.standsStill === true && !paused.some(({ work }) => work === 'batch'))
    yield wrong(
      `, and the first has not got on since ${first.movedAt}: "partbook cancel ${first.batchId}" lets the next begin; if none gets on, tell the operator`,
    );
  if (isFull) yield wrong(': no more are accepted until one has ended');
}

function countedLine({ count, isAtLeast }: Overview['waitingBatches']): string {
  return `${countOf(count, 'batch', 'batches')}${isAtLeast ? ' and more' : ''} in line`;
}

function inLine(line: Overview['waitingBatches']): string {
  return line.count === 0 ? 'no batch waits' : `${countedLine(line)}${lastStep(line.first)}`;
}

/** Its receiver answers nothing good, or it was switched off for that; `app` is where the workspace is in a browser. */
async function ofWebhook(
  { webhookId, url, enabled, failingSince, disabledReason }: Overview['failingWebhooks'][number],
  partbook: Partbook,
  app: string,
): Promise<Check> {
  const page = `${app}/settings/webhooks/${webhookId}`;
  const tell = (said: string): Check => ({ name: 'webhook', ok: false, said: plain(said) });
  if (!enabled) {
    const why = disabledReason === null ? '.' : `: ${disabledReason}`;
    return tell(
      `${url} is switched off${why} It is told of nothing until an administrator switches it on again: "partbook webhooks enable ${webhookId}", or ${page}`,
    );
  }
  const error = await lastErrorOf(partbook, webhookId);
  const since = `${failingSince}${error === null ? '' : ` (${error})`}`;
  return tell(
    `${url} has taken nothing since ${since}. Mend the receiver, then send it a test, and what waits follows: "partbook webhooks test ${webhookId}", or ${page}`,
  );
}

/** The newest delivery of a backlog may not have been tried yet. */
async function lastErrorOf(partbook: Partbook, id: string): Promise<string | null> {
  try {
    const input = { id, query: { limit: 100 } };
    const { items } = await partbook('GET /webhooks/{id}/deliveries', input, { signal: interruption() });
    return items.find(({ lastError }) => lastError !== null)?.lastError ?? null;
  } catch (error) {
    // It was deleted meanwhile: there is nothing to report.
    if (error instanceof ApiError && error.status === 404) return null;
    throw error;
  }
}

/** Whether anybody works at it the service does not say until it has stood still for long: what is known is when it last got on. */
function lastStep(first: Overview['waitingBatches']['first']): string {
  return first === null || first.movedAt === null
    ? ''
    : `; the first of them got on last at ${first.movedAt}`;
}

function advice(error: unknown): string {
  if (error instanceof ConnectionError) {
    const cause = (error.cause as { cause?: { code?: string } } | undefined)?.cause?.code;
    return `cannot be reached${cause === undefined ? '' : ` (${cause})`}: is the address right, is a proxy or a certificate in the way?`;
  }
  if (error instanceof ApiError && error.status === 401)
    return 'the key is unknown, expired or revoked: make a new one';
  if (error instanceof ApiError && error.status === 403)
    return 'the key is of another workspace, or the workspace is called otherwise';
  if (error instanceof ApiError && error.code === 'workspace_moving')
    return 'the workspace is held, or on its way to another installation: nothing is done in it until its operator takes it back into use';
  if (error instanceof ApiError && error.code === 'workspace_gone') {
    const { movedTo } = error.problem as { movedTo?: unknown };
    return typeof movedTo === 'string'
      ? `the workspace has moved to ${plain(movedTo)}: set that as the address; the key is the same`
      : 'the workspace has moved to another installation: ask its operator for the address; the key is the same';
  }
  if (error instanceof ApiError && error.status === 503)
    return 'it answers, and is not ready: its database does not answer, or its schema is behind. Its operator sees more at /admin';
  return error instanceof Error ? error.message : String(error);
}

function keptFile(): Check {
  const path = keptFilePath(here().env);
  try {
    const mode = statSync(path).mode & 0o077;
    const ok = process.platform === 'win32' || mode === 0;
    return { name: 'settings', ok, said: ok ? path : `${path} can be read by others: chmod 600 ${path}` };
  } catch {
    return { name: 'settings', ok: true, said: `${path} does not exist: no settings are saved` };
  }
}
