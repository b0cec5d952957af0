/** Plans one item: covers its needs day by day with stock, supply that exists, and proposals. */
import { LEAD_DAYS_MAX } from '../../calendar/working-calendar.ts';
import { MICRO_DOUBLE_MAX } from '../../quantity.ts';
import type { Coming, CoverRecorder, Made } from './covering.ts';
import { bitOf, exceptionOf, type PlanActions } from './plan-actions.ts';
import { NO_LEAD_TIME, type PlanningInput, ways } from './planning-input.ts';
import { leastOf, lotOf, lotOfSupply, type Used, usedSupplies } from './used-supply.ts';

export interface NettedItem {
  readonly item: number;
  /** Needs by day; the last day is beyond the horizon. */
  readonly needs: Float64Array | null;
  /** Supplies in the order of their days. */
  readonly supplies: readonly number[];
  readonly isOutOfRange: boolean;
}

const nothing: readonly Made[] = [];

export function netItem(
  input: PlanningInput,
  netted: NettedItem,
  actions: PlanActions,
  recorder: CoverRecorder | null = null,
): readonly Made[] {
  const { item, needs, supplies, isOutOfRange } = netted;
  const { items } = input;
  const floor = items.floor[item] as number;
  if (needs === null && supplies.length === 0 && floor === 0 && (items.available[item] as number) >= 0)
    return nothing;
  const way = items.way[item] as number;
  const refusal = isOutOfRange ? 'quantityOutOfRange' : items.isArchived[item] === 1 ? 'archivedItem' : null;
  if (refusal !== null) {
    const quantity = needs?.reduce((sum, need) => sum + need, 0) ?? 0;
    if (quantity > 0 || isOutOfRange) actions.push(exceptionOf(item, quantity, refusal));
    return nothing;
  }
  return way === ways.notPlanned ? nothing : new Netting(input, netted, actions, recorder).run();
}

class Netting {
  readonly #input: PlanningInput;
  readonly #item: number;
  readonly #needs: Float64Array;
  readonly #actions: PlanActions;
  readonly #recorder: CoverRecorder | null;
  readonly #supplies: Used[];
  readonly #made: Made[] = [];
  readonly #leadDays: number;
  readonly #earliest: number;
  readonly #isMade: boolean;
  /** Exceptions of all proposals of the item. */
  readonly #flags: number;
  /** No period goes beyond this day: until the floor is filled, needs behind it wait. */
  #periodEnd: number;
  #stock: number;
  #at = 0;

