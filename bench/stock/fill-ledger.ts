/**
 * Fills a workspace with a ledger that verifies, as years of use would leave it: entries in order of time, half
 * of them of one item at a few locations, many positions at one location, the rest spread. Rows are made here,
 * with the service's own ids and hashes, and copied in.
 */
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Client } from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { newId } from '../../src/db/ids.ts';
import { decimalOf } from '../../src/quantity.ts';
import { entryIdsAt, hashEntry, type LedgerEntry } from '../../src/stock/entries/ledger-entry.ts';
import {
  addDeltas,
  type Balance,
  type Deltas,
  deltasOf,
  type Movement,
} from '../../src/stock/entries/movement.ts';

export interface FilledLedger {
  workspaceId: string;
  entries: number;
  /** The item that half of the entries are of. */
  busyItem: string;
  busyEntries: number;
  /** The location with the many positions. */
  wideLocation: string;
  widePositions: number;
  /** Milliseconds since 1970: the first entry's, and the one behind the last entry's. */
  fromMs: number;
  toMs: number;
}

const BUSY_LOCATIONS = 5;
const WIDE_POSITIONS_MAX = 200_000;
const SPREAD_LOCATIONS = 100;
const ENTRIES_A_SPREAD_POSITION = 100;
/** Entries of one instant, as one transaction leaves them: which kinds of positions they are of. */
const INSTANT = [
  'busy',
  'busy',
  'busy',
  'busy',
  'busy',
  'wide',
  'wide',
  'spread',
  'spread',
  'spread',
] as const;
const INSTANT_US = 30_000_000n;
const START_US = 1_700_000_000_000_000n;
/** One in so many goods receipts is of a manufacturing order: the rare type to look for. */
const RARE_EVERY = 1000n;

interface Chain {
  readonly itemId: string;
  readonly locationId: string;
  sequence: bigint;
  balance: Balance;
  hash: Buffer | null;
  /** The line of the present round of movements. */
  lineId: string;
  updatedAt: string;
}

interface Step {
  type: Movement['type'];
  deltas: Deltas;
}

function step(type: Movement['type'], amount: bigint, reservedAmount = 0n): Step {
  return { type, deltas: deltasOf({ type, itemId: '', locationId: '', amount, reservedAmount }) };
}

/** What happens at a position over and over. Nothing falls below zero, and On Hand grows slowly. */
const ROUND: readonly Step[] = [
  step('OnOrderAdd', 20_250_000n),
  step('POReceipt', 15_000_000n),
  step('OnOrderRelease', 5_250_000n),
  step('Adjustment', -1_000_000n),
  step('SOReservation', 8_000_000n),
  step('SOShipment', 6_500_000n, 6_500_000n),
  step('SORelease', 1_500_000n),
  step('MRReservation', 5_000_000n),
  step('MRIssue', 4_000_000n),
  step('MRRelease', 1_000_000n),
];
const RARE = step('MOReceipt', 15_000_000n);

/** Entities, entries and positions of a workspace that has none yet. The tables' indexes are the caller's concern. */
export async function fillLedger(
  client: Client,
  workspaceId: string,
  entries: number,
): Promise<FilledLedger> {
  const widePositions = Math.min(WIDE_POSITIONS_MAX, Math.ceil(entries / 50));
  const items = ids(widePositions + 1);
  const locations = ids(1 + BUSY_LOCATIONS + SPREAD_LOCATIONS);
  await insertEntities(client, workspaceId, items, 'item');
  await insertEntities(client, workspaceId, locations, 'location');
  const [busyItem = '', ...others] = items;
  const [wideLocation = '', ...rest] = locations;
  const spreadItems = Math.ceil((entries * 0.3) / ENTRIES_A_SPREAD_POSITION / SPREAD_LOCATIONS);
  const chains = {
    busy: rest.slice(0, BUSY_LOCATIONS).map((locationId) => chainOf(busyItem, locationId)),
    wide: others.map((itemId) => chainOf(itemId, wideLocation)),
    spread: rest
      .slice(BUSY_LOCATIONS)
      .flatMap((locationId) => others.slice(0, spreadItems).map((itemId) => chainOf(itemId, locationId))),
  };
  // The trigger that keeps totals holds what one statement has inserted.
  const rows = ledgerRows(workspaceId, entries, chains);
  for (let first = rows.next(); !first.done; first = rows.next()) {
    await copyIn(client, `copy stock_ledger (${ledgerColumns}) from stdin`, portionOf(first.value, rows));
  }
  await copyIn(
    client,
    `copy stock_position (${positionColumns}) from stdin`,
    positionRows(workspaceId, chains),
  );
  const fromMs = Number(START_US / 1000n);
  const toMs = fromMs + Math.ceil(entries / INSTANT.length) * Number(INSTANT_US / 1000n);
  const busyEntries = chains.busy.reduce((sum, { sequence }) => sum + Number(sequence), 0);
  return { workspaceId, entries, busyItem, busyEntries, wideLocation, widePositions, fromMs, toMs };
}

type Chains = Record<(typeof INSTANT)[number], Chain[]>;

const ledgerColumns = `workspace_id, id, item_id, location_id, sequence, recorded_at, movement_type, quantity,
  on_hand_delta, reserved_delta, on_order_delta, on_hand_after, reserved_after, on_order_after, note, line_id,
  order_id, requirement_id, actor_id, hash`;
const positionColumns =
  'workspace_id, item_id, location_id, on_hand, reserved, on_order, sequence, hash, updated_at';
