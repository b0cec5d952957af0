/** A location in a list: its number, and on a phone, which has no column for it, its name too. */
import { usePhone } from '../components/lists/use-media.ts';
import { PartNumber } from '../components/words.tsx';

export function PlaceName({ number, name }: { number: string | null; name: string }) {
  const phone = usePhone();
  if (number === null) return name;
  return (
    <span title={name}>
      <PartNumber number={number} />
      {phone && ` ${name}`}
    </span>
  );
}
