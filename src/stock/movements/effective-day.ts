/** The day on which movements happened: not after the day of recording, and after the day until which stock is closed. */
import { today } from '../../calendar/days.ts';
import { loadConfiguration } from '../../configuration/current/read-configuration.ts';
import type { Tx } from '../../db/transaction.ts';
import { AppError } from '../../errors.ts';
import type { Finding } from './check-places.ts';

/** Returns the day that an entry states, null for the day of recording; or why it is refused. */
export type DayCheck = (day: string | null | undefined, pointer: string) => string | null | Finding;

/** Reads the settings where a day is stated. */
export async function dayCheck(
  tx: Tx,
  given: readonly { effectiveOn?: string | null | undefined }[],
): Promise<DayCheck> {
  if (given.every(({ effectiveOn }) => effectiveOn == null)) return () => null;
  const { stockClosedUntil } = (await loadConfiguration(tx)).stock;
  const recordedOn = today();
  return (day, pointer) => {
    if (day == null) return null;
    if (day > recordedOn) {
      const message = `${day} is after today, ${recordedOn} (UTC).`;
      return { pointer, code: 'validation_failed', message };
    }
    if (stockClosedUntil !== null && day <= stockClosedUntil) {
      const message = `Stock is closed until ${stockClosedUntil}, so nothing can be recorded for ${day}.`;
      return { pointer, code: 'stock_closed', message };
    }
    return day === recordedOn ? null : day;
  };
}

/** Returns the day that an entry states. Throws `validation_failed`, `stock_closed`. */
export function requireDay(check: DayCheck, day: string | null | undefined): string | null {
  const checked = check(day, '/effectiveOn');
  if (checked === null || typeof checked === 'string') return checked;
  const { code, message } = checked;
  throw new AppError(code, { detail: message, errors: [checked] });
}
