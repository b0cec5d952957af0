/** Adds the needs of components of what is made. A phantom passes its need on to its own components. */
import { MICRO_DOUBLE_MAX } from '../../quantity.ts';
import type { PlanLinks } from './planning-input.ts';

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
  let phantoms: Map<number, number> | null = null;
  const addComponents = (parent: number, quantity: number) => {
    const last = links.from[parent + 1] as number;
    for (let link = links.from[parent] as number; link < last; link++) {
      const need = Math.min(BEYOND, timesLink(links, link, quantity) + (links.fixed[link] as number));
      const child = links.child[link] as number;
      if (links.isPhantom[link] === 0) rows.add(child, made.day, need, link);
      else {
        phantoms ??= new Map();
        phantoms.set(child, Math.min(BEYOND, (phantoms.get(child) ?? 0) + need));
      }
    }
  };
  addComponents(made.item, made.quantity);
  for (let next = firstOf(phantoms, place); next !== null; next = firstOf(phantoms, place)) {
    const [item, quantity] = next;
    (phantoms as Map<number, number> | null)?.delete(item);
    addComponents(item, quantity);
  }
}

function firstOf(phantoms: ReadonlyMap<number, number> | null, place: Uint32Array): [number, number] | null {
  let first: [number, number] | null = null;
  for (const one of phantoms ?? [])
    if (first === null || (place[one[0]] as number) < (place[first[0]] as number)) first = one;
  return first;
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
