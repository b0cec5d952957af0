/**
 * Lifecycle transitions of many lines, requirements and orders. Those with which nothing happens but the change of
 * state, and what the caller does anyway, are written together; all others are made one by one by `transitionEntity`.
 */
import {
  categoryOf,
  type WorkspaceConfiguration,
} from '../../configuration/current/workspace-configuration.ts';
import type { LifecycleTransition } from '../../configuration/lifecycles/lifecycle.schema.ts';
import { forgettingRows } from '../../db/forget-rows.ts';
import { newId } from '../../db/ids.ts';
import type { Tx } from '../../db/transaction.ts';
import type { Moved, Mover } from '../../entities/transition-entity.ts';
import { followState } from './follow-state.ts';
import { insertTransitions, type LockedEntity, moveEntities } from './procured-entities.sql.ts';

export type Attachment = LifecycleTransition['featureAutomations'][number];

export interface EntityMove {
  entity: Pick<LockedEntity, 'id' | 'version_id' | 'number' | 'category' | 'revision_number'>;
  from: string;
  to: string;
  note: string | null;
  by: Mover;
  /** A new entity is inserted in its state already. */
  isNew?: boolean;
}

/**
 * The kind of transition that the lifecycle has from one state to another: none; one that is only a change of state,
 * where `isDone` says of every feature automation that the caller does what it does; or one that more happens with.
 */
export function wayOf(
  configuration: WorkspaceConfiguration,
  { category, from, to, by }: { category: string; from: string; to: string; by: Mover },
  isDone: (feature: Attachment) => boolean,
): 'none' | 'plain' | 'eventful' {
  const { lifecycle } = categoryOf(configuration, category);
  const way = lifecycle.transitions.find((one) => one.from === from && one.to === to);
  if (way === undefined) return 'none';
  const opensRevision = lifecycle.releasedStates.has(from) && !lifecycle.releasedStates.has(to);
  const isPlain =
    !opensRevision &&
    by.effects.every(({ forMany }) => forMany !== undefined) &&
    way.featureAutomations.every(isDone);
  return isPlain ? 'plain' : 'eventful';
}

type Teller = (moved: readonly Moved[]) => void;

/** The transitions of one group of requests. */
export class EntityMoves {
  readonly #tx: Tx;
  readonly #tellers: ReadonlyMap<Mover['effects'], Promise<readonly Teller[]>>;
  readonly #plain: EntityMove[] = [];
  readonly #eventful: EntityMove[] = [];

  /** Starts to read what the effects of these callers need. */
  constructor(tx: Tx, movers: readonly Mover[]) {
    this.#tx = tx;
    const effects = new Set(movers.map((by) => by.effects));
    this.#tellers = new Map(
      [...effects].map((some) => [some, Promise.all(some.flatMap(({ forMany }) => forMany?.(tx) ?? []))]),
    );
    for (const tellers of this.#tellers.values()) tellers.catch(() => {});
  }

  add(kind: 'plain' | 'eventful', ...moves: readonly EntityMove[]): void {
    (kind === 'plain' ? this.#plain : this.#eventful).push(...moves);
  }

  get hasEventful(): boolean {
    return this.#eventful.length > 0;
  }

  /** Writes the plain ones with the commit, then makes the others, each with all that its lifecycle attaches. */
  async write(): Promise<void> {
    const moves = this.#plain.splice(0);
    const eventful = this.#eventful.splice(0);
    await this.#writePlain(moves);
    for (const { entity, to, note, by } of eventful) {
      const wanted = { entity: entity.id, toState: to, note };
      await forgettingRows(this.#tx, () => followState(this.#tx, by, wanted));
    }
  }

  async #writePlain(moves: readonly EntityMove[]): Promise<void> {
    if (moves.length === 0) return;
    const tx = this.#tx;
    const old = moves.filter(({ isNew }) => isNew !== true);
    if (old.length > 0) {
      const [ids, states] = [old.map(({ entity }) => entity.id), old.map(({ to }) => to)];
      tx.withCommit(tx.queryPrepared(moveEntities, [tx.workspaceId, ids, states]));
    }
    tx.withCommit(
      tx.queryPrepared(insertTransitions, [
        tx.workspaceId,
        moves.map(({ entity }) => entity.id),
        moves.map(() => newId()),
        moves.map(({ entity }) => entity.version_id),
        moves.map(({ entity }) => entity.revision_number),
        moves.map(({ from }) => from),
        moves.map(({ to }) => to),
        moves.map(({ note }) => note),
        moves.map(({ by }) => by.actor.id),
      ]),
    );
    for (const [effects, own] of Map.groupBy(moves, ({ by }) => by.effects)) {
      const moved = own.map(({ entity: { version_id, ...entity }, from, to }) => ({
        entity: { ...entity, versionId: version_id },
        fromState: from,
        toState: to,
      }));
      for (const tell of (await this.#tellers.get(effects)) ?? []) tell(moved);
    }
  }
}
