/** Opens the session of a command: its settings, its connection, its output, and the signal that ends it. */
import type { Command } from 'commander';
import { type Connection, connect, type Partbook } from '../typescript/connect.ts';
import { listItems } from '../typescript/list-items.ts';
import { UsageError } from './exit-codes.ts';
import { type Form, Output } from './output.ts';
import { type Flags, requireSettings, type Settings } from './settings.ts';
import { here } from './surroundings.ts';

export interface Session {
  settings: Settings;
  partbook: Partbook;
  output: Output;
  signal: AbortSignal;
}

export interface GlobalFlags extends Flags {
  json?: boolean;
  ndjson?: boolean;
}

const TRY_MS = 120_000;

/** Aborted by Ctrl-C and by a scheduler that stops the process. */
const interrupted = new AbortController();

/** The signal that ends this run: the caller's, or that of the process. */
export function interruption(): AbortSignal {
  return here().signal ?? interrupted.signal;
}

export function interrupt(error: Error): void {
  interrupted.abort(error);
}

export function outputOf(command: Command): Output {
  const { json, ndjson } = command.optsWithGlobals<GlobalFlags>();
  if (json === true && ndjson === true) throw new UsageError('Either --json or --ndjson.');
  const form: Form = json === true ? 'json' : ndjson === true ? 'ndjson' : 'text';
  return new Output(form);
}

export function openSession(command: Command): Session {
  const settings = requireSettings(command.optsWithGlobals<GlobalFlags>(), here().env, here().cwd);
  return { settings, partbook: connectTo(settings), output: outputOf(command), signal: interruption() };
}

export function connectTo(
  { url, workspace, key }: Pick<Settings, 'url' | 'workspace' | 'key'>,
  more: Pick<Connection, 'retries'> = {},
): Partbook {
  const headers = { 'User-Agent': 'partbook-cli' };
  return connect({ url, workspace, key, timeoutMs: TRY_MS, headers, ...more });
}

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

const shownBy = {
  batch: 'batches',
  key: 'keys',
  delivery: 'webhooks deliveries',
  invitation: 'people invitations',
} as const;

/** Requires the id of a batch, a key, a delivery or an invitation: another text is a slip of the caller and needs no request. */
export function requireUuid(what: keyof typeof shownBy, text: string): string {
  if (uuid.test(text)) return text;
  throw new UsageError(`"${text}" is no id of a ${what}: "partbook ${shownBy[what]}" shows them.`);
}

/** The kind of entity that a number means. */
interface Meant {
  role?: 'item' | 'location' | 'project';
  /** Archived ones too, or only these; a number otherwise means one that is not archived. */
  archived?: 'true' | 'only';
}

/** The id of an entity by what a person has at hand: its number, `guid:…`, or the id itself. */
export async function entityId(
  { partbook, signal }: Session,
  reference: string,
  meant?: Meant,
): Promise<string> {
  if (isReference(reference)) return reference;
  const query = { number: reference, ...meant };
  const found = listItems(partbook, 'GET /entities', { query }, { signal, pageItems: 3 });
  return theOne(found, meant?.role ?? 'entity', reference);
}

/** The same of an order, whose number a part may have too. */
export async function orderId({ partbook, signal }: Session, reference: string): Promise<string> {
  if (isReference(reference)) return reference;
  const found = listItems(partbook, 'GET /orders', { query: { q: reference } }, { signal });
  return theOne(withNumber(found, reference), 'order', reference);
}

/** Does the same for a material requirement. */
export async function requirementId({ partbook, signal }: Session, reference: string): Promise<string> {
  if (isReference(reference)) return reference;
  const found = listItems(partbook, 'GET /requirements', { query: { q: reference } }, { signal });
  return theOne(withNumber(found, reference), 'requirement', reference);
}

const isReference = (text: string) => uuid.test(text) || text.startsWith('guid:');

interface Found {
  id: string;
  number: string | null;
}

async function* withNumber<One extends Found>(
  found: AsyncIterable<One>,
  number: string,
): AsyncGenerator<One> {
  for await (const one of found) if (one.number === number) yield one;
}

async function theOne(found: AsyncIterable<Found>, what: string, reference: string): Promise<string> {
  let only: string | null = null;
  for await (const { id } of found) {
    if (only !== null)
      throw new UsageError(
        `Several ${plural(what)} have the number "${reference}": name one by its id or as guid:….`,
      );
    only = id;
  }
  if (only === null) throw new UsageError(`No ${what} has the number "${reference}".`);
  return only;
}

const plural = (what: string) => (what === 'entity' ? 'entities' : `${what}s`);
