/** Receipts at another location than that of the line: goods are received where they are on order, so the order moves there first. */
import type { Tx } from '../../db/transaction.ts';
import type { EntityRef } from '../../entities/resolve-entity.ts';
import { lineRules } from '../../stock/entries/line-rules.ts';
import type { Movement } from '../../stock/entries/movement.ts';
import { findStockEntities, type StockEntity } from '../../stock/movements/find-stock-entities.ts';
import { type LockedPositions, type LockedRow, lockedBy } from '../../stock/movements/record-requests.ts';
import type { Line } from '../records/line.ts';
import { lockNamedPositions } from '../records/procured-entities.sql.ts';
import { refuseLocation } from '../records/refusals.ts';

interface Named {
  moves: readonly { line: EntityRef; location?: EntityRef | undefined }[];
}

/** A line and the id of a location where some of it arrives. */
export interface Elsewhere {
  line: string;
  location: string;
}

/** Finds the locations that requests name. */
export function findPlaces(tx: Tx, requests: readonly Named[]): Promise<Map<EntityRef, StockEntity>> {
  const named = new Set(requests.flatMap(({ moves }) => moves.flatMap(({ location }) => location ?? [])));
  return named.size === 0 ? Promise.resolve(new Map()) : findStockEntities(tx, named);
}

/** Returns the lines that are received elsewhere, with the location of each. */
export function elsewhereOf(
  requests: readonly Named[],
  ids: ReadonlyMap<EntityRef, string>,
  places: ReadonlyMap<EntityRef, StockEntity>,
): Elsewhere[] {
  return requests.flatMap(({ moves }) =>
    moves.flatMap(({ line: ref, location: at }) => {
      const [line, location] = [ids.get(ref), at === undefined ? undefined : places.get(at)?.id];
      return line === undefined || location === undefined ? [] : [{ line, location }];
    }),
  );
}

/** Returns the location at which the goods of a line arrive. Throws `entity_not_found`, `not_a_location`. */
export function placeOf(
  places: ReadonlyMap<EntityRef, StockEntity>,
  line: Line,
  { location }: { location?: EntityRef | undefined },
): string {
  if (location === undefined) return line.locationId;
  const place = places.get(location);
  if (place?.isLocation !== true) throw refuseLocation(location, place);
  return place.id;
}

/** Locks the positions of lines, and those where some of them arrive. */
export function lockLinePositions(
  tx: Tx,
  ids: readonly string[],
  elsewhere: readonly Elsewhere[],
): Promise<LockedPositions> {
  const named = [...ids.map((line) => ({ line, location: null })), ...elsewhere];
  const none = named.map(() => null);
  const locations = named.map(({ location }) => location);
  const lines = named.map(({ line }) => line);
  const locking = tx.queryPrepared<LockedRow>(lockNamedPositions, [
    tx.workspaceId,
    none,
    locations,
    lines,
    none,
  ]);
  return lockedBy(tx, locking);
}

/** Returns the lines, and each once more at every other location where some of it arrives. */
export function withOther(lines: readonly Line[], elsewhere: readonly Elsewhere[]): Line[] {
  const others = elsewhere.flatMap(({ line: id, location: locationId }) =>
    lines.filter((line) => line.id === id).map((line) => ({ ...line, locationId })),
  );
  return [...lines, ...others];
}

/** Returns two movements for each receipt, from the location of the line to the other one. */
export function moveOrder(
  { id, type, itemId, locationId, orderId }: Line,
  toLocationId: string,
  receipts: readonly Pick<Movement, 'amount' | 'requirementId'>[],
  facts: Pick<Movement, 'note' | 'bookingId'>,
): Movement[] {
  const { release, begin } = lineRules[type];
  return receipts.flatMap(({ amount, requirementId = null }) => {
    const common = { itemId, lineId: id, orderId, requirementId, amount, ...facts };
    return [
      { ...common, type: release, locationId },
      { ...common, type: begin, locationId: toLocationId },
    ];
  });
}
