/** Substitutes that a call takes in place of components: the caller names each, none is taken by itself. */
import type { Tx } from '../../db/transaction.ts';
import type { EntityRef } from '../../entities/resolve-entity.ts';
import { AppError, invalidValue } from '../../errors.ts';
import { MICRO_MAX, type Micro, microOfNumber, numberOf } from '../../quantity.ts';
import type { Entered } from '../../stock/entries/movement.ts';
import { findStockEntities, type StockEntity } from '../../stock/movements/find-stock-entities.ts';
import type { GivenAmount } from '../records/given-amounts.ts';
import { isFinal } from '../records/line.ts';
import { type Build, divideUp } from './components.ts';

/** A substitute as a call names it; `given` null: as much as the component lacks. */
export interface WantedSubstitute {
  component: EntityRef;
  substitute: EntityRef;
  given: GivenAmount | null;
}

/** Substitutes of a call with the entities that they name. */
export type NamedSubstitutes = readonly (WantedSubstitute & {
  componentId: string | undefined;
  item: StockEntity | undefined;
})[];

export interface ChosenSubstitute extends Pick<StockEntity, 'id' | 'number' | 'name'> {
  /** Quantity that replaces one of the component, in millionths. */
  readonly ratio: Micro;
  /** The quantity that the call states; null: as much as the component lacks. */
  readonly amount: Micro | null;
  readonly entered: Entered | null;
  /** Its place in the call. */
  readonly index: number;
}

/** Chosen substitutes by the id of their component, in the order of the call. */
export type ChosenSubstitutes = ReadonlyMap<string, readonly ChosenSubstitute[]>;

export async function nameSubstitutes(
  tx: Tx,
  wanted: readonly WantedSubstitute[],
): Promise<NamedSubstitutes> {
  if (wanted.length === 0) return [];
  const found = await findStockEntities(
    tx,
    wanted.flatMap(({ component, substitute }) => [component, substitute]),
  );
  return wanted.map((one) => ({
    ...one,
    componentId: found.get(one.component)?.id,
    item: found.get(one.substitute),
  }));
}

/** Returns the items that are taken. */
export function idsOf(named: NamedSubstitutes): string[] {
  return named.flatMap(({ item }) => item?.id ?? []);
}

/** Throws `validation_failed` for a substitute that no line of the structure names for its component, `line_not_open` where the line has ended. */
export async function chooseSubstitutes(
  tx: Tx,
  builds: readonly Build[],
  named: NamedSubstitutes,
): Promise<ChosenSubstitutes> {
  const chosen = new Map<string, ChosenSubstitute[]>();
  if (named.length === 0) return chosen;
  const wanted = new Set(named.map(({ componentId }) => componentId));
  const components = builds
    .flatMap((build) => build.components)
    .filter(({ requirement }) => wanted.has(requirement.itemId));
  const guids = components.flatMap(({ substitutes }) => substitutes.map(({ guid }) => guid));
  const known = await findStockEntities(
    tx,
    guids.map((guid): EntityRef => `guid:${guid}`),
  );
  for (const [index, { component, substitute, given, componentId, item }] of named.entries()) {
    const own = components.filter(({ requirement }) => requirement.itemId === componentId);
    if (own.length === 0 && builds.every(({ line }) => isFinal(line.state)))
      throw new AppError('line_not_open', {
        detail: `${component} is not open any more, because the line has ended: a substitute has nothing to cover.`,
        extensions: { state: builds[0]?.line.state ?? null },
      });
    const rule = own
      .flatMap(({ substitutes }) => substitutes)
      .find(({ guid }) => item !== undefined && known.get(`guid:${guid}`)?.id === item.id);
    const ratio = rule === undefined ? null : microOfNumber(rule.ratio);
    if (
      componentId === undefined ||
      item === undefined ||
      own.length === 0 ||
      ratio === null ||
      ratio <= 0n
    ) {
      const [field, message] =
        own.length === 0
          ? ['itemEntityId', `${component} is no component of the line.`]
          : [
              'substituteEntityId',
              `${item?.number ?? substitute} is no substitute of ${own[0]?.requirement.itemNumber ?? component} on this line.`,
            ];
      throw invalid(index, field, message);
    }
    const { id, number, name } = item;
    const { amount = null, entered = null } = given ?? {};
    const all = chosen.get(componentId) ?? [];
    if (all.some((one) => one.id === id))
      throw invalid(index, 'substituteEntityId', `${number ?? name} is named twice for the component.`);
    chosen.set(componentId, [...all, { id, number, name, ratio, amount, entered, index }]);
  }
  return chosen;
}

export interface SubstituteUse {
  /** In the base unit of the substitute. */
  amount: Micro;
  /** How much of the component that is. */
  covered: Micro;
}

const UNIT = 1_000_000n;

/**
 * Returns how much of a substitute is taken for what is left of a component, and what that covers. As much as is left takes the substitute
 * rounded up; a stated quantity covers its share rounded down. Throws `validation_failed`.
 */
export function substituteUse(
  { ratio, amount, number, name, index }: ChosenSubstitute,
  left: Micro,
): SubstituteUse {
  const most = divideUp(left * ratio, UNIT);
  if (amount === null) return { amount: most, covered: left };
  if (amount > most) {
    const covers = left === 0n ? 'Nothing is left to cover' : `${shown(most)} cover all that is left`;
    const message = `${covers} with ${number ?? name}, not ${shown(amount)}. What is reserved of the component is taken first.`;
    throw invalid(index, 'quantity', message);
  }
  const share = (amount * UNIT) / ratio;
  const covered = amount === most || share > left ? left : share;
  if (covered > 0n) return { amount, covered };
  throw invalid(index, 'quantity', `${shown(amount)} of ${number ?? name} replace nothing of the component.`);
}

function shown(amount: Micro): string {
  return amount > MICRO_MAX ? 'more than any quantity' : String(numberOf(amount));
}

function invalid(index: number, field: string, message: string): AppError {
  return invalidValue(`/substitutes/${index}/${field}`, message, 'The substitutes are not valid.');
}
