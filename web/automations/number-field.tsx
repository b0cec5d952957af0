/** A number that is typed, kept as text until it is one. */
import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { quantityFault, readQuantity, typedQuantity } from '../components/forms/exact-quantity.ts';

export interface NumberFieldProps {
  label: string;
  description?: string;
  value: number | null;
  onChange: (value: number | null) => void;
}

export function NumberField({ label, description, value, onChange }: NumberFieldProps) {
  const [text, setText] = useState(value === null ? '' : typedQuantity(value));
  return (
    <TextInput
      inputMode="decimal"
      label={label}
      description={description}
      value={text}
      error={text.trim() === '' ? undefined : (quantityFault(text) ?? undefined)}
      onChange={(event) => {
        const typed = event.currentTarget.value;
        setText(typed);
        const read = typed.trim() === '' ? null : readQuantity(typed);
        if (typed.trim() === '' || read !== null) onChange(read);
      }}
    />
  );
}
