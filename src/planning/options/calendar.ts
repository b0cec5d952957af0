/** Working days and dates of a planning run. */
import { LEAD_DAYS_MAX } from '../netting/planning-input.ts';
import { WorkingCalendar } from '../netting/working-calendar.ts';
import type { PlanningOptions } from './planning-options.schema.ts';

const DAY_MS = 86_400_000;

/** Returns the date so many days after the day of the run. */
export function dateOf(day: string, at: number): string {
  return new Date(Date.parse(day) + at * DAY_MS).toISOString().slice(0, 10);
}

export function daysBetween(from: string, to: string): number {
  return (Date.parse(to) - Date.parse(from)) / DAY_MS;
}

export function calendarOf(
  { weekdays, holidays, horizonDays }: PlanningOptions,
  day: string,
): WorkingCalendar {
  const days = {
    weekdays: Array.from({ length: 7 }, (_, weekday) => weekdays.includes(weekday)),
    firstWeekday: new Date(day).getUTCDay(),
    holidays: new Set(holidays.map((holiday) => daysBetween(day, holiday))),
  };
  // The longest lead time ends within them, if only one day of a week is worked.
  return new WorkingCalendar(days, horizonDays + 8 * LEAD_DAYS_MAX);
}
