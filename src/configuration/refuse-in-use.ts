/** Finds what uses a piece of configuration and refuses changes that would break it. */
import type { Tx } from '../db/transaction.ts';
import { AppError } from '../errors.ts';
import {
  countEntitiesInStates,
  countEntitiesOfCategory,
  findPlacedLocation,
  findStockedEntity,
  selectCategoriesOfLifecycle,
} from './usage.sql.ts';

/** Counting stops here: nobody needs to know more exactly that a thing is in use. */
const COUNT_MAX = 10_000;

interface State {
  name: string;
  released: boolean;
}

/** Keys of the categories that follow a lifecycle, in order. */
export async function categoriesOfLifecycle(tx: Tx, lifecycle: string): Promise<string[]> {
  const rows = await tx.query<{ key: string }>(selectCategoriesOfLifecycle, [tx.workspaceId, lifecycle]);
  return rows.map((row) => row.key);
}

/** Throws `in_use` with how many when the category has entities. */
export async function refuseEntitiesOf(tx: Tx, category: string, what: string): Promise<void> {
  const [row] = await tx.query<{ entities: number }>(countEntitiesOfCategory, [
    tx.workspaceId,
    category,
    COUNT_MAX + 1,
  ]);
  const entities = row?.entities ?? 0;
  if (entities === 0) return;
  throw new AppError('in_use', {
    detail: `${what}: ${amount(entities)} of category "${category}".`,
    extensions: { usedBy: { entities: Math.min(entities, COUNT_MAX), more: entities > COUNT_MAX } },
  });
}

/** Throws `in_use` where an entity of the category has stock, or a place in the tree of locations, in a role that the category would lose. */
export async function refuseStockedRole(
  tx: Tx,
  category: string,
  present: string,
  next: string,
): Promise<void> {
  for (const side of ['item', 'location'] as const) {
    if (!hasRole(present, side) || hasRole(next, side)) continue;
    const [stocked] = await tx.query<{ number: string | null; name: string }>(findStockedEntity(side), [
      tx.workspaceId,
      category,
    ]);
    if (stocked === undefined) {
      if (side === 'location') await refusePlacedLocation(tx, category);
      continue;
    }
    const where = side === 'item' ? 'Stock of' : 'Stock at';
    throw new AppError('in_use', {
      detail: `The role "${side}" cannot be taken from category "${category}": ${where} ${stocked.number ?? stocked.name} is on hand, reserved or on order.`,
      extensions: { usedBy: { stock: { number: stocked.number, name: stocked.name } } },
    });
  }
}

async function refusePlacedLocation(tx: Tx, category: string): Promise<void> {
  const [placed] = await tx.query<{ number: string | null; name: string }>(findPlacedLocation, [
    tx.workspaceId,
    category,
  ]);
  if (placed === undefined) return;
  throw new AppError('in_use', {
    detail: `The role "location" cannot be taken from category "${category}": ${placed.number ?? placed.name} lies in another location, or another location lies in it.`,
    extensions: { usedBy: { location: { number: placed.number, name: placed.name } } },
  });
}

function hasRole(role: string, side: 'item' | 'location'): boolean {
  return role === side || role === 'itemAndLocation';
}

/**
 * Throws `in_use` when entities of the categories are in a state that is gone in `next`, or that is released
 * in the one and not in the other: their history would be false.
 */
export async function refuseEntitiesInLostStates(
  tx: Tx,
  categories: readonly string[],
  present: readonly State[],
  next: readonly State[],
): Promise<void> {
  const kept = new Map(next.map((state) => [state.name, state.released]));
  const lost = present.filter((state) => kept.get(state.name) !== state.released);
  if (lost.length === 0 || categories.length === 0) return;
  const counted = await tx.query<{ state: string; entities: number }>(countEntitiesInStates, [
    tx.workspaceId,
    categories,
    lost.map((state) => state.name),
    COUNT_MAX + 1,
  ]);
  const used = counted.filter((row) => row.entities > 0);
  if (used.length === 0) return;
  const sentences = used.map(({ state, entities }) => {
    const change = kept.has(state) ? 'cannot change whether it is released' : 'cannot go';
    return `State "${state}" ${change}: ${amount(entities)} in it.`;
  });
  throw new AppError('in_use', {
    detail: sentences.join(' '),
    extensions: {
      usedBy: {
        states: used.map(({ state, entities }) => ({
          state,
          entities: Math.min(entities, COUNT_MAX),
          more: entities > COUNT_MAX,
        })),
      },
    },
  });
}

function amount(entities: number): string {
  if (entities > COUNT_MAX) return `more than ${COUNT_MAX} entities are`;
  return entities === 1 ? '1 entity is' : `${entities} entities are`;
}
