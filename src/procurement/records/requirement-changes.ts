/** Requirements as the requests of a group leave them, and the states that follow from it. */
import type { WorkspaceConfiguration } from '../../configuration/current/workspace-configuration.ts';
import type { Mover } from '../../entities/transition-entity.ts';
import { type EntityMove, type EntityMoves, wayOf } from './entity-moves.ts';
import type { LockedEntity } from './procured-entities.sql.ts';
import {
  coverMore,
  type Increase,
  type Requirement,
  requirementOfRow,
  requirementStates,
} from './requirement.ts';
import type { RequirementRow } from './requirements.sql.ts';

interface Change {
  row: RequirementRow;
  kind: 'plain' | 'eventful';
  move: EntityMove | null;
}

export class RequirementChanges {
  readonly #configuration: WorkspaceConfiguration;
  readonly #entities: ReadonlyMap<string, LockedEntity>;
  readonly #isSingle: boolean;
  readonly #kept: Map<string, RequirementRow>;
  /** The changes of the request that is being decided. */
  readonly #changes = new Map<string, Change>();

  constructor(
    { configuration, isSingle }: { configuration: WorkspaceConfiguration; isSingle: boolean },
    locked: readonly LockedEntity[],
    rows: readonly RequirementRow[],
  ) {
    this.#configuration = configuration;
    this.#isSingle = isSingle;
    this.#entities = new Map(locked.map((entity) => [entity.id, entity]));
    this.#kept = new Map(rows.map((row) => [row.id, row]));
  }

  /** The requirement after the requests so far; null where there is none, and whether it is held by somebody else. */
  find(id: string): Requirement | 'separately' | null {
    const row = this.#changes.get(id)?.row ?? this.#kept.get(id);
    if (row === undefined) return null;
    return this.#entities.has(id) ? requirementOfRow(row) : 'separately';
  }

  /** Raises what is reserved or ordered for a requirement that was found. `keep` or `drop` ends the request. */
  raise(id: string, by: Mover, more: Partial<Increase>): Requirement | 'separately' {
    const before = this.#changes.get(id);
    const row = before?.row ?? this.#kept.get(id);
    const entity = this.#entities.get(id);
    if (row === undefined || entity === undefined)
      throw new Error('A requirement that was not found is changed');
    const after = coverMore(row, more);
    const requirement = requirementOfRow(after);
    const to = requirement.status === 'cancelled' ? row.state : requirementStates[requirement.status];
    const way = { category: entity.category, from: row.state, to, by };
    const kind = to === row.state ? 'none' : wayOf(this.#configuration, way, () => false);
    if (kind === 'eventful' && !this.#isSingle) return 'separately';
    const moved = kind === 'none' ? after : { ...after, state: to };
    const move = kind === 'none' ? null : { entity, from: row.state, to, note: null, by };
    this.#changes.set(id, {
      row: moved,
      kind: kind === 'eventful' ? 'eventful' : (before?.kind ?? 'plain'),
      move: move ?? before?.move ?? null,
    });
    return requirementOfRow(moved);
  }

  /** Adds the transitions that follow from the request. What is covered only rises in a group: each moves once. */
  keep(moves: EntityMoves): void {
    for (const [id, { row, kind, move }] of this.#changes) {
      this.#kept.set(id, row);
      if (move !== null) moves.add(kind, move);
    }
    this.#changes.clear();
  }

  drop(): void {
    this.#changes.clear();
  }
}
