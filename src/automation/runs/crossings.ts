/**
 * Keeps which items are beyond the thresholds of automations. An item that crosses one is one event for the automation; it is forgotten when
 * its figure has come back.
 *
 * The figures are read when the event is handled. Those in the event are as its transaction saw them: two transactions that move one item at
 * different locations at once do not see each other, and each may miss the fall that they make together. The event of the one that commits
 * last is handled after both, so its look finds the fall.
 *
 * A turn saves its findings as far as it has read, together with its runs.
 */
import type { Tx } from '../../db/transaction.ts';
import type { OutboxRow, Position } from '../../events/read-lane.ts';
import { listeningSlug, recordEvents } from '../../events/record-events.ts';
import { type ItemTotals, readItemTotals } from '../../stock/events/item-totals.ts';
import { forgetCrossings, insertCrossings, selectCrossings } from '../crossings.sql.ts';
import { isBeyond, type Threshold } from '../threshold.schema.ts';

type Context = Record<string, unknown>;

interface Change {
  row: OutboxRow;
  index: number;
  automationId: string;
  entityId: string;
  /** The context of the event when it has crossed; null when it has come back. */
  crossed: Context | null;
}

export interface Watching {
  id: string;
  threshold: Threshold | null;
}

export class Crossings {
  readonly #beyond = new Map<string, boolean>();
  readonly #totals = new Map<string, ItemTotals>();
  readonly #changes: Change[] = [];

  /**
   * Reads the figures of these items, and which of them are beyond the thresholds of these automations. Crossings that were read before
   * stay.
   */
  async read(tx: Tx, automations: readonly Watching[], contexts: readonly Context[]): Promise<void> {
    const watching = automations.filter(({ threshold }) => threshold !== null).map(({ id }) => id);
    if (watching.length === 0) return;
    const items = [...new Set(contexts.map(({ entityId }) => String(entityId)))];
    const rows = await tx.query<{ automation_id: string; entity_id: string }>(selectCrossings, [
      tx.workspaceId,
      watching,
      items,
    ]);
    for (const totals of await readItemTotals(tx, items)) this.#totals.set(totals.entityId, totals);
    const stored = new Set(rows.map((row) => keyOf(row.automation_id, row.entity_id)));
    for (const id of watching) {
      for (const item of items) {
        const key = keyOf(id, item);
        if (!this.#beyond.has(key)) this.#beyond.set(key, stored.has(key));
      }
    }
  }

  /** Returns the context of the crossing; null if the event crosses nothing. */
  cross({ id, threshold }: Watching, context: Context, row: OutboxRow, index: number): Context | null {
    if (threshold === null) return null;
    const { figure, below, above } = threshold;
    const entityId = String(context.entityId);
    const key = keyOf(id, entityId);
    const totals = this.#totals.get(entityId);
    if (totals === undefined || figure === undefined) return null;
    const value = totals[figure];
    const wasBeyond = this.#beyond.get(key) === true;
    if (isBeyond(threshold, value, wasBeyond) === wasBeyond) return null;
    const limits = { below: below ?? null, above: above ?? null };
    const crossed = wasBeyond ? null : { ...context, ...totals, automationId: id, figure, value, ...limits };
    this.#beyond.set(key, !wasBeyond);
    this.#changes.push({ row, index, automationId: id, entityId, crossed });
    return crossed;
  }

  /** Saves what was found before that event; all of it if there is none. */
  async save(tx: Tx, rows: readonly OutboxRow[], next: Position | null): Promise<void> {
    const end = next === null ? rows.length : rows.indexOf(next.row);
    const read = this.#changes.filter(({ row, index }) => {
      const at = rows.indexOf(row);
      return at < end || (at === end && index < (next?.index ?? 0));
    });
    if (read.length === 0) return;
    // The last change of each counts.
    const last = [...new Map(read.map((one) => [keyOf(one.automationId, one.entityId), one])).values()];
    const [out, back] = [
      last.filter(({ crossed }) => crossed !== null),
      last.filter(({ crossed }) => crossed === null),
    ];
    const params = (some: readonly Change[]) => [
      tx.workspaceId,
      some.map(({ automationId }) => automationId),
      some.map(({ entityId }) => entityId),
    ];
    if (out.length > 0) await tx.query(insertCrossings, params(out));
    if (back.length > 0) await tx.query(forgetCrossings, params(back));
    await tellOthers(
      tx,
      read.map(({ crossed }) => crossed).filter((crossed) => crossed !== null),
    );
  }
}

/** Webhooks hear of each crossing, too. */
async function tellOthers(tx: Tx, events: readonly object[]): Promise<void> {
  if (events.length > 0 && (await listeningSlug(tx, 'thresholdCrossed')) !== null)
    await recordEvents(tx, 'thresholdCrossed', events);
}

function keyOf(automationId: string, entityId: string): string {
  return `${automationId} ${entityId}`;
}
