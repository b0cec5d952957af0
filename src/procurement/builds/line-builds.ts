/** Manufacturing lines that one request receives, with the components that it takes. ../lines/move-lines.ts moves the lines themselves. */
import type { ConsumeMode } from '../../configuration/categories/behaviour.ts';
import { newId } from '../../db/ids.ts';
import type { Tx } from '../../db/transaction.ts';
import type { Mover } from '../../entities/transition-entity.ts';
import { AppError } from '../../errors.ts';
import type { Movement } from '../../stock/entries/movement.ts';
import { byShares } from '../../stock/movements/by-shares.ts';
import { findStockEntities } from '../../stock/movements/find-stock-entities.ts';
import type { LotDivider } from '../../stock/movements/lot-shares.ts';
import type { LockedPositions } from '../../stock/movements/record-requests.ts';
import type { EntityMoves } from '../records/entity-moves.ts';
import type { GivenAmount } from '../records/given-amounts.ts';
import type { Line } from '../records/line.ts';
import type { RefusedPart } from '../records/refusals.ts';
import type { ComponentsPreview } from './builds.schema.ts';
import { lotsOfComponents } from './component-lots.ts';
import type { ComponentStock } from './component-stock.ts';
import type { Build } from './components.ts';
import { locationsOf } from './move-components.ts';
import { type BuildsOpened, type LockedBuilds, lockBuilds, lockStock } from './open-builds.ts';
import {
  type BuildRequest,
  type Given,
  type ListedComponent,
  movementsOf,
  noScrap,
  noteTaken,
  type PlannedBuild,
  planConsumption,
  refuseShortages,
  type Scrap,
} from './plan-build.ts';
import { endComponents } from './settle-components.ts';
import { showTakes } from './show-components.ts';
import { chooseSubstitutes, idsOf, nameSubstitutes } from './substitutes.ts';

interface Request {
  by: Mover;
  note: string | null;
  build?: BuildRequest | undefined;
  bookingId?: string | undefined;
}

export interface BuildStep {
  line: Line;
  /** The receipts: two if a part of the quantity is for no requirement, none for scrap alone. */
  movements: readonly Movement[];
  mode: ConsumeMode | null;
  move: { index: number | null };
}

interface PlannedLine {
  planned: PlannedBuild;
  parts: { movement: Movement; part: RefusedPart }[];
}

/** The effect of one request on the components of its lines. */
export interface PlannedLines {
  /** The movements of a step beside its receipt, with what a refusal says of them. */
  ofStep(step: BuildStep): PlannedLine['parts'];
  /** Records the effect on the requirements. */
  keep(by: Mover, transitions: EntityMoves): void;
  /** Settles the components of a line that ends with its receipt. */
  endLine(line: Line, by: Mover, note: string | null): void;
  consumedBy(line: Line): Promise<ComponentsPreview['taken']>;
}

export class LineBuilds {
  readonly positions: LockedPositions;
  readonly #tx: Tx;
  readonly #request: Request;
  readonly #opened: LockedBuilds;
  readonly #stock: ComponentStock;
  readonly #given: Given;
  readonly #lots: LotDivider | null;
  readonly #ended: { line: Line; by: Mover; note: string | null }[] = [];

  private constructor(
    tx: Tx,
    request: Request,
    opened: LockedBuilds,
    { positions, stock }: { positions: LockedPositions; stock: ComponentStock },
    { given, lots }: { given: Given; lots: LotDivider | null },
  ) {
    this.#tx = tx;
    this.#request = request;
    this.#opened = opened;
    this.positions = positions;
    this.#stock = stock;
    this.#given = given;
    this.#lots = lots;
  }

  /** Locks the components of the lines that are built, then the positions of all lines. The lines are locked. */
  static async open(
    tx: Tx,
    request: Request,
    building: readonly Line[],
    all: readonly Line[],
  ): Promise<LineBuilds> {
    const { by, build } = request;
    const from = await locationsOf(tx, build?.from ?? null);
    const named = await nameSubstitutes(tx, build?.substitutes ?? []);
    const opened = await lockBuilds(tx, building, { from, beside: idsOf(named), requiredBy: by.actor });
    const listed = await listedItems(tx, opened, build?.listed ?? []);
    const substitutes = await chooseSubstitutes(tx, [...opened.builds.values()], named);
    const locked = await lockStock(tx, opened, all);
    const lots = await lotsOfComponents(tx, build?.componentLots, locked.positions);
    return new LineBuilds(tx, request, opened, locked, { given: { listed, substitutes }, lots });
  }

