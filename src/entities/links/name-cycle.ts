/** Names the cycle that a refused link would close, by the numbers of its entities, so that the caller can find it. */
import type { Tx } from '../../db/transaction.ts';
import { selectLabels, selectWaitingAmong, stepUp } from './entity-links.sql.ts';

/** The structure is locked meanwhile: a way that is longer, or lies among more, is not named. */
const LEVELS_MAX = 100;
const ENTITIES_MAX = 5000;
const LINKS_OF_A_LEVEL_MAX = 20_000;
/** Entities that are named at each end of a long way. */
const NAMED_AT_EACH_END = 5;
const LABEL_CHARS_MAX = 60;

/** The intended child of the entity: one, or all that wait for a GUID. */
export type Closing = { childId: string } | { waitingFor: string };

/**
 * `A → B → A`: A is the entity, which would have B, and B has A already, somewhere below. The shortest there is, as the structure is
 * and as it is promised (`parentsOf`). Null where it was not found within the bounds.
 */
export async function nameCycle(tx: Tx, id: string, closing: Closing): Promise<string | null> {
  const below = new Map<string, string | null>([[id, null]]);
  let level = [id];
  for (let levels = 0; levels < LEVELS_MAX && level.length > 0; levels++) {
    const top = await closingAmong(tx, level, closing);
    if (top !== null) return labelsOf(tx, [id, ...wayDown(below, top)]);
    if (below.size > ENTITIES_MAX) return null;
    const params = [tx.workspaceId, level, LINKS_OF_A_LEVEL_MAX];
    const rows = await tx.query<{ id: string; child: string }>(stepUp, params);
    level = [];
    for (const row of rows) {
      if (below.has(row.id)) continue;
      below.set(row.id, row.child);
      level.push(row.id);
    }
  }
  return null;
}

async function closingAmong(tx: Tx, ids: readonly string[], closing: Closing): Promise<string | null> {
  if ('childId' in closing) return ids.includes(closing.childId) ? closing.childId : null;
  const [found] = await tx.query<{ id: string }>(selectWaitingAmong, [
    tx.workspaceId,
    closing.waitingFor,
    ids,
  ]);
  return found?.id ?? null;
}

function wayDown(below: ReadonlyMap<string, string | null>, top: string): string[] {
  const way: string[] = [];
  for (let at: string | null = top; at !== null; at = below.get(at) ?? null) way.push(at);
  return way;
}

async function labelsOf(tx: Tx, way: readonly string[]): Promise<string> {
  const isLong = way.length > 2 * NAMED_AT_EACH_END + 1;
  const named = isLong ? [...way.slice(0, NAMED_AT_EACH_END), ...way.slice(-NAMED_AT_EACH_END)] : way;
  const rows = await tx.query<{ id: string; label: string }>(selectLabels, [
    tx.workspaceId,
    [...new Set(named)],
  ]);
  const labels = new Map(rows.map(({ id, label }) => [id, shorten(label)]));
  const words = named.map((id) => labels.get(id) ?? id);
  if (isLong) words.splice(NAMED_AT_EACH_END, 0, `(${way.length - named.length} more)`);
  return words.join(' → ');
}

function shorten(label: string): string {
  const characters = [...label];
  return characters.length > LABEL_CHARS_MAX ? `${characters.slice(0, LABEL_CHARS_MAX).join('')}…` : label;
}
