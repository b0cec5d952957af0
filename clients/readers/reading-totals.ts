/** Totals of a file: parts, quantities, and the assemblies by number. */
import type { Element } from './element.ts';
import { roundQuantity } from './read-decimal.ts';
import type { QuantityTotals } from './table/read-line.ts';

export interface ReadingTotals {
  elements: number;
  parts: number;
  links: number;
  /** The quantities of all links together. */
  uses: number;
  /** Totals of a table: by its column of quantities, and by its designators. */
  quantities: QuantityTotals | null;
  /** The first assemblies by number, with how many lines and how much in all they have. */
  parents: { number: string; lines: number; quantity: number }[];
  parentCount: number;
}

const PARENTS_SHOWN = 20;
const NUMBERS_KEPT = 1000;

/**
 * The assemblies of a file with what is in them. The numbers of the latest elements are kept, because most files name a parent
 * shortly before its children; a parent that comes later gets its number then.
 */
export class ParentTotals {
  /** Two halves, of which the older one is dropped when the newer one is full. */
  #numbers = new Map<string, string>();
  #olderNumbers = new Map<string, string>();
  readonly #parents = new Map<string, { number: string; lines: number; quantity: number }>();

  add({ guid, number, parentGuid, quantity = 1 }: Element): void {
    const own = this.#parents.get(guid);
    if (own !== undefined) own.number = number;
    else {
      this.#numbers.set(guid, number);
      if (this.#numbers.size > NUMBERS_KEPT) {
        this.#olderNumbers = this.#numbers;
        this.#numbers = new Map();
      }
    }
    if (parentGuid === null) return;
    let parent = this.#parents.get(parentGuid);
    if (parent === undefined) {
      const number = this.#numbers.get(parentGuid) ?? this.#olderNumbers.get(parentGuid) ?? '';
      parent = { number, lines: 0, quantity: 0 };
      this.#parents.set(parentGuid, parent);
    }
    parent.lines += 1;
    parent.quantity = roundQuantity(parent.quantity + quantity);
  }

  shown(): Pick<ReadingTotals, 'parents' | 'parentCount'> {
    const parents = [...this.#parents.values()];
    const named = parents.filter(({ number }) => number !== '');
    return { parents: named.slice(0, PARENTS_SHOWN), parentCount: parents.length };
  }
}

/** The same in sentences, for people: shown before anything is sent. */
export function totalsInWords({
  parts,
  links,
  uses,
  quantities,
  parents,
  parentCount,
}: ReadingTotals): string[] {
  const lines = [
    `${parts} ${parts === 1 ? 'part' : 'parts'}, ${links} ${links === 1 ? 'link' : 'links'}, total quantity ${uses}`,
  ];
  if (quantities !== null && quantities.byReferences > 0) {
    lines.push(
      quantities.linesWithBoth > 0
        ? `quantity by its column ${roundQuantity(quantities.byQuantity)}, by reference designators ${quantities.byReferences}`
        : `quantity counted by reference designators: ${quantities.byReferences}`,
    );
  }
  if (parents.length > 0) {
    const shown = parents
      .slice(0, NAMED)
      .map(
        ({ number, lines: of, quantity }) =>
          `${number} (${of} ${of === 1 ? 'line' : 'lines'}, quantity ${quantity})`,
      );
    lines.push(
      `${parentCount === 1 ? 'assembly' : `${parentCount} assemblies`}: ${shown.join(', ')}${parentCount > shown.length ? ' …' : ''}`,
    );
  }
  return lines;
}

const NAMED = 8;
