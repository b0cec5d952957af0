/** A location in a list: its number, and on a phone, which has no column for it, its name too. */
import type { ListedStockPosition } from '../client/operations.ts';
import { usePhone } from '../components/lists/use-media.ts';
import { PartNumber } from '../components/words.tsx';

export interface PlaceNameProps {
  number: string | null;
  name: string;
  /** Names of the locations that it lies in, the outermost first. */
  path?: readonly string[];
}

export function PlaceName({ number, name, path = [] }: PlaceNameProps) {
  const phone = usePhone();
  const whole = [...path, name].join(' › ');
  if (number === null) return whole;
  return (
    <span title={whole}>
      <PartNumber number={number} />
      {phone && ` ${whole}`}
    </span>
  );
}

/** The name of a position's location behind the names of the locations that it lies in. */
export function pathText({
  locationPath,
  locationName,
}: Pick<ListedStockPosition, 'locationPath' | 'locationName'>) {
  return [...locationPath, locationName].join(' › ');
}
