/** Receipts, shipments, reservations and releases of existing lines, those of callers of the same time in one transaction. */
import { configurationForWriting } from '../../configuration/current/configuration-for-writing.ts';
import {
  categoryOf,
  type WorkspaceConfiguration,
} from '../../configuration/current/workspace-configuration.ts';
import type { Tx } from '../../db/transaction.ts';
import { isEntityId } from '../../entities/resolve-entity.ts';
import type { Mover } from '../../entities/transition-entity.ts';
import { AppError } from '../../errors.ts';
import { listeningSlug } from '../../events/record-events.ts';
import type { CombinedCall, CombinedWork, Verdict } from '../../group-commit/combined-calls.ts';
import type { LedgerEntry } from '../../stock/entries/ledger-entry.ts';
import { showEntry } from '../../stock/entries/show-stock.ts';
import {
  type LockedRow,
  lockedBy,
  type Recording,
  startRecording,
} from '../../stock/movements/record-requests.ts';
import { entriesSince } from '../lines/line-entries.ts';
import { endsOfActs, type LineAct, type LineWork, movementOf, workOnLine } from '../lines/work-on-line.ts';
import { isFinal, type Line, type LineRow, lineOfRow } from '../records/line.ts';
import { selectLines } from '../records/lines.sql.ts';
import { showLine } from '../records/show-procurement.ts';
import { type Move, wayOf, writeMoves } from './plain-moves.ts';
import { type LockedEntity, lockFreeEntities, lockNamedPositions } from './together.sql.ts';

export interface LineCall extends CombinedCall {
  by: Mover;
  act: LineAct;
  work: LineWork;
}

export const movingLines: CombinedWork<LineCall> = {
  what: 'movements of lines',
  together: moveLines,
  apart: async (tx, { by, act, work }) => {
    const { line, before } = await workOnLine(tx, by, act, work);
    const entries = await entriesSince(tx, by.actor, line, before);
    return { status: 201, body: { line: showLine(line), entries } };
  },
};

interface Group {
  configuration: WorkspaceConfiguration;
  entities: ReadonlyMap<string, LockedEntity>;
  /** As they are after the calls so far. */
  lines: Map<string, Line>;
  recording: Recording;
  moves: Move[];
}

/** Two round trips, as adjustments have. Only what can be done is done here; a call that is refused is refused apart. */
async function moveLines(
  tx: Tx,
  calls: readonly LineCall[],
  claimed: Promise<readonly (Verdict | null)[]>,
): Promise<Verdict[]> {
  const named = calls.map(({ work }) => work.line).filter(isEntityId);
  const ids = [...new Set(named)].toSorted();
  const none = ids.map(() => null);
  const [known, configuration, locked, rows, positions, slug] = await Promise.all([
    claimed,
    configurationForWriting(tx),
    tx.queryPrepared<LockedEntity>(lockFreeEntities, [tx.workspaceId, ids]),
    tx.queryPrepared<LineRow>(selectLines, [tx.workspaceId, ids]),
    lockedBy(tx, tx.queryPrepared<LockedRow>(lockNamedPositions, [tx.workspaceId, none, none, ids, none])),
    listeningSlug(tx, 'lifecycleTransition'),
  ]);
  const group: Group = {
    configuration,
    entities: new Map(locked.map((entity) => [entity.id, entity])),
    lines: new Map(rows.map((row) => [row.id, lineOfRow(row)])),
    recording: await startRecording(tx, positions),
    moves: [],
  };
  const verdicts: Verdict[] = [];
  for (const [index, call] of calls.entries()) verdicts.push(known[index] ?? (await moveLine(group, call)));
  await group.recording.write();
  writeMoves(tx, group.moves, { slug });
  return verdicts;
}

async function moveLine(group: Group, { by, act, work }: LineCall): Promise<Verdict> {
  const { amount, note } = work;
  const line = group.lines.get(work.line);
  const entity = group.entities.get(work.line);
  if (line === undefined || entity === undefined) return 'apart';
  const ending = endOf(group, entity, line, { by, act, work });
  if (ending === 'apart') return 'apart';
  const movement = allowed(() => movementOf(act, line, amount, note));
  if (movement === null) return 'apart';
  const { entries } = await group.recording.decide({ actor: by.actor, movements: [movement] });
  const entry = entries?.[0];
  if (entry === undefined) return 'apart';
  const after = lineAfter(line, entry, ending ?? line.state);
  group.lines.set(line.id, after);
  if (ending !== null)
    group.moves.push({ entity, from: entity.state, to: ending, note, actorId: by.actor.id });
  const shown = showEntry(entry, line.itemNumber, line.locationNumber, by.actor);
  return { status: 201, body: { line: showLine(after), entries: [shown] } };
}

/** The state that the line goes to with the call; null where it stays, `apart` where more happens with the way there. */
function endOf(
  { configuration }: Group,
  entity: LockedEntity,
  line: Line,
  { by, act, work }: Pick<LineCall, 'by' | 'act' | 'work'>,
): string | null | 'apart' {
  const toState = endsOfActs[act];
  if (toState === null || work.amount !== line.open) return null;
  // What a final line still holds is given back, which is more than a move: nothing but what is taken now may be held.
  const [onOrder, reserved] = act === 'receive' ? [work.amount, 0n] : [0n, work.amount];
  const holdsMore = line.onOrder > onOrder || line.reserved > reserved;
  if (holdsMore || line.state !== entity.state) return 'apart';
  const category = categoryOf(configuration, entity.category);
  // It gives back what is on order, of which nothing is left.
  const isPlain = ({ feature }: { feature: string }) =>
    feature === 'updateOnOrderStock' && line.type === 'purchaseOrder';
  const way = wayOf(category, [entity.state, toState], by, isPlain);
  return way === 'plain' ? toState : way === 'none' ? null : 'apart';
}

function lineAfter(line: Line, entry: LedgerEntry, state: string): Line {
  const { movementType: type, quantity } = entry;
  const received = line.received + (type === 'POReceipt' || type === 'MOReceipt' ? quantity : 0n);
  const shipped = line.shipped - (type === 'SOShipment' ? quantity : 0n);
  return {
    ...line,
    state,
    received,
    shipped,
    reserved: line.reserved + entry.reservedDelta,
    onOrder: line.onOrder + entry.onOrderDelta,
    open: isFinal(state) ? 0n : line.quantity - received - shipped,
  };
}

/** Null for what is refused: the call is refused apart, as it always was. */
export function allowed<T>(work: () => T): T | null {
  try {
    return work();
  } catch (error) {
    if (error instanceof AppError) return null;
    throw error;
  }
}
