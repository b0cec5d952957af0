/** Chooses substitutes that are taken in place of components. Nothing is chosen until the user does. */
import { NativeSelect } from '@mantine/core';
import type { LineComponents } from '../client/operations.ts';
import { quantityText } from '../components/words.tsx';

/** The chosen substitute by the id of its component. */
export type ChosenSubstitutes = Readonly<Record<string, string>>;

export function substitutesGiven(chosen: ChosenSubstitutes) {
  const substitutes = Object.entries(chosen)
    .filter(([, substitute]) => substitute !== '')
    .map(([itemEntityId, substituteEntityId]) => ({ itemEntityId, substituteEntityId }));
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
    return (
      <NativeSelect
        key={id}
        label={`Instead of ${itemNumber ?? itemName}`}
        description="What is reserved for the component is used first. The substitute covers the rest."
        value={chosen[id] ?? ''}
        data={[
          { value: '', label: 'No substitute' },
          ...there.map((one) => ({
            value: one.itemEntityId ?? '',
            label: `${one.itemNumber ?? one.itemName ?? one.guid}: ${quantityText(one.availableQty)} available${one.ratio === 1 ? '' : `, ${quantityText(one.ratio)} for one`}`,
          })),
        ]}
        onChange={(event) => onChoose({ ...chosen, [id]: event.currentTarget.value })}
      />
    );
  });
}
