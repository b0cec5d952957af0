/** The day that something is required by. One of the past is said to be one and taken all the same: people enter orders of before. */
import { TextInput } from '@mantine/core';
import { isPast } from '../../components/words.tsx';

export function RequiredByField({ value, onValue }: { value: string; onValue: (day: string) => void }) {
  return (
    <TextInput
      label="Required by"
      type="date"
      value={value}
      onChange={(event) => onValue(event.currentTarget.value)}
      // Below the field: what it stands beside does not move.
      inputWrapperOrder={['label', 'input', 'description']}
      description={value !== '' && isPast(value) ? 'This day is in the past.' : undefined}
      descriptionProps={{ className: 'doubt', role: 'status' }}
    />
  );
}
