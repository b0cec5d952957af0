/** The days on which a workspace works. A lead time counts them from a day on, which is day 0. */
import { daysBetween } from './days.ts';

/** The longest lead time that can be stated, in working days. */
export const LEAD_DAYS_MAX = 3650;

export interface WorkingDays {
  /** Weekdays that are worked, from Sunday (0) to Saturday (6). */
  readonly weekdays: readonly number[];
  /** Dates that are not worked, whatever their weekday. */
  readonly holidays: readonly string[];
}

export const everyDay: WorkingDays = { weekdays: [0, 1, 2, 3, 4, 5, 6], holidays: [] };

/** Returns the calendar from a day on, in which each lead time that begins within so many days ends. */
export function calendarOf(
  { weekdays, holidays }: WorkingDays,
  day: string,
  beginsWithin: number,
): WorkingCalendar {
  const days = {
    weekdays: Array.from({ length: 7 }, (_, weekday) => weekdays.includes(weekday)),
    firstWeekday: new Date(day).getUTCDay(),
    holidays: new Set(holidays.map((holiday) => daysBetween(day, holiday))),
  };
  // A week has a working day at least, if that is no holiday.
  return new WorkingCalendar(days, beginsWithin + 7 * (LEAD_DAYS_MAX + holidays.length + 1));
}

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

  /**
   * Returns the day to start on so that something is there on a day; null if that day has passed. What takes five days from a Monday on is there
   * on the next Monday, and what is needed on a day that is not worked arrives on the working day before it.
   */
  startFor(receiptDay: number, leadDays: number): number | null {
    if (leadDays === 0) return receiptDay;
    const known = Math.min(receiptDay, this.#before.length - 2);
    const arrivesAt = (this.#before[known + 1] as number) - 1;
    return arrivesAt < leadDays ? null : (this.#workingDays[arrivesAt - leadDays] as number);
  }

  /** Returns the first day on which something that is started today, or on the next working day, can be received. */
  earliestReceipt(leadDays: number): number {
    if (leadDays === 0) return 0;
    return this.#workingDays[leadDays] ?? this.#before.length - 1;
  }
}
