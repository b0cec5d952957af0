/** Adds the needs of components of what is made. A phantom passes its need on to its own components. */
import { MICRO_DOUBLE_MAX } from '../../quantity.ts';
import type { PlanLinks } from './planning-input.ts';
import { WaitingPhantoms } from './waiting-phantoms.ts';

/** Takes the needs that arise by links. */
export interface NeedTaker {
  add(item: number, day: number, quantity: number, link: number): void;
}

/** A need that is certainly out of range. */
const BEYOND = MICRO_DOUBLE_MAX + 1;

/** Each need is rounded up to a whole millionth. `place` orders items so that a phantom comes after all that need it. */
export function explode(
  links: PlanLinks,
  place: Uint32Array,
  rows: NeedTaker,
  made: { item: number; day: number; quantity: number },
): void {
  let phantoms: WaitingPhantoms | null = null;
  const addComponents = (parent: number, quantity: number) => {
    const last = links.from[parent + 1] as number;
    for (let link = links.from[parent] as number; link < last; link++) {
      const need = Math.min(BEYOND, timesLink(links, link, quantity) + (links.fixed[link] as number));
      const child = links.child[link] as number;
      // An item of a cycle has no place, and passes nothing on: the needs of a phantom would go round for ever.
      if (links.isPhantom[link] === 0 || place[child] === 0) rows.add(child, made.day, need, link);
      else {
        phantoms ??= new WaitingPhantoms(place);
        phantoms.add(child, need, BEYOND);
      }
    }
  };
  addComponents(made.item, made.quantity);
  const takePhantom = () => phantoms?.take() ?? null;
  for (let next = takePhantom(); next !== null; next = takePhantom()) addComponents(...next);
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
