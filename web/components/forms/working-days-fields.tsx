/** The weekdays that are worked, and the dates that are not. */
import { Checkbox, Textarea } from '@mantine/core';
import type { StockSettings } from '../../client/operations.ts';
import styles from './working-days-fields.module.css';

/** `holidays` is the text as it was typed. */
export interface TypedWorkingDays {
  weekdays: readonly number[];
  holidays: string;
}

const weekdayNames = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];
/** Monday first. */
const weekdayOrder = [1, 2, 3, 4, 5, 6, 0];
export const everyDay: StockSettings['workingDays'] = { weekdays: [0, 1, 2, 3, 4, 5, 6], holidays: [] };
/** So many holidays the service takes. */
const HOLIDAYS_MAX = 500;

interface WorkingDaysFieldsProps {
  value: TypedWorkingDays;
  onValue: (value: TypedWorkingDays) => void;
  disabled?: boolean;
}

export function WorkingDaysFields({ value, onValue, disabled = false }: WorkingDaysFieldsProps) {
  const { weekdays, holidays } = value;
  return (
    <>
      <fieldset className={styles.weekdays} disabled={disabled}>
        <legend>Working days</legend>
        {weekdayOrder.map((day) => (
          <Checkbox
            key={day}
            label={weekdayNames[day]}
            checked={weekdays.includes(day)}
            disabled={disabled}
            onChange={(event) =>
              onValue({
                holidays,
                weekdays: event.currentTarget.checked
                  ? [...weekdays, day].toSorted((a, b) => a - b)
                  : weekdays.filter((one) => one !== day),
              })
            }
          />
        ))}
      </fieldset>
      <Textarea
        label="Days that are not worked"
        description="Dates such as 2026-12-24, separated by commas or lines"
        autosize
        maxRows={4}
        value={holidays}
        disabled={disabled}
        error={workingDaysFault(value)}
        onChange={(event) => onValue({ weekdays, holidays: event.currentTarget.value })}
      />
    </>
  );
}

export function typedWorkingDays({ weekdays, holidays }: StockSettings['workingDays']): TypedWorkingDays {
  return { weekdays, holidays: holidays.join('\n') };
}

export function workingDaysBody({ weekdays, holidays }: TypedWorkingDays): StockSettings['workingDays'] {
  return { weekdays: [...weekdays], holidays: datesIn(holidays) };
}

/** Returns what is wrong with what was typed; null: nothing. */
export function workingDaysFault({ weekdays, holidays }: TypedWorkingDays): string | null {
  if (weekdays.length === 0) return 'Choose at least one working day.';
  const dates = datesIn(holidays);
  if (dates.length > HOLIDAYS_MAX) return `At most ${HOLIDAYS_MAX} days that are not worked.`;
  const wrong = dates.find((text) => !isDay(text));
  return wrong === undefined ? null : `“${wrong.slice(0, 20)}” is not a date such as 2026-12-24.`;
}

function datesIn(text: string): string[] {
  return [...new Set(text.split(/[\s,;]+/).filter((date) => date !== ''))];
}

function isDay(text: string): boolean {
  return /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text));
}
