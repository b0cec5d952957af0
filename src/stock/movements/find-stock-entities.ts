/** The items and locations that a request names, with what the answers show of them. */
import type { Tx } from '../../db/transaction.ts';
import { type EntityRef, entityNotFound, splitRefs } from '../../entities/resolve-entity.ts';
import { AppError } from '../../errors.ts';
import { selectByAlias, selectByGuid, selectStockEntities } from './find-stock-entities.sql.ts';

export interface StockEntity {
  id: string;
  number: string | null;
  name: string;
  /** SHA-256 of its picture, in hexadecimal. */
  picture: string | null;
  /** Number of its current revision. */
  revision: number;
  /** Its base unit, if it is an item that has one. */
  unit: string | null;
  isItem: boolean;
  isLocation: boolean;
  isArchived: boolean;
}

/** The name of an entity in errors. */
export function nameOf({ number, id }: Pick<StockEntity, 'number' | 'id'>): string {
  return number ?? id;
}

/** The text of a refusal. */
export function notFor(role: 'items' | 'locations', entity: Pick<StockEntity, 'number' | 'id'>): string {
  return `${nameOf(entity)} is of a category that is not for ${role}.`;
}

/** The refusal of anything new for an archived entity. */
export function refuseArchived(entity: Pick<StockEntity, 'number' | 'id'>): AppError {
  return new AppError('entity_archived', `${nameOf(entity)} is archived. Unarchive it first.`);
}

/** Returns the item that a path names. Throws `entity_not_found`, `not_an_item`. */
export async function findItem(tx: Tx, ref: EntityRef): Promise<StockEntity> {
  const item = (await findStockEntities(tx, [ref])).get(ref);
  if (item === undefined) throw entityNotFound(ref);
  if (!item.isItem) throw new AppError('not_an_item', notFor('items', item));
  return item;
}

interface Row {
  ref: string;
  id: string;
  number: string | null;
  name: string;
  /** SHA-256 of its picture, in hexadecimal. */
  picture: string | null;
  revision_number: number;
  unit: string | null;
  role: string;
  is_archived: boolean;
}

/** Returns entities by reference; those that do not exist in the workspace are absent. The GUID of a merged entity names the one that stays. */
export async function findStockEntities(
  tx: Tx,
  refs: Iterable<EntityRef>,
): Promise<Map<EntityRef, StockEntity>> {
  const { ids, guids } = splitRefs(refs);
  const lists: [Row[], Row[], ...Row[][]] = await Promise.all([
    ids.length === 0 ? [] : tx.queryPrepared<Row>(selectStockEntities, [tx.workspaceId, ids]),
    guids.length === 0 ? [] : tx.queryPrepared<Row>(selectByGuid, [tx.workspaceId, guids]),
  ]);
  if (lists[1].length < guids.length) {
    const byGuid = new Set(lists[1].map(({ ref }) => ref));
    const missing = guids.filter((guid) => !byGuid.has(`guid:${guid}`));
    lists.push(await tx.query<Row>(selectByAlias, [tx.workspaceId, missing]));
  }
  return new Map(
    lists.flat().map(({ ref, role, is_archived: isArchived, revision_number: revision, ...named }) => [
      ref,
      {
        id: named.id,
        number: named.number,
        name: named.name,
        picture: named.picture,
        revision,
        unit: named.unit,
        isItem: role === 'item' || role === 'itemAndLocation',
        isLocation: role === 'location' || role === 'itemAndLocation',
        isArchived,
      },
    ]),
  );
}