const CHUNK_ROWS = 500;
const PORTION_CHUNKS = 200;

function* ledgerRows(workspaceId: string, entries: number, chains: Chains): Generator<string> {
  const actorId = newId();
  const next = { busy: 0, wide: 0, spread: 0 };
  let text = '';
  for (let made = 0, recordedUs = START_US; made < entries; recordedUs += INSTANT_US) {
    const idAt = entryIdsAt(recordedUs);
    const recordedAt = new Date(Number(recordedUs / 1000n)).toISOString();
    for (let ordinal = 0; ordinal < INSTANT.length && made < entries; ordinal++, made++) {
      const kind = INSTANT[ordinal] as (typeof INSTANT)[number];
      const chain = chains[kind][next[kind]++ % chains[kind].length] as Chain;
      const entry = append(workspaceId, chain, idAt(ordinal), recordedUs, actorId);
      chain.updatedAt = recordedAt;
      text += ledgerLine(workspaceId, entry, recordedAt);
      if (made % CHUNK_ROWS === CHUNK_ROWS - 1) {
        yield text;
        text = '';
      }
    }
  }
  yield text;
}

function* portionOf(first: string, rows: Generator<string>): Generator<string> {
  yield first;
  for (let count = 1; count < PORTION_CHUNKS; count++) {
    const next = rows.next();
    if (next.done) return;
    yield next.value;
  }
}

function append(
  workspaceId: string,
  chain: Chain,
  id: string,
  recordedUs: bigint,
  actorId: string,
): LedgerEntry {
  const at = Number(chain.sequence % BigInt(ROUND.length));
  const planned = ROUND[at] as Step;
  const rare =
    planned.type === 'POReceipt' && (chain.sequence / BigInt(ROUND.length)) % RARE_EVERY === RARE_EVERY - 1n;
  const { type, deltas } = rare ? RARE : planned;
  if (at === 0) chain.lineId = id;
  const after = addDeltas(chain.balance, deltas);
  const forLine = type !== 'Adjustment';
  const unhashed = {
    id,
    itemId: chain.itemId,
    locationId: chain.locationId,
    sequence: chain.sequence + 1n,
    recordedUs,
    movementType: type,
    quantity: deltas.quantity,
    onHandDelta: deltas.onHand,
    reservedDelta: deltas.reserved,
    onOrderDelta: deltas.onOrder,
    onHandAfter: after.onHand,
    reservedAfter: after.reserved,
    onOrderAfter: after.onOrder,
    note: forLine ? null : 'Stock count of the week',
    lineId: forLine ? chain.lineId : null,
    orderId: forLine ? chain.lineId : null,
    requirementId: type.startsWith('MR') ? chain.lineId : null,
    actorId,
    bookingId: null,
    reversesId: null,
    effectiveOn: null,
    reason: null,
    consume: null,
    itemRevision: null,
    lot: null,
    enteredQuantity: null,
    enteredUnit: null,
    coveredQuantity: null,
  };
  const entry = { ...unhashed, hash: hashEntry(workspaceId, chain.hash, unhashed) };
  chain.sequence = entry.sequence;
  chain.balance = after;
  chain.hash = entry.hash;
  return entry;
}

function ledgerLine(workspaceId: string, entry: LedgerEntry, recordedAt: string): string {
  const quantities = [
    entry.quantity,
    entry.onHandDelta,
    entry.reservedDelta,
    entry.onOrderDelta,
    entry.onHandAfter,
    entry.reservedAfter,
    entry.onOrderAfter,
  ];
  const start = `${workspaceId}\t${entry.id}\t${entry.itemId}\t${entry.locationId}\t${entry.sequence}\t${recordedAt}`;
  const what = `${entry.movementType}\t${quantities.map(decimalOf).join('\t')}\t${entry.note ?? '\\N'}`;
  const why = `${entry.lineId ?? '\\N'}\t${entry.orderId ?? '\\N'}\t${entry.requirementId ?? '\\N'}`;
  return `${start}\t${what}\t${why}\t${entry.actorId}\t\\\\x${entry.hash.toString('hex')}\n`;
}

function* positionRows(workspaceId: string, chains: Chains): Generator<string> {
  for (const kind of Object.values(chains)) {
    for (const { itemId, locationId, balance, sequence, hash, updatedAt } of kind) {
      if (hash === null) continue;
      const figures = [balance.onHand, balance.reserved, balance.onOrder].map(decimalOf).join('\t');
      const key = `${workspaceId}\t${itemId}\t${locationId}`;
      yield `${key}\t${figures}\t${sequence}\t\\\\x${hash.toString('hex')}\t${updatedAt}\n`;
    }
  }
}

function chainOf(itemId: string, locationId: string): Chain {
  const balance = { onHand: 0n, reserved: 0n, onOrder: 0n };
  return { itemId, locationId, sequence: 0n, balance, hash: null, lineId: '', updatedAt: '' };
}

function ids(count: number): string[] {
  return Array.from({ length: count }, newId);
}

async function copyIn(client: Client, statement: string, rows: Iterable<string>): Promise<void> {
  await pipeline(Readable.from(rows), client.query(copyFrom(statement)));
}

async function insertEntities(client: Client, workspaceId: string, members: string[], kind: string) {
  await client.query(
    `insert into entity (workspace_id, id, version_id, number, name, category, state, revised_by)
     select $1, id, id, 'N-' || row_number() over (), 'An entity', $3, 'In Work', $1 from unnest($2::uuid[]) as given (id)`,
    [workspaceId, members, kind],
  );
}
