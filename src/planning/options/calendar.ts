/** Working days of a planning run. */

import { daysBetween } from '../../http/day.ts';
import { LEAD_DAYS_MAX } from '../netting/planning-input.ts';
import { WorkingCalendar } from '../netting/working-calendar.ts';
import type { PlanningOptions } from './planning-options.schema.ts';

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
