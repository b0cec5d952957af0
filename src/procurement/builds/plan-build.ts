/** Plans what a receipt or the scrap of a manufacturing line does to its components. Pure. */

import type { Tx } from '../../db/transaction.ts';
import type { EntityRef } from '../../entities/resolve-entity.ts';
import type { Mover } from '../../entities/transition-entity.ts';
import { AppError } from '../../errors.ts';
import { decimalOf, type Micro, numberOf } from '../../quantity.ts';
import type { ComponentLotsGiven } from '../../stock/entries/lot.schema.ts';
import type { ConsumeMode, Movement } from '../../stock/entries/movement.ts';
import { gatherProcured } from '../../stock/events/gather-changes.ts';
import type { LotShare } from '../../stock/movements/by-shares.ts';
import { holdsFor, type LotDivider } from '../../stock/movements/lot-shares.ts';
import { atLeastZero, least } from '../records/amounts.ts';
import type { GivenAmount } from '../records/given-amounts.ts';
import type { RequirementChanges } from '../records/requirement-changes.ts';
import { updateRequirements } from './builds.sql.ts';
import {
  type BuildFacts,
  type ComponentStock,
  issueOf,
  reservationOf,
  type Taken,
} from './component-stock.ts';
import { type Build, type Component, requiredFor, shareOf, unitsBuilt, unitsInAll } from './components.ts';
import { showShortage } from './show-components.ts';
import type { ChosenSubstitutes, WantedSubstitute } from './substitutes.ts';

/** A component that the caller of a receipt names. */
export interface ListedComponent extends GivenAmount {
  item: EntityRef;
}

/** Units that were made and failed, with their lots; null: none are named. */
export interface Scrap extends GivenAmount {
  lots: readonly LotShare[] | null;
}

export const noScrap: Scrap = { amount: 0n, entered: null, lots: null };

export interface BuildRequest {
  /** The mode; null: the default of the category of the line. */
  consume: ConsumeMode | null;
  /** For `asListed`. */
  listed: readonly ListedComponent[];
  from: readonly EntityRef[] | null;
  scrap: Scrap;
  componentLots: ComponentLotsGiven;
  substitutes: readonly WantedSubstitute[];
}

export interface PlannedBuild extends Taken {
  /** Quantities that scrapped units require in addition. */
  readonly required: ReadonlyMap<Component, Micro>;
}

export interface Output {
  good: Micro;
  scrap: Micro;
}

/** The components that a call names, by their items. */
export interface Given {
  /** For `asListed`. */
  listed: ReadonlyMap<string, GivenAmount>;
  substitutes: ChosenSubstitutes;
}

const nothingGiven: Given = { listed: new Map(), substitutes: new Map() };

/** Plans what so many units take. Shortages are results: the caller refuses with `refuseShortages`. */
export function planConsumption(
  build: Build,
  stock: ComponentStock,
  mode: ConsumeMode,
  { good, scrap }: Output,
  { listed, substitutes }: Given = nothingGiven,
): PlannedBuild {
  const planned = { takes: [], shortages: [], required: new Map<Component, Micro>() };
  if (mode === 'none') return planned;
  const [before, inAll] = [unitsInAll(build), unitsInAll(build) + scrap];
  const units = unitsBuilt(build) + good + scrap;
  for (const component of build.components) {
    const { requirement } = component;
    const required = scrap === 0n ? requirement.required : requiredFor(component, before, inAll);
    if (required > requirement.required) planned.required.set(component, required - requirement.required);
    const amount =
      mode === 'asListed'
        ? (listed.get(requirement.itemId)?.amount ?? 0n)
        : shareOf(required, units, inAll) - requirement.issued;
    const chosen = substitutes.get(requirement.itemId);
    if (amount > 0n || chosen !== undefined) stock.toIssue(component, atLeastZero(amount), planned, chosen);
  }
  return planned;
}

