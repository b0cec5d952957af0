/**
 * Receipts, shipments, reservations and releases of lines: those of one caller or of many, of one line or of a whole
 * order. Two round trips, as adjustments have: all locks and reads, then all that is written with the commit.
 */
import { configurationForWriting } from '../../configuration/current/configuration-for-writing.ts';
import type { Tx } from '../../db/transaction.ts';
import { AppError } from '../../errors.ts';
import { type Gathering, type Outcome, orRefusal } from '../../group-commit/gathering.ts';
import { lineRules } from '../../stock/entries/line-rules.ts';
import type { Movement } from '../../stock/entries/movement.ts';
import { byLots, firstExpiredOf, holdsFor } from '../../stock/movements/lot-shares.ts';
import { startRecording } from '../../stock/movements/record-requests.ts';
import { LineBuilds } from '../builds/line-builds.ts';
import { AvailableStock } from '../records/available-stock.ts';
import { EntityMoves } from '../records/entity-moves.ts';
import { findLine, idsOf } from '../records/find-procured.ts';
import { type Line, type LineRow, lineOfRow } from '../records/line.ts';
import { lineActs, nothingOpen } from '../records/line-acts.ts';
import { selectLines } from '../records/lines.sql.ts';
import {
  type LockedEntity,
  lockEntities,
  lockOrdersOfLines,
  lockRequirementsOfLines,
  waiting,
} from '../records/procured-entities.sql.ts';
import { atLine, type RefusedPart, refuseLineMovements } from '../records/refusals.ts';
import { reserveArrived } from '../records/reserve-arrived.ts';
import { consumeOf } from './build-mode.ts';
import { endOrders } from './end-lines.ts';
import { entriesSince } from './line-entries.ts';
import type { LineMove, LineRequest, MovedLine } from './line-request.ts';
import { type Group, type Step, stepOf } from './line-step.ts';
import { elsewhereOf, findPlaces, lockLinePositions, withOther } from './other-locations.ts';

/**
 * A line of which nothing is open any more is Received or Shipped, and its order ends with its last line. Refuses with
 * `line_not_found`, what `requireAct` throws, and `insufficient_stock`. Receipts that take components have a transaction of their own,
 * which locks the requirements of the components before any position.
 */
export async function moveLines(
  tx: Tx,
  requests: readonly LineRequest[],
  { answered, isSingle }: Gathering,
): Promise<Outcome<MovedLine[]>[]> {
  const refs = await idsOf(
    tx,
    requests.flatMap(({ moves }) => moves.map(({ line }) => line)),
  );
  const ids = [...new Set(refs.values())].toSorted();
  const form = waiting(isSingle);
  const transitions = new EntityMoves(
    tx,
    requests.map(({ by }) => by),
  );
  const endsLines = requests.some(({ act }) => lineActs[act].step === 'fulfil');
  const places = await findPlaces(tx, requests);
  const elsewhere = elsewhereOf(requests, refs, places);
  const lockOwn = () => lockLinePositions(tx, ids, elsewhere);
  const receives = requests.some(({ act }) => act === 'receive');
  const mayBuild = isSingle && receives;
  const [isAnswered, configuration, orders, locked, requirements, rows, ownPositions] = await Promise.all([
    answered,
    configurationForWriting(tx),
    endsLines ? tx.queryPrepared<LockedEntity>(lockOrdersOfLines[form], [tx.workspaceId, ids]) : [],
    tx.queryPrepared<LockedEntity>(lockEntities[form], [tx.workspaceId, ids]),
    receives ? tx.queryPrepared<LockedEntity>(lockRequirementsOfLines[form], [tx.workspaceId, ids]) : [],
    tx.queryPrepared<LineRow>(selectLines, [tx.workspaceId, ids]),
    mayBuild ? null : lockOwn(),
  ]);
  const lines = rows.map(lineOfRow);
  const entities = new Map(locked.map((entity) => [entity.id, entity]));
  const modeOf = (request: LineRequest, line: Line) => {
    const category = configuration.categories.get(entities.get(line.id)?.category ?? '');
    return consumeOf(request, line, category?.consume ?? null);
  };
  const request = requests[0];
  const building =
    mayBuild && request !== undefined && isAnswered[0] !== true
      ? lines.filter((line) => modeOf(request, line) !== null)
      : [];
  const builds =
    building.length === 0
      ? null
      : await LineBuilds.open(tx, request as LineRequest, building, withOther(lines, elsewhere));
  const recording = await startRecording(tx, builds?.positions ?? ownPositions ?? (await lockOwn()));
  const group: Group = {
    tx,
    isSingle,
    configuration,
    ids: refs,
    places,
    entities,
    orders: new Map(orders.map((order) => [order.id, order])),
    requirements: new Map(requirements.map((requirement) => [requirement.id, requirement])),
    lines: new Map(lines.map((line) => [line.id, line])),
    builds,
    modeOf,
    firstExpired: isSingle ? await firstExpiredOf(tx, requests, lines) : null,
    recording,
    transitions,
    endings: new Map(),
  };
  const outcomes: Outcome<MovedLine[]>[] = [];
  for (const [index, request] of requests.entries())
    outcomes.push(isAnswered[index] === true ? null : await moveOne(group, request));
  await group.recording.write();
  const isEventful = transitions.hasEventful;
  await transitions.write();
  await builds?.end(tx);
  await endOrders(tx, configuration, group.endings, transitions);
  // A feature automation of a transition may have moved more of the line.
  if (isEventful) await refreshLines(tx, outcomes);
  return outcomes;
}

