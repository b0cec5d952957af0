/** Days that are counted from today (UTC), such as `-30d`. */

const form = /^([+-]?\d{1,5})([dwmy])$/;

/** Returns the day as YYYY-MM-DD; null for a text that is none, or a day that the calendar does not reach. */
export function dayOf(text: string, now: Date): string | null {
  const [year, month, day] = [now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate()];
  if (text === 'today') return textOf(utc(year, month, day));
  const match = form.exec(text);
  if (match === null) return null;
  const count = Number(match[1]);
  switch (match[2]) {
    case 'd':
      return textOf(utc(year, month, day + count));
    case 'w':
      return textOf(utc(year, month, day + 7 * count));
    case 'm':
      return inMonth(year, month + count, day);
    default:
      return inMonth(year + count, month, day);
  }
}

/** A month that is too short for the day ends with its last one. */
function inMonth(year: number, month: number, day: number): string | null {
  const last = utc(year, month + 1, 0).getUTCDate();
  return textOf(utc(year, month, Math.min(day, last)));
}

function utc(year: number, month: number, day: number): Date {
  const date = new Date(0);
  date.setUTCFullYear(year, month, day);
  return date;
}

function textOf(date: Date): string | null {
  const text = Number.isNaN(date.getTime()) ? '' : date.toISOString();
  return /^\d{4}-/.test(text) && !text.startsWith('0000') ? text.slice(0, 10) : null;
}
