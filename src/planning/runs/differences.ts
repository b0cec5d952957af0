/** Finds which actions of a plan its series has stored already, so that only the others are written. */
import { hash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { Tx } from '../../db/transaction.ts';
import type { RunRow } from './find-run.ts';
import { selectDigests } from './planning-actions.sql.ts';
import { selectBaseline } from './planning-runs.sql.ts';

const DIGESTS_AT_ONCE = 100_000;
/** A series has up to so many rows more than twice the actions of its last run: a list passes over those of earlier runs. */
const SPARE_ROWS = 1000;

/** Actions as they are stored, side by side, without their numbers and digests. */
export type Columns = readonly (readonly unknown[])[];

export interface Plan {
  counts: NonNullable<RunRow['counts']>;
  isTruncated: boolean;
  /** A what-if run has none: no other goes on with it. */
  digests: readonly (readonly string[])[] | null;
  portions: readonly Columns[];
}

/** The last run of the series that a run goes on with. */
export interface Baseline {
  series: string;
  generation: number;
  /** The first that found the same as this last run. */
  runId: string;
  counts: RunRow['counts'];
  isTruncated: boolean;
  lastNumber: number;
  actions: StoredActions;
}

/** How a plan is stored: what is written of it, and which actions of the run before it end. */
export interface Difference {
  series: string;
  generation: number;
  written: readonly Columns[];
  ended: readonly number[];
  sameAs: string | null;
}

/** Numbers of actions by their digests; several may have one digest. */
export class StoredActions {
  readonly #first = new Map<string, number>();
  readonly #further = new Map<string, number[]>();
  readonly #unknown: number[] = [];

  /** An action without a digest is never found. */
  add(number: number, digest: string | null): void {
    if (digest === null) this.#unknown.push(number);
    else if (!this.#first.has(digest)) this.#first.set(digest, number);
    else this.#further.set(digest, [...(this.#further.get(digest) ?? []), number]);
  }

  /** Returns whether there is one that was not taken, and takes it. */
  take(digest: string): boolean {
    if (this.#further.get(digest)?.pop() !== undefined) return true;
    return this.#first.delete(digest);
  }

  left(): number[] {
    return [...this.#first.values(), ...[...this.#further.values()].flat(), ...this.#unknown];
  }
}

export async function readBaseline(tx: Tx, runId: string, retentionDays: number): Promise<Baseline | null> {
  const [row] = await tx.query<{
    series_id: string;
    generation: number;
    id: string;
    counts: RunRow['counts'];
    is_truncated: boolean;
    last_number: number;
  }>(selectBaseline, [tx.workspaceId, runId, retentionDays]);
  if (row === undefined) return null;
  const { series_id: series, generation, id, counts, is_truncated: isTruncated } = row;
  const actions = new StoredActions();
  for (let after = 0, isLast = false; !isLast; ) {
    const rows = await tx.copy(selectDigests, [tx.workspaceId, series, generation, after, DIGESTS_AT_ONCE]);
    while (rows.next()) {
      after = rows.int(0);
      actions.add(after, rows.isNull(1) ? null : rows.id(1));
    }
    isLast = rows.count < DIGESTS_AT_ONCE;
  }
  return { series, generation, runId: id, counts, isTruncated, lastNumber: row.last_number, actions };
}

/** Returns a hash of all that each action says, as an id. */
export function digestsOf(columns: Columns): string[] {
  return (columns[0] ?? []).map((_, at) => {
    const text = JSON.stringify(columns.map((column) => column[at]));
    const hex = hash('sha256', text, 'hex');
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20, 32)}`;
  });
}

/** A run that has more to change than to write begins a series, and so does one whose series has too many rows that have ended. */
export function differenceOf(runId: string, plan: Plan, baseline: Baseline | null): Difference {
  const { portions, digests } = plan;
  const whole = (): Difference => {
    const written = withNumbers(plan, 0, () => true);
    return { series: runId, generation: 0, written, ended: [], sameAs: null };
  };
  if (baseline === null || digests === null) return whole();
  const { series, generation, actions, lastNumber } = baseline;
  const isNew = digests.map((some) => some.map((digest) => !actions.take(digest)));
  const ended = actions.left();
  const added = isNew.flat().filter((is) => is).length;
  const rows = portions.reduce((sum, [first = []]) => sum + first.length, 0);
  if (added + ended.length === 0) {
    const isSame =
      plan.isTruncated === baseline.isTruncated && isDeepStrictEqual(plan.counts, baseline.counts);
    return { series, generation, written: [], ended, sameAs: isSame ? baseline.runId : null };
  }
  if (added + ended.length >= rows || lastNumber + added > 2 * rows + SPARE_ROWS) return whole();
  const written = withNumbers(plan, lastNumber, (portion, at) => isNew[portion]?.[at] === true);
  return { series, generation: generation + 1, written, ended, sameAs: null };
}

/** Returns the actions that are written, numbered from the next number on. */
function withNumbers(
  { portions, digests }: Plan,
  last: number,
  isWritten: (portion: number, at: number) => boolean,
): Columns[] {
  let number = last;
  return portions
    .map((columns, portion) => {
      const rows = (columns[0] ?? []).map((_, at) => digests?.[portion]?.[at] ?? null);
      const all = [...columns, rows];
      const some = all.map((column) => column.filter((_, at) => isWritten(portion, at)));
      return [(some[0] ?? []).map(() => ++number), ...some];
    })
    .filter(([numbers = []]) => numbers.length > 0);
}
