/** Days, times and seconds as people write them on a command line, and what they are told where it is none. */
import { InvalidArgumentError } from 'commander';
import { UsageError } from './exit-codes.ts';
import { shown } from './output.ts';

const written = /^(?<day>\d{4}-\d\d-\d\d)(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)?)?$/;
const DAY_MS = 86_400_000;

/** A day of the calendar: 2026-02-30 is none. */
export function readDay(text: string): string {
  if (!isDay(text)) throw new InvalidArgumentError('It is not a day: write it as 2026-11-24.');
  return text;
}

/** Reads a day that stands within an argument. */
export function readDayOf(argument: string, text: string): string {
  if (!isDay(text))
    throw new UsageError(`"${shown(argument)}": "${shown(text)}" is not a day: write it as 2026-11-24.`);
  return text;
}

/** A day begins where the machine is that asks. */
export function readMoment(option: string, text: string): string {
  const at = momentOf(text);
  if (at === null)
    throw new UsageError(
      `${option} "${shown(text)}" is neither a day nor a time: write 2026-11-24 or 2026-11-24T08:30.`,
    );
  return at.toISOString();
}

/** One that is still to come, which may be so many days from now. */
export function readLater(option: string, text: string): string {
  const days = /^(?<days>[1-9]\d{0,4})d$/.exec(text)?.groups?.days;
  const at = days === undefined ? momentOf(text) : new Date(Date.now() + Number(days) * DAY_MS);
  if (at === null)
    throw new UsageError(
      `${option} "${shown(text)}" is neither a day nor a time: write 2027-11-24, 2027-11-24T08:30, or 90d for ninety days from now.`,
    );
  if (at.getTime() <= Date.now())
    throw new UsageError(`${option} ${shown(text)} is past: name a time to come.`);
  return at.toISOString();
}

export function readSeconds(option: string, text: string, least: number): number {
  const value = Number(text);
  if (text.trim() === '' || !(value >= least && value <= DAY_MS / 1000))
    throw new UsageError(
      `${option} is a number of seconds from ${least} to ${DAY_MS / 1000}, not "${shown(text)}".`,
    );
  return 1000 * value;
}

/** Not what JavaScript makes of any text: to it "5" is a day of May 2001, and 30 February one of March. */
function momentOf(text: string): Date | null {
  const day = written.exec(text)?.groups?.day;
  if (day === undefined || !isDay(day)) return null;
  const at = new Date(day === text ? `${text}T00:00` : text);
  return Number.isNaN(at.getTime()) ? null : at;
}

function isDay(text: string): boolean {
  const at = new Date(`${text}T00:00:00Z`);
  return text.length === 10 && !Number.isNaN(at.getTime()) && at.toISOString().startsWith(text);
}
