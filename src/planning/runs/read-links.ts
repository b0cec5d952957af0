/** Puts links into columns, by parent. */
import { type LinkLine, linesOf } from '../../entities/links/link-line.ts';
import { exactOfNumber, withLoss } from '../../procurement/builds/explode-item.ts';
import { type Exact, exactOfDecimal, times } from '../../quantity.ts';
import type { PlanLinks } from '../netting/planning-input.ts';
import { IdIndex, type PackedLinks } from './packed-links.ts';
import { TooLargeError } from './too-large.ts';

/** Different quantities that are kept as numbers. */
const QUANTITIES_MAX = 10_000;

/** Parents come in the order of their ids, which is that of `ids`. */
export async function readLinks(
  portions: AsyncIterable<PackedLinks[]>,
  ids: readonly string[],
  indexOf: ReadonlyMap<string, number>,
  linksMax: number,
): Promise<PlanLinks> {
  const index = new IdIndex(ids);
  const columns = new LinkColumns(ids.length);
  const exactOf = new Quantities();
  for await (const some of portions) {
    for (const { parent_id: id, children, quantities, lines } of some) {
      const parent = indexOf.get(id);
      if (parent === undefined) continue;
      const texts = quantities.split(' ');
      // Entries of an array would be an object for each of a million links.
      for (let at = 0; at < texts.length; at++) {
        const quantity = texts[at] as string;
        const child = index.at(children, at * 16);
        if (child < 0) continue;
        const line = (lines?.[at] ?? null) as LinkLine | null;
        if (line === null) columns.add(parent, child, exactOf.text(quantity), {});
        else
          for (const one of linesOf({ quantity, line })) {
            const own = line.lines === undefined ? exactOf.text(quantity) : exactOfNumber(one.quantity);
            columns.add(parent, child, times(own, withLoss(one.lossPercent)), one);
          }
      }
    }
    if (columns.count > linksMax) throw new TooLargeError(`The workspace has more than ${linksMax} links.`);
  }
  return columns.links();
}

/** Quantities of links repeat. */
class Quantities {
  readonly #known = new Map<string, Exact>();

  text(decimal: string): Exact {
    const known = this.#known.get(decimal);
    if (known !== undefined) return known;
    const exact = exactOfDecimal(decimal);
    if (this.#known.size < QUANTITIES_MAX) this.#known.set(decimal, exact);
    return exact;
  }
}

/** Columns that grow. */
class LinkColumns {
  count = 0;
  readonly #from: Uint32Array;
  #child = new Uint32Array(1024);
  #numerator = new Float64Array(1024);
  #scale = new Uint8Array(1024);
  #fixed = new Float64Array(1024);
  #isPhantom = new Uint8Array(1024);
  readonly #wideNumerators = new Map<number, bigint>();

  constructor(items: number) {
    this.#from = new Uint32Array(items + 1);
  }

  add(
    parent: number,
    child: number,
    { digits, scale }: Exact,
    { lossFixed, phantom }: Pick<LinkLine, 'lossFixed' | 'phantom'>,
  ): void {
    const at = this.count++;
    if (at === this.#child.length) this.#grow();
    const numerator = Number(digits);
    if (numerator > Number.MAX_SAFE_INTEGER) this.#wideNumerators.set(at, digits);
    this.#child[at] = child;
    this.#numerator[at] = numerator;
    this.#scale[at] = scale;
    if (lossFixed !== undefined) this.#fixed[at] = Math.round(lossFixed * 1e6);
    if (phantom === true) this.#isPhantom[at] = 1;
    this.#from[parent + 1] = (this.#from[parent + 1] as number) + 1;
  }

  links(): PlanLinks {
    const from = this.#from;
    for (let item = 1; item < from.length; item++)
      from[item] = (from[item] as number) + (from[item - 1] as number);
    return {
      from,
      child: this.#child.slice(0, this.count),
      numerator: this.#numerator.slice(0, this.count),
      scale: this.#scale.slice(0, this.count),
      wideNumerators: this.#wideNumerators,
      fixed: this.#fixed.slice(0, this.count),
      isPhantom: this.#isPhantom.slice(0, this.count),
    };
  }

  #grow(): void {
    const length = this.#child.length * 2;
    const longer = <A extends Uint32Array | Uint8Array | Float64Array>(array: A, next: A): A => {
      next.set(array);
      return next;
    };
    this.#child = longer(this.#child, new Uint32Array(length));
    this.#numerator = longer(this.#numerator, new Float64Array(length));
    this.#scale = longer(this.#scale, new Uint8Array(length));
    this.#fixed = longer(this.#fixed, new Float64Array(length));
    this.#isPhantom = longer(this.#isPhantom, new Uint8Array(length));
  }
}
