/** Plans one move of a line: its movements, the line after it, and how it ends. */
import type { ConsumeMode } from '../../configuration/categories/behaviour.ts';
import type { WorkspaceConfiguration } from '../../configuration/current/workspace-configuration.ts';
import { newId } from '../../db/ids.ts';
import type { Tx } from '../../db/transaction.ts';
import type { EntityRef } from '../../entities/resolve-entity.ts';
import type { Mover } from '../../entities/transition-entity.ts';
import { AppError } from '../../errors.ts';
import type { Micro } from '../../quantity.ts';
import { lineRules } from '../../stock/entries/line-rules.ts';
import type { Movement } from '../../stock/entries/movement.ts';
import type { StockEntity } from '../../stock/movements/find-stock-entities.ts';
import type { LotDivider } from '../../stock/movements/lot-shares.ts';
import type { Recording } from '../../stock/movements/record-requests.ts';
import type { LineBuilds } from '../builds/line-builds.ts';
import type { EntityMoves } from '../records/entity-moves.ts';
import { refuseCostOf } from '../records/given-costs.ts';
import { isAtWork, type Line, lineAfter, movementsOf } from '../records/line.ts';
import { lineActs, requireAct } from '../records/line-acts.ts';
import type { LockedEntity } from '../records/procured-entities.sql.ts';
import { reservesArrived } from '../records/reserve-arrived.ts';
import { requireBuild } from './build-mode.ts';
import { endOf } from './end-lines.ts';
import type { LineMove, LineRequest } from './line-request.ts';
import { moveOrder, placeOf } from './other-locations.ts';
import { overDelivery, overDeliveryOf, toleranceOf } from './over-delivery.ts';

/** Requests that move lines in one transaction, with what they have locked. */
export interface Group {
  tx: Tx;
  isSingle: boolean;
  configuration: WorkspaceConfiguration;
  ids: ReadonlyMap<EntityRef, string>;
  /** Locations that the requests name. */
  places: ReadonlyMap<EntityRef, StockEntity>;
  /** Locked lines, and orders of lines, by id. */
  entities: ReadonlyMap<string, LockedEntity>;
  orders: ReadonlyMap<string, LockedEntity>;
  /** Requirements of lines that are locked. */
  requirements: ReadonlyMap<string, LockedEntity>;
  /** Lines as they are after the requests so far. */
  lines: Map<string, Line>;
  /** Lines that take components; null in a group. */
  builds: LineBuilds | null;
  firstExpired: LotDivider | null;
  modeOf(request: LineRequest, line: Line): ConsumeMode | null;
  recording: Recording;
  transitions: EntityMoves;
  /** Orders of lines that have ended. */
  endings: Map<string, Mover>;
}

export interface Step {
  move: LineMove;
  line: Line;
  /** Puts on order what comes in excess, and moves what is on order to the location where the goods arrive. */
  before: readonly Movement[];
  /** The movements, two where a part is for no requirement; none for a receipt of scrap alone. */
  movements: readonly Movement[];
  /** Whether what arrives for the requirement is reserved for it. */
  reserves: boolean;
  mode: ConsumeMode | null;
  after: Line;
  /** How the line ends with it. */
  end: ReturnType<typeof endOf>;
}

/** Returns the effect of one move on its line, after the moves before it; null if it moves nothing. */
export function stepOf(
  group: Group,
  request: LineRequest,
  lines: ReadonlyMap<string, Line>,
  move: LineMove,
): Step | 'separately' | null {
  const { act } = request;
  const id = group.ids.get(move.line);
  const line = id === undefined ? undefined : (lines.get(id) ?? group.lines.get(id));
  if (line === undefined) throw new AppError('line_not_found', `There is no stock line ${move.line}.`);
  const entity = group.entities.get(line.id);
  if (entity === undefined) return 'separately';
  // Lots that are chosen for one call are not there for the next.
  if (move.lots === 'firstExpired' && group.firstExpired === null) return 'separately';
  if (move.amount === null && (line.open <= 0n || !isAtWork(line))) return null;
  const amount = move.amount ?? line.open;
  const excess = requireMovable(group, request, { line, move, amount });
  const mode = group.modeOf(request, line);
  if (mode !== null && group.builds === null) return 'separately';
  requireBuild(line, request.build);
  if (move.unitCost !== undefined && line.type !== 'purchaseOrder') throw refuseCostOf(line.type);
  const reserves = reservesArrived(group, act, line);
  if (reserves === 'separately') return reserves;
  if (amount === 0n) return { move, line, before: [], movements: [], reserves, mode, after: line, end: null };
  const { before, raised, movements } = movementsOfMove(group, request, { line, move, amount, excess, mode });
  const common = { move, line, before, movements, reserves, mode };
  const { step } = lineActs[act];
  const moved = lineAfter(raised, movements, step, line.state);
  const isDone = step === 'fulfil' && moved.open === 0n;
  const end = isDone ? endOf(group.configuration, entity, moved, request.by) : null;
  if (end === null) return { ...common, after: moved, end };
  const canEnd = group.isSingle || (end === 'plain' && group.orders.has(line.orderId));
  if (!canEnd) return 'separately';
  return { ...common, after: lineAfter(raised, movements, step, lineRules[line.type].fulfilled), end };
}

interface OneMove {
  line: Line;
  move: LineMove;
  amount: Micro;
}

/** Refuses a move that the line does not allow. Returns how much of it comes in excess of the order. */
function requireMovable(
  { configuration: { stock } }: Group,
  { act }: LineRequest,
  { line, amount }: OneMove,
): Micro {
  const excess = act === 'receive' ? overDelivery(line, amount, stock) : 0n;
  const isBeyond = act === 'receive' && amount - excess > line.open;
  requireAct(act, line, amount - excess, isBeyond ? toleranceOf(line, stock) : null);
  return excess;
}

/** Returns the movements of a move, those before them, and the line with the excess on order. */
function movementsOfMove(
  group: Group,
  { act, note, bookingId: named }: LineRequest,
  { line, move, amount, excess, mode }: OneMove & { excess: Micro; mode: ConsumeMode | null },
): Pick<Step, 'before' | 'movements'> & { raised: Line } {
  const locationId = placeOf(group.places, line, move);
  const isElsewhere = locationId !== line.locationId;
  const bookingId = named ?? (isElsewhere || mode !== null ? newId() : null);
  const facts = { note, bookingId };
  const ordered = excess === 0n ? [] : overDeliveryOf(line, excess, facts);
  const raised = lineAfter(line, ordered, 'begin', line.state);
  const { step } = lineActs[act];
  const movements = movementsOf(raised, step, amount, { note, entered: move.entered }).map((movement) => ({
    ...movement,
    locationId,
    bookingId,
    ...(move.unitCost === undefined ? {} : { unitCost: move.unitCost }),
    ...(mode === null ? {} : { consume: mode, itemRevision: line.itemRevision }),
  }));
  const before = isElsewhere ? [...ordered, ...moveOrder(line, locationId, movements, facts)] : ordered;
  return { before, raised, movements };
}
