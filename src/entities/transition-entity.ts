/**
 * The one way from a lifecycle state to another. What else happens with a transition (feature automations,
 * the event that automations wait for) hangs on it as effects, in the same transaction.
 */
import type { Actor } from '../actor.ts';
import { configurationForWriting } from '../configuration/current/configuration-for-writing.ts';
import { categoryOf, type LifecycleConfiguration } from '../configuration/current/workspace-configuration.ts';
import type { LifecycleState, LifecycleTransition } from '../configuration/lifecycles/lifecycle.schema.ts';
import { newId } from '../db/ids.ts';
import type { Tx } from '../db/transaction.ts';
import { AppError } from '../errors.ts';
import type { EntityRow } from './entity.entity.ts';
import { lockEntityRow } from './lock-entity-row.ts';
import { pinReleased, type UnreleasedWarning } from './pin-children.ts';
import { requirePropertiesFor } from './required-properties.ts';
import { type EntityRef, resolveEntityId } from './resolve-entity.ts';
import { reviseEntities } from './revise-entities.ts';
import { insertTransition } from './transitions.sql.ts';

export interface WantedTransition {
  entity: EntityRef;
  toState: string;
  note?: string | null | undefined;
}

/** The input of an effect: the entity after the transition, its row locked. */
export interface Transitioned {
  entity: EntityRow;
  /** Id of the entry in the history. */
  id: string;
  fromState: string;
  toState: string;
  note: string | null;
  /** The new state as the lifecycle describes it. */
  state: LifecycleState;
  /** The transition of the lifecycle, with the feature automations attached. */
  transition: LifecycleTransition;
  /** Warnings of the effects, for the answer of the call. */
  warnings: TransitionWarning[];
  /** Moves entities for what follows from it, transitions among it. */
  by: Mover;
}

export type TransitionWarning = InUseWarning | UnreleasedWarning;

/** Says that an entity is still in use in a state that is meant for what is not. */
export interface InUseWarning {
  code: 'in_use';
  message: string;
  usedBy: {
    onHand: number;
    stockedItems: number;
    orderedItems: number;
    openLines: number;
    openRequirements: number;
  };
}

/** Runs within the transaction; what it throws undoes the transition. */
export interface TransitionEffect {
  (tx: Tx, happened: Transitioned): Promise<void>;
  /**
   * Does the same for many transitions at once, where their caller does itself what their feature automations do.
   * Reads what it needs, and gives the function that writes. Transitions are made one by one while an effect lacks it.
   */
  forMany?: (tx: Tx) => Promise<(moved: readonly Moved[]) => void>;
}

/** A transition that is made with others in one statement. */
export interface Moved {
  entity: Pick<EntityRow, 'id' | 'versionId' | 'number' | 'category'>;
  fromState: string;
  toState: string;
}

/** The actor that moves entities and the effects of each transition, including those that follow from others. */
export interface Mover {
  actor: Actor;
  effects: readonly TransitionEffect[];
}

export type MoverOf = (actor: Actor) => Mover;

/**
 * Moves the entity and writes the history, then runs the effects in their order. The state changes in place,
 * from a released state to another released one too. Only the way out of the released states opens a revision:
 * the released one stays behind as it was, and what is then changed, by hand or by a sync, is the next one's.
 * A release records the revisions of the children, when the effects have moved those that follow.
 * Takes the configuration lock: call it before entity rows are locked. Throws `entity_not_found`,
 * `transition_not_allowed` (with the states that can be reached under `allowed`), `unreleased_children`,
 * `properties_required`.
 */
export async function transitionEntity(tx: Tx, by: Mover, wanted: WantedTransition): Promise<Transitioned> {
  const configuration = await configurationForWriting(tx);
  const row = await lockEntityRow(tx, await resolveEntityId(tx, wanted.entity));
  const { toState } = wanted;
  const fromState = row.state;
  const lifecycle = categoryOf(configuration, row.category).lifecycle;
  const transition = lifecycle.transitions.find((way) => way.from === fromState && way.to === toState);
  const state = lifecycle.states.find(({ name }) => name === toState);
  if (transition === undefined || state === undefined) throw notAllowed(lifecycle, fromState, toState);

  requirePropertiesFor(toState, configuration, categoryOf(configuration, row.category), row.properties);

  if (lifecycle.releasedStates.has(fromState) && !lifecycle.releasedStates.has(toState)) {
    await reviseEntities(tx, [{ id: row.id, versionId: newId(), state: toState }], by.actor.id);
    await tx.em.refresh(row);
  }
  tx.em.assign(row, { state: toState, syncHash: null });
  await tx.em.flush();
  const id = newId();
  const note = wanted.note ?? null;
  await tx.query(insertTransition, [
    row.workspaceId,
    row.id,
    id,
    row.versionId,
    row.revisionNumber,
    fromState,
    toState,
    note,
    by.actor.id,
  ]);
  const warnings: TransitionWarning[] = [];
  const happened = { entity: row, id, fromState, toState, note, state, transition, warnings, by };
  for (const effect of by.effects) await effect(tx, happened);
  if (lifecycle.releasedStates.has(toState) && !lifecycle.releasedStates.has(fromState)) {
    const warning = await pinReleased(tx, row, configuration);
    if (warning !== null) warnings.push(warning);
  }
  return happened;
}

function notAllowed(lifecycle: LifecycleConfiguration, from: string, to: string): AppError {
  const allowed = lifecycle.transitions.filter((way) => way.from === from).map((way) => way.to);
  const ways = allowed.length === 0 ? 'Nothing leads out of it.' : `It can go to: ${allowed.join(', ')}.`;
  return new AppError('transition_not_allowed', {
    detail: `The lifecycle has no transition from "${from}" to "${to.slice(0, 255)}". ${ways}`,
    extensions: { from, allowed },
  });
}
