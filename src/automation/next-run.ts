/** The times of a schedule. The library decides about daylight saving as `Schedule` describes it; the tests hold it to that. */
import { Cron } from 'croner';

export interface Times {
  cron: string;
  timeZone: string;
}

/** Runs that were missed are counted so far. */
export const MISSED_MAX = 1000;

/** Why the schedule cannot be; null if it can. */
export function scheduleFault(times: Times): { field: keyof Times; message: string } | null {
  const { cron, timeZone } = times;
  if (!isTimeZone(timeZone))
    return {
      field: 'timeZone',
      message: `"${timeZone}" is no time zone: write an IANA name such as Europe/Berlin`,
    };
  if (cron.trim().split(/\s+/).length !== 5)
    return {
      field: 'cron',
      message:
        'must have five fields: minute, hour, day of the month, month, day of the week; it runs at most once a minute',
    };
  try {
    if (nextRun(times, new Date()) === null) return { field: 'cron', message: 'no date fits it' };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return { field: 'cron', message: message.replace(/^CronPattern: /, '') };
  }
  return null;
}

/** Returns the first time after `after`; null if there is none. Throws if the time zone is not known any more. */
export function nextRun({ cron, timeZone }: Times, after: Date): Date | null {
  return new Cron(cron, { timezone: timeZone, mode: '5-part' }).nextRun(after);
}

function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return /^[A-Za-z]/.test(name);
  } catch {
    return false;
  }
}
