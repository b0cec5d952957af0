/** Days of the calendar, as texts such as 2027-03-01. They begin and end in UTC. */

export const DAY_MS = 86_400_000;

/** Returns the day of a moment in milliseconds. */
export function dayOf(moment: number): string {
  return new Date(moment).toISOString().slice(0, 10);
}

export function today(): string {
  return dayOf(Date.now());
}

/** Returns the day so many days after another. */
export function dateOf(day: string, days: number): string {
  return dayOf(Date.parse(day) + days * DAY_MS);
}

export function daysBetween(from: string, to: string): number {
  return (Date.parse(to) - Date.parse(from)) / DAY_MS;
}
