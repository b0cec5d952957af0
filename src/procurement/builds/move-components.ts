/** Reserves or issues all components of a manufacturing line at once: everything or nothing. */
import { newId } from '../../db/ids.ts';
import type { Tx } from '../../db/transaction.ts';
import type { EntityRef } from '../../entities/resolve-entity.ts';
import type { Mover } from '../../entities/transition-entity.ts';
import { AppError } from '../../errors.ts';
import type { Micro } from '../../quantity.ts';
import type { ComponentLotsGiven } from '../../stock/entries/lot.schema.ts';
import { findStockEntities } from '../../stock/movements/find-stock-entities.ts';
import { startRecording } from '../../stock/movements/record-requests.ts';
import { type Names, refuseMovements } from '../../stock/movements/refuse-movements.ts';
import { EntityMoves } from '../records/entity-moves.ts';
import { findLine, lockLine } from '../records/find-procured.ts';
import type { Line } from '../records/line.ts';
import { refuseLocation, refuseType, requireOpen } from '../records/refusals.ts';
import { selectLocationsWithin } from './builds.sql.ts';
import { lotsOfComponents } from './component-lots.ts';
import type { Taken } from './component-stock.ts';
import type { Build } from './components.ts';
import { lockBuilds, lockStock, readBuilds, readStock } from './open-builds.ts';
import { movementsOf, noteTaken, planComponents, refuseShortages } from './plan-build.ts';
import { chooseSubstitutes, idsOf, nameSubstitutes, type WantedSubstitute } from './substitutes.ts';

export interface ComponentWork {
  line: EntityRef;
  act: 'reserve' | 'issue';
  /** Further units of output that the components are for; null: all that are open. */
  units: Micro | null;
  from: readonly EntityRef[] | null;
  note: string | null;
  /** Lots of an issue. */
  componentLots: ComponentLotsGiven;
  substitutes: readonly WantedSubstitute[];
}

/**
 * MRReservation or MRIssue for each component. Throws `line_not_found`, `line_not_open`, `entity_not_found`,
 * `not_a_location`, `tree_too_large`, and `insufficient_stock` with every shortage; then nothing has moved.
 */
export async function moveComponents(tx: Tx, by: Mover, work: ComponentWork): Promise<Taken> {
  const line = await lockLine(tx, work.line);
  requireBuildable(line);
  const named = await nameSubstitutes(tx, work.substitutes);
  const opened = await lockBuilds(tx, [line], {
    from: await locationsOf(tx, work.from),
    beside: idsOf(named),
    requiredBy: by.actor,
  });
  const { positions, stock } = await lockStock(tx, opened);
  const build = opened.builds.get(line.id);
  if (build === undefined) throw new Error('A line without its build');
  const substitutes = await chooseSubstitutes(tx, [build], named);
  const taken = planComponents(build, stock, work.act, work.units, substitutes);
  if (taken.shortages.length > 0) throw refuseShortages(taken);
  const lots = await lotsOfComponents(tx, work.componentLots, positions);
  const movements = movementsOf(taken, work.act, { note: work.note, bookingId: newId() }, lots);
  if (movements.length === 0) return taken;
  const recording = await startRecording(tx, positions);
  const { refusals } = await recording.decide({ actor: by.actor, movements });
  if (refusals !== null) throw refuseMovements(refusals, namesOf(build, taken));
  const moves = new EntityMoves(tx, [by]);
  noteTaken(tx, by, opened.requirements, taken);
  opened.requirements.keep(moves);
  await recording.write();
  await moves.write();
  return taken;
}

/** Returns the names of the components and of their substitutes, for refusals. */
function namesOf({ components }: Build, { takes }: Taken): Names {
  return new Map([
    ...components.map(
      ({ requirement: { itemId, itemNumber, itemName } }) =>
        [itemId, { number: itemNumber, name: itemName }] as const,
    ),
    ...takes.flatMap(({ substitute }) => (substitute === null ? [] : [[substitute.id, substitute] as const])),
  ]);
}

/** Returns what `moveComponents` would take, and what is short. Throws as it does, but for the shortages. */
export async function previewComponents(tx: Tx, work: ComponentWork): Promise<Taken> {
  const line = await findLine(tx, work.line);
  requireBuildable(line);
  const named = await nameSubstitutes(tx, work.substitutes);
  const picking = { from: await locationsOf(tx, work.from), beside: idsOf(named) };
  const opened = await readBuilds(tx, [line], picking);
  const build = opened.builds.get(line.id);
  if (build === undefined) throw new Error('A line without its build');
  const substitutes = await chooseSubstitutes(tx, [build], named);
  return planComponents(build, await readStock(tx, opened), work.act, work.units, substitutes);
}

/** Throws `line_not_open` for a line of another type and for one that is not ordered yet. */
export function requireBuildable(line: Line): void {
  if (line.type !== 'manufacturingOrder') throw refuseType(line, 'built from components');
  requireOpen(line, 0n, 0n, { code: 'over_receipt', what: 'Building' });
}

/** Locations that one call takes stock from, with all that lie in those that it names. */
const LOCATIONS_MAX = 1000;

/**
 * Returns the ids of locations that a call names, each with those that lie in it, and each once: its stock is there once. Throws
 * `entity_not_found`, `not_a_location`, `tree_too_large`.
 */
export async function locationsOf(tx: Tx, from: readonly EntityRef[] | null): Promise<string[] | null> {
  if (from === null) return null;
  const found = await findStockEntities(tx, from);
  const ids = from.map((ref) => {
    const location = found.get(ref);
    if (location?.isLocation !== true) throw refuseLocation(ref, location, 'from');
    return location.id;
  });
  const rows = await tx.query<{ id: string }>(selectLocationsWithin, [
    tx.workspaceId,
    ids,
    LOCATIONS_MAX + 1,
  ]);
  const within = [...new Set(rows.map(({ id }) => id))];
  if (rows.length <= LOCATIONS_MAX) return within;
  throw new AppError('tree_too_large', {
    detail: `More than ${LOCATIONS_MAX} locations lie in those of \`from\`. Name smaller ones.`,
    extensions: { limit: LOCATIONS_MAX },
  });
}
