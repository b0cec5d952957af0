/** The needs of links in whole millionths, each rounded up. */
import type { NeedArithmetic } from '../../entities/explosion/explode.ts';
import { MICRO_DOUBLE_MAX, type MicroDouble } from '../../quantity.ts';
import type { PlanLinks } from './planning-input.ts';

/** A need that is certainly out of range. */
const BEYOND = MICRO_DOUBLE_MAX + 1;

export class MicroNeeds implements NeedArithmetic<MicroDouble> {
  readonly #links: PlanLinks;

  constructor(links: PlanLinks) {
    this.#links = links;
  }

  needOf(link: number, quantity: MicroDouble): MicroDouble {
    return Math.min(BEYOND, timesLink(this.#links, link, quantity) + (this.#links.fixed[link] as number));
  }

  add(a: MicroDouble, b: MicroDouble): MicroDouble {
    return Math.min(BEYOND, a + b);
  }
}

/** Returns the product, rounded up to whole millionths; `BEYOND` if it is out of range. */
function timesLink({ numerator, scale, wideNumerators }: PlanLinks, link: number, quantity: number): number {
  const factor = numerator[link] as number;
  const places = scale[link] as number;
  const product = quantity * factor;
  if (product <= Number.MAX_SAFE_INTEGER && !wideNumerators.has(link)) {
    const divisor = 10 ** places;
    const rest = product % divisor;
    return Math.min(BEYOND, (product - rest) / divisor + (rest > 0 ? 1 : 0));
  }
  const divisor = 10n ** BigInt(places);
  const exact = BigInt(quantity) * (wideNumerators.get(link) ?? BigInt(factor));
  const needed = (exact + divisor - 1n) / divisor;
  return needed > BigInt(MICRO_DOUBLE_MAX) ? BEYOND : Number(needed);
}
