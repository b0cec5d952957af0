/** Chooses substitutes that are taken in place of components. Nothing is chosen until the user does. */
import { NativeSelect } from '@mantine/core';
import type { LineComponents } from '../client/operations.ts';
import { readQuantity } from '../components/forms/exact-quantity.ts';
import { QuantityInput } from '../components/forms/quantity-input.tsx';
import { quantityText } from '../components/words.tsx';

/** The chosen substitute and how much of it is taken, as it is typed, by the id of its component. */
export type ChosenSubstitutes = Readonly<Record<string, { substitute: string; quantity: string }>>;

const NONE = { substitute: '', quantity: '' };

export function substitutesGiven(chosen: ChosenSubstitutes) {
  const substitutes = Object.entries(chosen)
    .filter(([, { substitute }]) => substitute !== '')
    .map(([itemEntityId, { substitute, quantity: text }]) => {
      const quantity = readQuantity(text);
      const of = quantity === null || quantity <= 0 ? {} : { quantity };
      return { itemEntityId, substituteEntityId: substitute, ...of };
    });
  return substitutes.length === 0 ? {} : { substitutes };
}

interface SubstituteFieldsProps {
  build: LineComponents;
  chosen: ChosenSubstitutes;
  onChoose: (chosen: ChosenSubstitutes) => void;
  /** Offers it only for these components. */
  among?: ReadonlySet<string>;
}

/** Offers a choice for each component that has substitutes which exist. */
export function SubstituteFields({ build, chosen, onChoose, among }: SubstituteFieldsProps) {
  return build.components.map(({ itemEntityId: id, itemNumber, itemName, substitutes }) => {
    const there = substitutes.filter(({ itemEntityId }) => itemEntityId !== null);
    if (there.length === 0 || among?.has(id) === false) return null;
    const own = chosen[id] ?? NONE;
    const component = itemNumber ?? itemName;
    return (
      <div key={id}>
        <NativeSelect
          label={`Instead of ${component}`}
          description="What is reserved for the component is used first. The substitute covers the rest."
          value={own.substitute}
          data={[
            { value: '', label: 'No substitute' },
            ...there.map((one) => ({
              value: one.itemEntityId ?? '',
              label: `${one.itemNumber ?? one.itemName ?? one.guid}: ${quantityText(one.availableQty)} available${one.ratio === 1 ? '' : `, ${quantityText(one.ratio)} for one`}`,
            })),
          ]}
          onChange={(event) =>
            onChoose({ ...chosen, [id]: { substitute: event.currentTarget.value, quantity: '' } })
          }
        />
        {own.substitute !== '' && (
          <QuantityInput
            label={`How many, instead of ${component}`}
            placeholder="As many as the component lacks"
            value={own.quantity}
            onValue={(quantity) => onChoose({ ...chosen, [id]: { ...own, quantity } })}
          />
        )}
      </div>
    );
  });
}
