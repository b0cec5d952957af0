/** The input of a quantity. */
import { TextInput, type TextInputProps } from '@mantine/core';
import { readQuantity } from './exact-quantity.ts';

export interface QuantityInputProps extends Omit<TextInputProps, 'value' | 'onChange'> {
  value: string;
  onValue: (text: string) => void;
}

export function QuantityInput({ value, onValue, error, ...rest }: QuantityInputProps) {
  const wrong = value.trim() !== '' && readQuantity(value) === null;
  return (
    <TextInput
      {...rest}
      inputMode="decimal"
      autoComplete="off"
      value={value}
      onChange={(event) => onValue(event.currentTarget.value)}
      error={error ?? (wrong ? 'A number with at most 9 digits and 6 decimal places.' : undefined)}
    />
  );
}