function linesOf(group: Group, moves: readonly LineMove[]): Line[] {
  return moves.flatMap(({ line }) => group.lines.get(group.ids.get(line) ?? '') ?? []);
}

async function moveOne(group: Group, request: LineRequest): Promise<Outcome<MovedLine[]>> {
  const { by, act, moves, note, effectiveOn } = request;
  const lines = new Map<string, Line>();
  const steps: Step[] = [];
  for (const move of moves) {
    const step = orRefusal(() => atLine(move.index, () => stepOf(group, request, lines, move)));
    if (step instanceof AppError || step === 'separately') return step;
    if (step === null) continue;
    steps.push(step);
    lines.set(step.line.id, step.after);
  }
  if (steps.length === 0) return nothingOpen(act, linesOf(group, moves));
  const planned = orRefusal(() => group.builds?.plan(steps.filter(({ mode }) => mode !== null)) ?? null);
  if (planned instanceof AppError) return planned;
  const available = new AvailableStock((position) => group.recording.balanceOf(position));
  const parts: { movement: Movement; part: RefusedPart }[] = [];
  for (const step of steps) {
    const { lots } = step.move;
    const holds = act === 'reserve' ? step.movements.flatMap((one) => holdsFor(one, lots)) : [];
    const goods = act === 'reserve' ? step.movements : byLots(step.movements, lots, group.firstExpired);
    const own = [...step.before, ...goods, ...holds];
    const usable = await group.recording.available(goods);
    if (step.reserves) own.push(...reserveArrived(step.movements, usable, available));
    else available.note(usable);
    parts.push(
      ...own.map((movement) => ({ movement, part: partOf(step) })),
      ...(planned?.ofStep(step) ?? []),
    );
  }
  const movements = parts.map(({ movement }) => movement);
  const { entries, refusals } = await group.recording.decide({ actor: by.actor, movements, effectiveOn });
  if (refusals !== null) {
    return refuseLineMovements(
      refusals,
      parts.map(({ part }) => part),
    );
  }
  planned?.keep(by, group.transitions);
  for (const { line, end } of steps) {
    if (end === null) continue;
    const entity = group.entities.get(line.id) as LockedEntity;
    const { fulfilled: to } = lineRules[line.type];
    group.transitions.add(end, { entity, from: entity.state, to, note, by });
    group.endings.set(line.orderId, by);
    planned?.endLine(line, by, note);
  }
  for (const line of lines.values()) group.lines.set(line.id, line);
  const entriesOf = Map.groupBy(entries, ({ lineId }) => lineId);
  const done: MovedLine[] = [];
  for (const line of lines.values()) {
    const consumed = (await planned?.consumedBy(line)) ?? [];
    done.push({ line, entries: entriesOf.get(line.id) ?? [], consumed });
  }
  return { done };
}

function partOf({ line, move }: Step): RefusedPart {
  return { line, index: move.index };
}

/** Reads the lines again: a feature automation of a transition may have moved more. */
async function refreshLines(tx: Tx, outcomes: readonly Outcome<MovedLine[]>[]): Promise<void> {
  for (const outcome of outcomes) {
    if (outcome === null || outcome === 'separately' || outcome instanceof AppError) continue;
    for (const moved of outcome.done) {
      moved.line = await findLine(tx, moved.line.id);
      moved.entries.push(...(await entriesSince(tx, moved.line.id, moved.entries.at(-1)?.id ?? null)));
    }
  }
}
