/** Working days from the day of the run on. A lead time counts working days. */

export interface CalendarDays {
  /** Whether a weekday is worked, from Sunday (0) to Saturday (6). */
  readonly weekdays: readonly boolean[];
  /** The weekday of day 0. */
  readonly firstWeekday: number;
  /** Days that are not worked, whatever their weekday. */
  readonly holidays: ReadonlySet<number>;
}

export class WorkingCalendar {
  /** The number of working days before each day. */
  readonly #before: Int32Array;
  /** The day of each working day. */
  readonly #workingDays: Int32Array;

  /** Knows so many days from day 0 on. */
  constructor({ weekdays, firstWeekday, holidays }: CalendarDays, days: number) {
    this.#before = new Int32Array(days + 1);
    const worked = new Int32Array(days);
    let count = 0;
    for (let day = 0; day < days; day++) {
      this.#before[day] = count;
      if (weekdays[(firstWeekday + day) % 7] === true && !holidays.has(day)) worked[count++] = day;
    }
    this.#before[days] = count;
    this.#workingDays = worked.subarray(0, count);
  }

  /** Returns the day to start on for a receipt on a day; null if that day has passed. */
  startFor(receiptDay: number, leadDays: number): number | null {
    if (leadDays === 0) return receiptDay;
    const known = Math.min(receiptDay, this.#before.length - 1);
    const at = (this.#before[known] as number) - leadDays;
    return at < 0 ? null : (this.#workingDays[at] as number);
  }

  /** Returns the first day on which something that is started today can be received. */
  earliestReceipt(leadDays: number): number {
    if (leadDays === 0) return 0;
    const last = this.#workingDays[leadDays - 1];
    return (last ?? this.#before.length - 1) + 1;
  }
}
