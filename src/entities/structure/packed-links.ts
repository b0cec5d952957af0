/** Links as a walk over a structure holds them: those of one entity in one text, 50 bytes each and no objects. */
import { type Exact, exactOfDecimal } from '../../quantity.ts';

/** Their ids are written into one message, in one turn of the event loop. */
export const IDS_AT_ONCE = 10_000;
/** Most structures have few quantities that differ. */
const QUANTITIES_KEPT = 1000;

export interface PackedLink {
  /** The id of the link's other end. */
  id: string;
  /** numeric(15, 6) as text. */
  quantity: string;
  /** Whether a star stands behind it: it says more than its quantity, or only an earlier revision of the parent has it. */
  hasLine: boolean;
}

/** The links in the order in which they were packed (tree.sql.ts). */
export function* unpackLinks(packed: string): Generator<PackedLink> {
  for (let at = 0; at < packed.length; ) {
    const found = packed.indexOf(',', at);
    const end = found === -1 ? packed.length : found;
    const hasLine = packed[end - 1] === '*';
    const quantity = packed.slice(at + 37, hasLine ? end - 1 : end);
    yield { id: packed.slice(at, at + 36), quantity, hasLine };
    at = end + 1;
  }
}

/** Quantities of links as numbers, each held once however many links have it. */
export class LinkQuantities {
  readonly #known = new Map<string, Exact>();

  of(quantity: string): Exact {
    const known = this.#known.get(quantity);
    if (known !== undefined) return known;
    const exact = exactOfDecimal(quantity);
    if (this.#known.size < QUANTITIES_KEPT) this.#known.set(quantity, exact);
    return exact;
  }
}
