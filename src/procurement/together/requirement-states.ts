/** Requirements as calls of a group leave them, and the states that follow from it. */
import {
  categoryOf,
  type WorkspaceConfiguration,
} from '../../configuration/current/workspace-configuration.ts';
import type { Mover } from '../../entities/transition-entity.ts';
import {
  coverMore,
  type Increase,
  type Requirement,
  requirementOfRow,
  requirementStates,
} from '../records/requirement.ts';
import type { RequirementRow } from '../records/requirements.sql.ts';
import { type Move, wayOf } from './plain-moves.ts';
import type { LockedEntity } from './together.sql.ts';

export interface RequirementChange {
  row: RequirementRow;
  /** As it is then, its state the one that follows. */
  requirement: Requirement;
  move: Move | null;
}

export class RequirementStates {
  readonly #configuration: WorkspaceConfiguration;
  readonly #entities: ReadonlyMap<string, LockedEntity>;
  readonly #rows: Map<string, RequirementRow>;
  readonly moves: Move[] = [];

  constructor(
    configuration: WorkspaceConfiguration,
    locked: readonly LockedEntity[],
    rows: readonly RequirementRow[],
  ) {
    this.#configuration = configuration;
    this.#entities = new Map(locked.map((entity) => [entity.id, entity]));
    this.#rows = new Map(rows.map((row) => [row.id, row]));
  }

  /** As it is after the calls so far; null where it is not there, or not locked here. */
  find(id: string): Requirement | null {
    const row = this.#rows.get(id);
    return row === undefined || !this.#entities.has(id) ? null : requirementOfRow(row);
  }

  /**
   * With so much more reserved or ordered; null where more than the change of its state comes of it. `keep` is to be
   * called when the movement has been decided.
   */
  plan(id: string, by: Mover, more: Partial<Increase>): RequirementChange | null {
    const row = this.#rows.get(id);
    const entity = this.#entities.get(id);
    if (row === undefined || entity === undefined || row.state !== entity.state) return null;
    const after = coverMore(row, more);
    const requirement = requirementOfRow(after);
    const to = requirement.status === 'cancelled' ? row.state : requirementStates[requirement.status];
    if (to === row.state) return { row: after, requirement, move: null };
    // One move of an entity in a group: the second would begin where the first has not ended yet.
    if (this.moves.some((move) => move.entity.id === id)) return null;
    const way = wayOf(categoryOf(this.#configuration, entity.category), [row.state, to], by, () => false);
    if (way === 'apart') return null;
    if (way === 'none') return { row: after, requirement, move: null };
    const moved = { ...after, state: to };
    const move = { entity, from: row.state, to, note: null, actorId: by.actor.id };
    return { row: moved, requirement: requirementOfRow(moved), move };
  }

  keep({ row, move }: RequirementChange): void {
    this.#rows.set(row.id, row);
    const entity = this.#entities.get(row.id);
    if (entity !== undefined) entity.state = row.state;
    if (move !== null) this.moves.push(move);
  }
}
