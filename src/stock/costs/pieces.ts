/** Lists of goods with their cost, taken from the front. */
import type { Micro } from '../../quantity.ts';
import { type Piece, partOf } from './position-costs.ts';

export function quantityOf(pieces: readonly Piece[]): Micro {
  return pieces.reduce((sum, { quantity }) => sum + quantity, 0n);
}

/** Takes the first pieces that make up the quantity away; fewer if there are no more. */
export function takeFront(pieces: Piece[], quantity: Micro): Piece[] {
  const taken: Piece[] = [];
  let left = quantity;
  while (left > 0n && pieces.length > 0) {
    const [first] = pieces as [Piece];
    if (first.quantity <= left) {
      taken.push(first);
      pieces.shift();
      left -= first.quantity;
    } else {
      const cost = partOf(first, left);
      taken.push({ ...first, quantity: left, cost });
      const rest = first.cost === null || cost === null ? null : first.cost - cost;
      pieces[0] = { ...first, quantity: first.quantity - left, cost: rest };
      left = 0n;
    }
  }
  return taken;
}
