/** What every command works with: its settings, its connection, its output, and the signal that ends it. */
import type { Command } from 'commander';
import { type Connection, connect, type Partbook } from '../typescript/connect.ts';
import { listItems } from '../typescript/list-items.ts';
import { UsageError } from './exit-codes.ts';
import { type Form, Output } from './output.ts';
import { type Flags, requireSettings, type Settings } from './settings.ts';

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
export const interruption = interrupted.signal;

export function interrupt(error: Error): void {
  interrupted.abort(error);
}

export function outputOf(command: Command): Output {
  const { json, ndjson } = command.optsWithGlobals<GlobalFlags>();
  if (json === true && ndjson === true) throw new UsageError('Either --json or --ndjson.');
  const form: Form = json === true ? 'json' : ndjson === true ? 'ndjson' : 'text';
  return new Output(form, process.env);
}

export function openSession(command: Command): Session {
  const settings = requireSettings(command.optsWithGlobals<GlobalFlags>(), process.env, process.cwd());
  return { settings, partbook: connectTo(settings), output: outputOf(command), signal: interruption };
}

export function connectTo(
  { url, workspace, key }: Pick<Settings, 'url' | 'workspace' | 'key'>,
  more: Pick<Connection, 'retries'> = {},
): Partbook {
  const headers = { 'User-Agent': 'partbook-cli' };
  return connect({ url, workspace, key, timeoutMs: TRY_MS, headers, ...more });
}

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Of a batch, a key or a run: what is none is the caller's slip, and not the service's finding. */
export function requireUuid(what: string, text: string): string {
  if (uuid.test(text)) return text;
  throw new UsageError(
    `"${text}" is no id of a ${what}: "partbook ${what === 'key' ? 'keys' : 'batches'}" shows them.`,
  );
}

/** The id of an entity by what a person has at hand: its number, `guid:…`, or the id itself. */
export async function entityId({ partbook, signal }: Session, reference: string): Promise<string> {
  if (uuid.test(reference) || reference.startsWith('guid:')) return reference;
  const found: { id: string; number: string | null; name: string }[] = [];
  for await (const entity of listItems(
    partbook,
    'GET /entities',
    { query: { number: reference } },
    { signal, pageItems: 3 },
  )) {
    found.push(entity);
    if (found.length > 1) break;
  }
  const [first, second] = found;
  if (first === undefined) throw new UsageError(`No entity has the number "${reference}".`);
  if (second !== undefined) {
    throw new UsageError(`Several entities have the number "${reference}": name one by its id or as guid:….`);
  }
  return first.id;
}