  constructor(
    input: PlanningInput,
    { item, needs, supplies }: Pick<NettedItem, 'item' | 'needs' | 'supplies'>,
    actions: PlanActions,
    recorder: CoverRecorder | null,
  ) {
    const { items, supply, horizonDays } = input;
    this.#input = input;
    this.#item = item;
    this.#needs = needs ?? new Float64Array(horizonDays + 2);
    this.#actions = actions;
    this.#recorder = recorder;
    this.#supplies = usedSupplies(supply, supplies);
    const given = items.leadDays[item] as number;
    this.#leadDays = Math.max(0, Math.min(given, LEAD_DAYS_MAX));
    this.#earliest = input.calendar.earliestReceipt(this.#leadDays);
    this.#isMade = items.way[item] === ways.make;
    this.#flags =
      (given === NO_LEAD_TIME ? bitOf('noLeadTime') : 0) +
      (given > LEAD_DAYS_MAX ? bitOf('leadTimeTooLong') : 0) +
      (!this.#isMade && items.hasSupplier[item] === 0 ? bitOf('noSupplier') : 0) +
      (this.#isMade && items.hasComponents[item] === 0 ? bitOf('noStructure') : 0);
    this.#periodEnd = horizonDays;
    this.#stock = items.available[item] as number;
  }

  run(): readonly Made[] {
    const { items, horizonDays } = this.#input;
    const owed = this.#stock < 0 ? -this.#stock : 0;
    this.#stock = Math.max(0, this.#stock);
    const floor = items.floor[this.#item] as number;
    // The floor is filled as soon as the lead time allows it, without being late.
    const floorDay = Math.min(this.#earliest, horizonDays);
    if (floor > 0) this.#periodEnd = floorDay;
    for (let day = 0; day <= horizonDays + 1; day++) {
      const need = (this.#needs[day] as number) + (day === 0 ? owed : 0);
      if (need > 0) this.#cover(day, need, false);
      if (day !== floorDay || floor === 0) continue;
      this.#periodEnd = horizonDays;
      this.#cover(day, floor, true);
    }
    this.#reviewSupplies();
    return this.#made;
  }

  #cover(day: number, need: number, isFloor: boolean): void {
    const fromStock = Math.min(need, this.#stock);
    this.#stock -= fromStock;
    if (fromStock > 0) this.#recorder?.cover(this.#item, { day, isFloor }, fromStock, 'stock');
    let open = need - fromStock;
    for (; open > 0 && this.#at < this.#supplies.length; this.#at++) {
      const one = this.#supplies[this.#at] as Used;
      if (this.#input.keepsDates === true && one.comesOn > day) break;
      const taken = Math.min(open, one.quantity - one.used);
      if (taken > 0 && one.neededOn === null) {
        one.neededOn = day;
        one.isForFloor = isFloor;
      }
      if (taken > 0) this.#recorder?.cover(this.#item, { day, isFloor }, taken, { supply: one.supply });
      one.used += taken;
      open -= taken;
      if (open === 0) break;
    }
    if (open > 0 && day <= this.#input.horizonDays) this.#propose(day, open, isFloor);
  }

  /** Proposes what is open on a day and within the period from it; what a lot has beyond that goes into stock. */
  #propose(day: number, open: number, isFloor: boolean): void {
    const { periodDays, items } = this.#input;
    const item = this.#item;
    let need = open;
    const last = Math.min(day + periodDays - 1, this.#periodEnd);
    for (let ahead = day + 1; ahead <= last; ahead++) need += this.#needs[ahead] as number;
    const covered = { day, open, last, isFloor };
    const start = this.#input.calendar.startFor(day, this.#leadDays);
    const lateDays = start === null && !isFloor ? Math.max(0, this.#earliest - day) : 0;
    const increased = lateDays > 0 ? this.#supplyToIncrease(day) : null;
    if (increased !== null) {
      const quantity = lotOfSupply(items, item, increased, increased.quantity + need);
      if (quantity > MICRO_DOUBLE_MAX) {
        this.#coverBy(null, covered, 0);
        this.#actions.push(exceptionOf(this.#item, need, 'quantityOutOfRange'));
        return;
      }
      this.#coverBy({ supply: increased.supply }, covered, quantity - increased.quantity - need);
      increased.quantity = quantity;
      increased.used = quantity;
      increased.isIncreased = true;
      return;
    }
    const quantity = lotOf(items, item, need);
    if (quantity > MICRO_DOUBLE_MAX) {
      this.#coverBy(null, covered, 0);
      this.#actions.push(exceptionOf(this.#item, need, 'quantityOutOfRange'));
      return;
    }
    const by = { action: this.#actions.length };
    this.#coverBy(by, covered, quantity - need);
    this.#actions.push({
      action: this.#isMade ? 'make' : 'order',
      item: this.#item,
      supply: -1,
      day,
      start: start ?? 0,
      quantity,
      lateDays,
      exceptions: this.#flags + (lateDays > 0 ? bitOf('late') : 0),
    });
    if (this.#isMade) this.#made.push({ day: start ?? 0, quantity, by });
  }

  /** Takes the needs of a period off; null: nothing covers them. The rest goes into stock. */
  #coverBy(
    by: Coming | null,
    { day, open, last, isFloor }: { day: number; open: number; last: number; isFloor: boolean },
    rest: number,
  ): void {
    if (by !== null) this.#recorder?.cover(this.#item, { day, isFloor }, open, by);
    for (let ahead = day + 1; ahead <= last; ahead++) {
      const need = this.#needs[ahead] as number;
      if (need > 0 && by !== null)
        this.#recorder?.cover(this.#item, { day: ahead, isFloor: false }, need, by);
      this.#needs[ahead] = 0;
    }
    this.#stock += rest;
    if (rest > 0 && by !== null) this.#recorder?.left(this.#item, rest, by);
  }

  /** Returns the last supply that comes by the day of the need: a new order would come later. */
  #supplyToIncrease(day: number): Used | null {
    const last = this.#supplies.at(-1);
    return last?.neededOn != null && !last.isForFloor && last.neededOn <= day && last.comesOn < this.#earliest
      ? last
      : null;
  }

  /** Says what becomes of supplies: moved, changed or cancelled. */
  #reviewSupplies(): void {
    const { items, supply, calendar, horizonDays } = this.#input;
    let fill = Math.max(0, (items.fill[this.#item] as number) - this.#stock);
    let lastDay = 0;
    for (const one of this.#supplies) {
      const given = supply.quantity[one.supply] as number;
      let day = one.comesOn;
      if (one.isIncreased) this.#change('increase', one, day);
      else if (one.neededOn === null && fill > 0) fill -= Math.min(fill, one.quantity);
      else if (one.neededOn === null) {
        one.quantity = leastOf(items, this.#item, one);
        if (one.quantity < given) this.#change(one.quantity === 0 ? 'cancel' : 'decrease', one, day);
      } else if (one.used < one.quantity) {
        const kept = Math.min(given, lotOfSupply(items, this.#item, one, one.used));
        fill = Math.max(0, fill - (kept - one.used));
        one.quantity = kept;
        if (kept < given) this.#change('decrease', one, day);
      }
      const move = this.#moveOf(one, lastDay);
      if (move !== null) {
        // A need beyond the horizon only keeps its place behind the others.
        day = one.neededOn === null || one.neededOn > horizonDays ? lastDay : one.neededOn;
        this.#change(move, one, day);
      }
      if (one.quantity > 0) lastDay = Math.max(lastDay, day);
      if (supply.explodes[one.supply] === 1 && one.quantity > 0) {
        const start = calendar.startFor(day, this.#leadDays);
        this.#made.push({ day: start ?? 0, quantity: one.quantity, by: { supply: one.supply } });
      }
    }
  }

  /** Supplies keep their order: one that would come before a deferred one is deferred, too. The floor defers nothing: it moves every day. */
  #moveOf(one: Used, lastDay: number): 'expedite' | 'defer' | null {
    const { neededOn, comesOn, isForFloor, quantity, parts } = one;
    const { horizonDays, toleranceDays } = this.#input;
    if (quantity === 0) return null;
    // A part that only its line needs stays behind what is needed.
    if (neededOn === null) return parts !== null && comesOn < lastDay ? 'defer' : null;
    if (neededOn > horizonDays) return comesOn < lastDay ? 'defer' : null;
    if (neededOn < comesOn) return 'expedite';
    if (isForFloor || neededOn === comesOn) return null;
    return neededOn - comesOn > toleranceDays || comesOn < lastDay ? 'defer' : null;
  }

  #change(
    action: 'expedite' | 'defer' | 'increase' | 'decrease' | 'cancel',
    { supply, comesOn, quantity }: Used,
    day: number,
  ): void {
    this.#actions.push({
      action,
      item: this.#item,
      supply,
      day,
      start: action === 'expedite' ? day : comesOn,
      quantity,
      lateDays: 0,
      exceptions: 0,
    });
  }
}
