/** The day on which a movement happened, where that is not today. */
import { TextInput } from '@mantine/core';

/** Returns the field of a body that states the day. */
export function dayGiven(day: string): { effectiveOn?: string } {
  return day === '' ? {} : { effectiveOn: day };
}

/** `value` is empty for today. */
export function DayField({ value, onValue }: { value: string; onValue: (day: string) => void }) {
  return (
    <TextInput
      label="Happened on"
      type="date"
      // Days of the service are those of UTC.
      max={new Date().toISOString().slice(0, 10)}
      value={value}
      onChange={(event) => onValue(event.currentTarget.value)}
      inputWrapperOrder={['label', 'input', 'description']}
      description={value === '' ? 'Empty: today.' : undefined}
    />
  );
}
