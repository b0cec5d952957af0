/** The input of a quantity. */
import { TextInput, type TextInputProps } from '@mantine/core';
import { quantityFault } from './exact-quantity.ts';

export interface QuantityInputProps extends Omit<TextInputProps, 'value' | 'onChange'> {
  value: string;
  onValue: (text: string) => void;
}

export function QuantityInput({ value, onValue, error, ...rest }: QuantityInputProps) {
  return (
    <TextInput
      {...rest}
      inputMode="decimal"
      autoComplete="off"
      value={value}
      onChange={(event) => onValue(event.currentTarget.value)}
      error={error ?? (value.trim() === '' ? undefined : quantityFault(value))}
    />
  );
}
