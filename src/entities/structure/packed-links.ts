/** Links as a walk over a structure holds them: those of one entity in one text, 50 bytes each and no objects. */
import { type Exact, exactOfDecimal } from '../../quantity.ts';

/** Their ids are written into one message, in one turn of the event loop. */
export const IDS_AT_ONCE = 10_000;
/** Most structures have few quantities that differ. */
const QUANTITIES_KEPT = 1000;

export interface PackedLink {
  /** The id of the link's other end. */
  id: string;
  /** The entity as a node of the walk: see `nodeOf`. */
  node: string;
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
    const id = packed.slice(at, at + 36);
    const quantity = packed.slice(at + 37, hasLine ? end - 1 : end);
    const slash = quantity.indexOf('/');
    yield slash === -1
      ? { id, node: id, quantity, hasLine }
      : { id, node: id + quantity.slice(slash), quantity: quantity.slice(0, slash), hasLine };
    at = end + 1;
  }
}

/**
 * A node of a walk: the id of an entity. In a configuration other than the current one, a slash, the revision number and one letter for
 * the source of the revision follow it, as in `…/12r` (configured-tree.sql.ts).
 */
export function nodeOf(id: string, revision: number, source: 'r' | 'u' | 'c'): string {
  return `${id}/${revision}${source}`;
}

const sources = { r: undefined, u: 'unknown', c: 'current' } as const;

/** The parts of a node. `source` is undefined where the revision is the one that the configuration asks for. */
export function partsOfNode(node: string) {
  const source = sources[node.at(-1) as keyof typeof sources];
  return { id: node.slice(0, 36), revision: Number(node.slice(37, -1)), source };
}

/** Quantities of links as numbers, each held once however many links have it. */
export class LinkQuantities {
  readonly #known = new Map<string, Exact>();
  readonly #read: (quantity: string) => Exact;

  /** `read` converts what stands for a quantity. */
  constructor(read: (quantity: string) => Exact = exactOfDecimal) {
    this.#read = read;
  }

  of(quantity: string): Exact {
    const known = this.#known.get(quantity);
    if (known !== undefined) return known;
    const exact = this.#read(quantity);
    if (this.#known.size < QUANTITIES_KEPT) this.#known.set(quantity, exact);
    return exact;
  }
}