/** Plans to reserve or issue everything that so many further units need; `units` null: everything that is required. */
export function planComponents(
  build: Build,
  stock: ComponentStock,
  act: 'reserve' | 'issue',
  units: Micro | null,
  substitutes: ChosenSubstitutes,
): Taken {
  const taken: Taken = { takes: [], shortages: [] };
  for (const component of build.components) {
    const { itemId, required, reserved, needed, issued } = component.requirement;
    const share = units === null ? required : shareOf(required, unitsBuilt(build) + units, unitsInAll(build));
    const target = least(share, required);
    const beyond = target - reserved;
    const amount = act === 'issue' ? target - issued : least(beyond, needed);
    const chosen = substitutes.get(itemId);
    if (amount <= 0n && chosen === undefined) continue;
    if (act === 'issue') stock.toIssue(component, atLeastZero(amount), taken, chosen);
    else stock.toReserve(component, atLeastZero(amount), taken, chosen);
  }
  // A reservation that covers nothing by its share would never be issued.
  if (act === 'reserve') taken.takes = taken.takes.filter(({ covered }) => covered > 0n);
  return taken;
}

/**
 * Returns the movements of what was taken. If lots of the components are named, issues are divided by them, and a reservation without an
 * issue holds them.
 */
export function movementsOf(
  { takes }: Pick<Taken, 'takes'>,
  act: 'reserve' | 'issue',
  facts: BuildFacts,
  lots: LotDivider | null = null,
): Movement[] {
  const all = takes.map((take) => (act === 'issue' ? issueOf(take, facts) : reservationOf(take, facts)));
  if (lots === null) return all;
  return act === 'issue'
    ? all.flatMap((movement) => lots.divide(movement))
    : all.flatMap((movement) => [movement, ...holdsFor(movement, freeLotsOf(movement, lots))]);
}

/** Returns the lots that a reservation holds: not those that its requirement holds already. */
function freeLotsOf(movement: Movement, lots: LotDivider): LotShare[] {
  const divided = lots.divide({ ...movement, requirementId: null });
  return divided.flatMap(({ lot, amount }) => (lot == null ? [] : [{ lot, amount }]));
}

/** Notes what was taken on the requirements, and writes what they require in addition. */
export function noteTaken(
  tx: Tx,
  by: Mover,
  requirements: RequirementChanges,
  planned: Taken | PlannedBuild,
): void {
  const required = 'required' in planned ? planned.required : new Map<Component, Micro>();
  const reserved = new Map<Component, Micro>();
  for (const { component, covered, isHeld } of planned.takes)
    if (!isHeld) reserved.set(component, (reserved.get(component) ?? 0n) + covered);
  for (const component of new Set([...required.keys(), ...reserved.keys()])) {
    const more = { reserved: reserved.get(component) ?? 0n, required: required.get(component) ?? 0n };
    if (requirements.raise(component.requirement.id, by, more) === 'separately')
      throw new Error('A requirement of a locked build is held by somebody else');
  }
  if (required.size === 0) return;
  const changed = [...required].map(([{ requirement }, more]) => ({
    id: requirement.id,
    quantity: decimalOf(requirement.required + more),
  }));
  gatherProcured(
    tx,
    changed.map(({ id }) => id),
  );
  tx.withCommit(
    tx.query(updateRequirements, [
      tx.workspaceId,
      changed.map(({ id }) => id),
      changed.map(({ quantity }) => quantity),
    ]),
  );
}

/** Shortages that the detail of a refusal names; `shortages` has all of them. */
const NAMED_MAX = 3;

/** Returns the refusal of a build without enough components: `insufficient_stock`, with all of them in `shortages`. */
export function refuseShortages({ shortages }: Taken): AppError {
  const sentences = shortages
    .slice(0, NAMED_MAX)
    .map(({ component: { requirement }, substitute, needed, found }) => {
      const { number, name } = substitute ?? { number: requirement.itemNumber, name: requirement.itemName };
      return `${numberOf(needed)} of ${number ?? name}, of which ${numberOf(found)} can be taken`;
    });
  const more = shortages.length - sentences.length;
  return new AppError('insufficient_stock', {
    detail: `There are not enough components: ${sentences.join('; ')}${more > 0 ? `; and ${more} more` : ''}. Nothing was moved.`,
    extensions: {
      shortages: shortages.map(showShortage),
      shortageCount: shortages.length,
    },
  });
}
