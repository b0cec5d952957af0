/** Puts links into columns, by parent. */
import { idAt } from '../../db/wire/binary-rows.ts';
import { exactOfNumber, withLoss } from '../../entities/explosion/losses.ts';
import { type LinkLine, linesOf } from '../../entities/links/link-line.ts';
import { decimalOf, type Exact, exactOfDecimal, type MicroDouble } from '../../quantity.ts';
import type { PlanLinks } from '../netting/planning-input.ts';
import { ID_BYTES, type PackedLinks } from './packed-links.ts';
import type { ReadItems } from './read-items.ts';
import type { SubstituteLists } from './substitute-lists.ts';
import { TooLargeError } from './too-large.ts';

const MICROS = 1_000_000;

/** Parents come in the order of their ids, which is that of `index`. A project is a component of nothing: what is below it is its own. */
export async function readLinks(
  portions: AsyncIterable<PackedLinks[]>,
  { index, category }: Pick<ReadItems, 'index' | 'category'>,
  { linksMax, lists }: { linksMax: number; lists: SubstituteLists },
): Promise<PlanLinks> {
  const columns = new LinkColumns(category.length);
  for await (const some of portions) {
    for (const { parent_id: id, count, bytes, view, idsFrom, quantities, first, lines } of some) {
      const parent = index.ofText(id);
      if (parent < 0) continue;
      for (let at = 0; at < count; at++) {
        const micros = quantities[first + at] as number;
        const from = idsFrom + at * ID_BYTES;
        const child = index.at(view, from);
        if (child < 0 || category[child] === 0) continue;
        const line = lines === null ? undefined : lines[idAt(bytes, from)];
        if (line === undefined) columns.addPlain(parent, child, micros);
        else addLines(columns, lists, { parent, child, micros }, line);
      }
    }
    if (columns.count > linksMax) throw new TooLargeError(`The workspace has more than ${linksMax} links.`);
  }
  return columns.links();
}

/** A phantom without components is a component itself. */
export function dropPhantomsWithoutComponents(
  { child, isPhantom }: PlanLinks,
  hasComponents: Uint8Array,
): void {
  for (let link = isPhantom.indexOf(1); link >= 0; link = isPhantom.indexOf(1, link + 1))
    if (hasComponents[child[link] as number] === 0) isPhantom[link] = 0;
}

function addLines(
  columns: LinkColumns,
  lists: SubstituteLists,
  { parent, child, micros }: { parent: number; child: number; micros: MicroDouble },
  line: LinkLine,
): void {
  const quantity = decimalOf(micros);
  for (const one of linesOf({ quantity, line })) {
    const own = line.lines === undefined ? exactOfDecimal(quantity) : exactOfNumber(one.quantity);
    lists.addLink(columns.count, one.substitutes);
    columns.add(parent, child, withLoss(own, exactOfNumber(one.lossPercent)), one);
  }
}

/** Columns that grow. */
class LinkColumns {
  count = 0;
  readonly #from: Uint32Array;
  #child = new Uint32Array(1024);
  #numerator = new Float64Array(1024);
  #scale = new Uint8Array(1024);
  #hasFixed = false;
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
    const numerator = Number(digits);
    const at = this.#push(parent, child, numerator, scale);
    if (numerator > Number.MAX_SAFE_INTEGER) this.#wideNumerators.set(at, digits);
    if (lossFixed !== undefined) {
      this.#fixed[at] = Math.round(lossFixed * 1e6);
      this.#hasFixed = true;
    }
    if (phantom === true) this.#isPhantom[at] = 1;
  }

  /** Adds a link that has nothing but its quantity, without zeros at the end of its fraction. */
  addPlain(parent: number, child: number, micros: MicroDouble): void {
    const whole = micros / MICROS;
    let [numerator, scale] = Number.isInteger(whole) ? [whole, 0] : [micros, 6];
    while (scale > 0 && numerator % 10 === 0) {
      numerator /= 10;
      scale--;
    }
    this.#push(parent, child, numerator, scale);
  }

  #push(parent: number, child: number, numerator: number, scale: number): number {
    const at = this.count++;
    if (at === this.#child.length) this.#grow();
    this.#child[at] = child;
    this.#numerator[at] = numerator;
    this.#scale[at] = scale;
    this.#from[parent + 1] = (this.#from[parent + 1] as number) + 1;
    return at;
  }

  links(): PlanLinks {
    const from = this.#from;
    for (let item = 1; item < from.length; item++)
      from[item] = (from[item] as number) + (from[item - 1] as number);
    return {
      from,
      child: this.#child.subarray(0, this.count),
      numerator: this.#numerator.subarray(0, this.count),
      scale: this.#scale.subarray(0, this.count),
      wideNumerators: this.#wideNumerators,
      fixed: this.#fixed.subarray(0, this.count),
      isPhantom: this.#isPhantom.subarray(0, this.count),
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
    // Memory of zeros that nobody has touched costs nothing.
    this.#fixed = this.#hasFixed ? longer(this.#fixed, new Float64Array(length)) : new Float64Array(length);
    this.#isPhantom = longer(this.#isPhantom, new Uint8Array(length));
  }
}