  /** Throws `insufficient_stock` with every component that is short. */
  plan(steps: readonly BuildStep[]): PlannedLines {
    const given =
      this.#request.bookingId ?? steps.flatMap(({ movements }) => movements).find(() => true)?.bookingId;
    const facts = { note: this.#request.note, bookingId: given ?? newId() };
    const failed = this.#request.build?.scrap ?? noScrap;
    const scrap = failed.amount;
    const builds = new Map(this.#opened.builds);
    const plans = new Map<BuildStep, PlannedLine>();
    for (const step of steps) {
      const { line, movements, mode, move } = step;
      const build = { ...(builds.get(line.id) as Build), line };
      const output = { good: movements.reduce((sum, { amount }) => sum + amount, 0n), scrap };
      const planned = planConsumption(build, this.#stock, mode ?? 'none', output, this.#given);
      builds.set(line.id, buildAfter(build, planned, scrap));
      for (const movement of movements) Object.assign(movement, facts);
      const own = { line, index: move.index };
      const parts = [
        ...scrapOf(line, failed, facts)
          .flatMap((one) => (failed.lots === null ? [one] : byShares(one, failed.lots)))
          .map((one) => ({ movement: one, part: own })),
        ...planned.takes.flatMap((take) =>
          movementsOf({ takes: [take] }, 'issue', facts, this.#lots).map((one) => {
            const { requirement } = take.component;
            if (one.type === 'MRIssue' && take.substitute === null)
              one.entered = this.#given.listed.get(requirement.itemId)?.entered;
            const part = {
              line: { ...line, ...requirement, id: line.id, locationId: take.locationId },
              index: move.index,
            };
            return { movement: one, part };
          }),
        ),
      ];
      plans.set(step, { planned, parts });
    }
    const all = [...plans.values()].map(({ planned }) => planned);
    const shortages = all.flatMap((planned) => planned.shortages);
    if (shortages.length > 0) throw refuseShortages({ takes: [], shortages });
    return {
      ofStep: (step) => plans.get(step)?.parts ?? [],
      keep: (by, transitions) => {
        for (const planned of all) noteTaken(this.#tx, by, this.#opened.requirements, planned);
        this.#opened.requirements.keep(transitions);
      },
      endLine: (line, by, note) => {
        if (builds.has(line.id)) this.#ended.push({ line, by, note });
      },
      consumedBy: (line) => {
        const own = [...plans].filter(([step]) => step.line.id === line.id);
        return showTakes(
          this.#tx,
          own.flatMap(([, { planned }]) => planned.takes),
        );
      },
    };
  }

  /** Settles the components of the lines that have ended. */
  async end(tx: Tx): Promise<void> {
    for (const { line, by, note } of this.#ended.splice(0)) await endComponents(tx, by, line, note);
  }
}

/** The build as a plan leaves it: a call may receive a line more than once. */
function buildAfter(build: Build, { takes, required }: PlannedBuild, scrap: bigint): Build {
  const sums = new Map<string, { issued: bigint; reserved: bigint }>();
  for (const { component, covered, isHeld } of takes) {
    const sum = sums.get(component.requirement.id) ?? { issued: 0n, reserved: 0n };
    sum.issued += covered;
    if (!isHeld) sum.reserved += covered;
    sums.set(component.requirement.id, sum);
  }
  return {
    ...build,
    scrapped: build.scrapped + scrap,
    components: build.components.map((component) => {
      const { requirement } = component;
      const sum = sums.get(requirement.id);
      return {
        ...component,
        requirement: {
          ...requirement,
          required: requirement.required + (required.get(component) ?? 0n),
          issued: requirement.issued + (sum?.issued ?? 0n),
          reserved: requirement.reserved + (sum?.reserved ?? 0n),
        },
      };
    }),
  };
}

/** Scrap is made and written off: the ledger says how much, and why. */
function scrapOf(
  { id, itemId, locationId, orderId, itemRevision }: Line,
  { amount, entered }: Scrap,
  facts: { note: string | null; bookingId: string },
): Movement[] {
  if (amount === 0n) return [];
  const movement = {
    type: 'Adjustment' as const,
    itemId,
    locationId,
    lineId: id,
    orderId,
    itemRevision,
    entered,
    ...facts,
  };
  return [
    { ...movement, amount },
    { ...movement, amount: -amount, reason: 'scrap' },
  ];
}

/** Returns the amounts by item. Throws `validation_failed` for an item that is no component of any line. */
export async function listedItems(
  tx: Tx,
  { builds }: BuildsOpened,
  listed: readonly ListedComponent[],
): Promise<Map<string, GivenAmount>> {
  const found = await findStockEntities(
    tx,
    listed.map(({ item }) => item),
  );
  const components = new Set(
    [...builds.values()].flatMap((build) => build.components.map(({ requirement }) => requirement.itemId)),
  );
  const amounts = new Map<string, GivenAmount>();
  const errors = listed.flatMap(({ item, amount, entered }, index) => {
    const id = found.get(item)?.id;
    if (id !== undefined && components.has(id)) {
      const before = amounts.get(id);
      // The sum of several lines of the call was not entered by anybody, so it has no unit.
      amounts.set(
        id,
        before === undefined ? { amount, entered } : { amount: before.amount + amount, entered: null },
      );
      return [];
    }
    const message = `${found.get(item)?.number ?? item} is no component of the line.`;
    return { pointer: `/components/${index}/itemEntityId`, code: 'invalid_value', message };
  });
  if (errors.length === 0) return amounts;
  throw new AppError('validation_failed', {
    detail: `The components are not valid. ${errors[0]?.message}`,
    errors,
  });
}
