/** The field for the days on which the supplier has promised the parts of a line. */
import { ActionIcon, Button, TextInput } from '@mantine/core';
import type { StockLine } from '../client/operations.ts';
import { readQuantity, typedQuantity } from '../components/forms/exact-quantity.ts';
import { QuantityInput } from '../components/forms/quantity-input.tsx';
import { Icon } from '../components/icons.tsx';
import { dayText, quantityText } from '../components/words.tsx';
import styles from './procurement.module.css';

export interface TypedPromise {
  on: string;
  quantity: string;
}

export function typedPromises({ promises }: StockLine): TypedPromise[] {
  return promises.map(({ on, quantity }) => ({ on, quantity: typedQuantity(quantity) }));
}

export function promisesGiven(typed: readonly TypedPromise[]): StockLine['promises'] {
  return typed.map(({ on, quantity }) => ({ on, quantity: readQuantity(quantity) ?? 0 }));
}

/** Says why they cannot be saved; null if they can. */
export function wrongPromises(typed: readonly TypedPromise[], quantity: number | null): string | null {
  if (typed.some(({ on }) => on === '')) return 'Enter the day of each promised part.';
  const parts = typed.map((one) => readQuantity(one.quantity));
  if (parts.some((part) => part === null || part <= 0)) return 'Each promised part is above zero.';
  const sum = parts.reduce((all: number, part) => all + (part ?? 0), 0);
  return quantity !== null && sum > quantity + 1e-9
    ? `${quantityText(sum)} are promised of ${quantityText(quantity)}.`
    : null;
}

/** "10 on 5 Jan 2027, 2 on 1 Feb 2027" */
export function promisedText(promises: StockLine['promises']): string {
  return promises.map(({ on, quantity }) => `${quantityText(quantity)} on ${dayText(on)}`).join(', ');
}

export function PromisesField({
  typed,
  rest,
  onChange,
}: {
  typed: readonly TypedPromise[];
  /** What is not promised yet; a further part begins with it. */
  rest: number;
  onChange: (typed: TypedPromise[]) => void;
}) {
  const change = (at: number, to: Partial<TypedPromise>) =>
    onChange(typed.map((one, index) => (index === at ? { ...one, ...to } : one)));
  return (
    <fieldset className={styles.promises}>
      <legend>Promised by the supplier</legend>
      {typed.map((one, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a part is its place in the list, and two may be alike
        <div key={at} className={styles.promise}>
          <TextInput
            aria-label={`Day of part ${at + 1}`}
            type="date"
            value={one.on}
            onChange={(event) => change(at, { on: event.currentTarget.value })}
          />
          <QuantityInput
            aria-label={`Quantity of part ${at + 1}`}
            value={one.quantity}
            onValue={(quantity) => change(at, { quantity })}
          />
          <ActionIcon
            variant="subtle"
            aria-label={`Remove part ${at + 1}`}
            onClick={() => onChange(typed.filter((_, index) => index !== at))}
          >
            <Icon name="close" />
          </ActionIcon>
        </div>
      ))}
      <Button
        size="xs"
        variant="default"
        onClick={() => onChange([...typed, { on: '', quantity: rest > 0 ? typedQuantity(rest) : '' }])}
      >
        Add a promised part
      </Button>
    </fieldset>
  );
}
