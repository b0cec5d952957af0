/** A structure whose needs are decimals of any length, and adding up what it needs. */
import { AppError } from '../../errors.ts';
import type { Slices } from '../../fairness/slices.ts';
import { add, type Exact, isBeyondAmounts, times, zero } from '../../quantity.ts';
import { Explosion, type LinkGraph, type NeedArithmetic, type Structure } from './explode.ts';

/** Links that are followed between two looks at the clock. */
const LINKS_AT_ONCE = 500;
/** The components of a phantom are needed anew for each assembly that has it: at most so many times as many links are followed as there are. */
const FOLLOWED_PER_LINK = 10;
/** Number of links that are followed in any case: a few assemblies that share a phantom with many components are a usual structure. */
const FOLLOWED_ALWAYS = 1_000_000;

export interface ExactLinks extends LinkGraph {
  /** The quantity of each link, with its loss in percent. */
  readonly factor: readonly Exact[];
  /** The fixed loss of each link that has one. */
  readonly fixed: readonly (Exact | undefined)[];
}

export class ExactNeeds implements NeedArithmetic<Exact> {
  readonly #links: ExactLinks;

  constructor(links: ExactLinks) {
    this.#links = links;
  }

  needOf(link: number, quantity: Exact): Exact {
    const { factor, fixed } = this.#links;
    const need = times(quantity, factor[link] as Exact);
    const lost = fixed[link];
    return lost === undefined ? need : add(need, lost);
  }

  add(a: Exact, b: Exact): Exact {
    return add(a, b);
  }
}

/** The first node is what all others lie below. An entity that is a phantom of some parents has a node of its own for these. */
export interface ExactStructure extends Structure<Exact> {
  readonly links: ExactLinks;
  /** The entity of each node. */
  readonly ids: readonly string[];
  /** 1 for each node that stands for a phantom. */
  readonly isPhantom: Uint8Array;
  /** The nodes, each after all that lead to it. */
  readonly order: Uint32Array;
}

export interface NeedVisitor {
  /** Is called for every node after all that lead to it, with what is needed of it; what it returns is made, and its components are needed for it. */
  visit(node: number, need: Exact): Exact;
  /** Is told what of a phantom is passed on, for each of its assemblies. */
  pass?(phantom: number, need: Exact): void;
}

/** Throws `quantity_out_of_range` where a need is beyond what can be added up, and `tree_too_large` where phantoms multiply the links. */
export async function explodeAll(
  structure: ExactStructure,
  begin: Exact,
  slices: Slices,
  visitor: NeedVisitor,
): Promise<void> {
  const { ids, isPhantom, order, links } = structure;
  const needs: Exact[] = new Array(ids.length).fill(zero);
  needs[0] = begin;
  const taker = {
    add: (node: number, _day: number, need: Exact) => {
      needs[node] = within(add(needs[node] as Exact, need), node);
    },
    pass: (node: number, need: Exact) => visitor.pass?.(node, within(need, node)),
  };
  let room = Math.max(FOLLOWED_ALWAYS, FOLLOWED_PER_LINK * links.child.length);
  for (const item of order) {
    if (slices.areDue) await slices.next();
    if (isPhantom[item] === 1) continue;
    const quantity = visitor.visit(item, needs[item] as Exact);
    if (quantity.digits === 0n) continue;
    const explosion = new Explosion(structure, taker, { item, day: 0, quantity });
    for (let followed = LINKS_AT_ONCE; followed === LINKS_AT_ONCE; ) {
      if (slices.areDue) await slices.next();
      followed = explosion.next(LINKS_AT_ONCE);
      room -= followed;
      if (room < 0) throw tooManyPhantoms(ids[item] as string);
    }
  }

  function within(need: Exact, node: number): Exact {
    if (!isBeyondAmounts(need)) return need;
    throw new AppError(
      'quantity_out_of_range',
      `The quantities on the ways to ${ids[node]} multiply to more than 24 digits. Correct those that are too large.`,
    );
  }
}

function tooManyPhantoms(id: string): AppError {
  return new AppError(
    'tree_too_large',
    `Assemblies share so many phantoms that more than ${FOLLOWED_ALWAYS} links, and more than ${FOLLOWED_PER_LINK} times those of the structure, would be followed. ${id} is the first that is too much.`,
  );
}
