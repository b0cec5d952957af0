/**
 * A graph without cycles that grows link by link and refuses the link that would close one, by the incremental
 * topological order of Pearce and Kelly ("A dynamic topological sort algorithm for directed acyclic graphs",
 * 2006). A link that goes forward in the order costs nothing; one that goes back costs a search among the nodes
 * that lie between its ends in the order, which are then put right.
 */

/** Links between nodes 0 … nodes - 1, as parallel lists of parents and children. */
export interface GraphLinks {
  parents: ArrayLike<number>;
  children: ArrayLike<number>;
}

/** The nodes on a circle, each once: those at its beginning, how many more, and those before it closes. */
export interface Circle {
  first: number[];
  omitted: number;
  last: number[];
}

/** Counts the nodes and links that are looked at: what a search costs, whatever the machine. */
export interface Work {
  steps: number;
}

export class AcyclicGraph {
  /** The place of each node in the order, and the node at each place: parents stand before their children. */
  readonly #place: Int32Array;
  readonly #nodeAt: Int32Array;
  readonly #down: Adjacency;
  readonly #up: Adjacency;
  /** The number of the last search that met each node. */
  readonly #met: Int32Array;
  readonly #below: Int32Array;
  readonly #above: Int32Array;
  readonly #work: Work;
  #search = 0;
  /** The position at which the last search downwards met the parent. */
  #metParentAt = -1;

  /** `order` has every node once, and parents before children as far as it can: the better, the less is to be done. */
  constructor(order: Int32Array, linksMax: number, work: Work) {
    this.#nodeAt = order;
    this.#place = new Int32Array(order.length);
    for (let place = 0; place < order.length; place++) this.#place[order[place] as number] = place;
    this.#down = new Adjacency(order.length, linksMax);
    this.#up = new Adjacency(order.length, linksMax);
    this.#met = new Int32Array(order.length);
    this.#below = new Int32Array(order.length);
    this.#above = new Int32Array(order.length);
    this.#work = work;
  }

  /** Adds the link; false, and nothing added, where it would close a cycle. */
  add(parent: number, child: number): boolean {
    const last = this.#place[parent] as number;
    const first = this.#place[child] as number;
    this.#work.steps++;
    if (last === first) return false;
    if (last > first) {
      const below = this.#reachDown(child, parent, last);
      if (this.#metParentAt !== -1) return false;
      const above = this.#reachUp(parent, first);
      this.#putBefore(this.#above.subarray(0, above), this.#below.subarray(0, below));
    }
    this.#down.add(parent, child);
    this.#up.add(child, parent);
    return true;
  }

  /**
   * The circle that the link which was refused last would close: its parent, the child, and the shortest way on. At most `named` nodes
   * at either end. As many steps as the way has, none of which the search that refused the link did not take.
   */
  circleOf(parent: number, child: number, named: number): Circle {
    const first = [parent];
    const last: number[] = [];
    if (parent === child) return { first, omitted: 0, last };
    const via = this.#above;
    let between = 0;
    for (let at = via[this.#metParentAt] as number; at !== 0; at = via[at] as number) between++;
    // Of parent, child and what lies between, in this order, those at its ends.
    const members = 2 + between;
    this.#work.steps += members;
    const isLong = members > 2 * named;
    if (named > 1 || !isLong) first.push(child);
    const ways: number[] = [];
    let left = between;
    for (let at = via[this.#metParentAt] as number; at !== 0; at = via[at] as number) {
      const position = 1 + left--;
      if (!isLong || position < named || position >= members - named)
        ways.push(this.#nodeAt[this.#below[at] as number] as number);
    }
    for (const node of ways.reverse()) (first.length < named ? first : last).push(node);
    return { first, omitted: isLong ? members - 2 * named : 0, last };
  }

  /**
   * Collects the places of the child and of what it leads to up to the place `last`; says how many. Ends where it meets the parent. Beside
   * each in `#above`, which holds nothing then, by which of them it was met.
   */
  #reachDown(child: number, parent: number, last: number): number {
    const search = ++this.#search;
    const [into, via, links] = [this.#below, this.#above, this.#down];
    this.#met[child] = search;
    this.#metParentAt = -1;
    into[0] = child;
    let found = 1;
    for (let next = 0; next < found; next++) {
      const node = into[next] as number;
      into[next] = this.#place[node] as number;
      for (let link = links.firstOf(node); link !== -1; link = links.after(link)) {
        this.#work.steps++;
        const to = links.targetOf(link);
        if (this.#met[to] === search || (this.#place[to] as number) > last) continue;
        this.#met[to] = search;
        via[found] = next;
        if (to === parent) {
          this.#metParentAt = found;
          return found;
        }
        into[found++] = to;
      }
    }
    return found;
  }

  /** Collects the places of the parent and of what leads to it, down from the place `first`; says how many. */
  #reachUp(parent: number, first: number): number {
    const search = ++this.#search;
    const [into, links] = [this.#above, this.#up];
    this.#met[parent] = search;
    into[0] = parent;
    let found = 1;
    for (let next = 0; next < found; next++) {
      const node = into[next] as number;
      into[next] = this.#place[node] as number;
      for (let link = links.firstOf(node); link !== -1; link = links.after(link)) {
        this.#work.steps++;
        const to = links.targetOf(link);
        if (this.#met[to] === search || (this.#place[to] as number) < first) continue;
        this.#met[to] = search;
        into[found++] = to;
      }
    }
    return found;
  }

  /** Gives the nodes at these places the same places anew: first those above, then those below. */
  #putBefore(above: Int32Array, below: Int32Array): void {
    above.sort();
    below.sort();
    const places = new Int32Array(above.length + below.length);
    places.set(above);
    places.set(below, above.length);
    const nodes = places.map((place) => this.#nodeAt[place] as number);
    places.sort();
    this.#work.steps += places.length;
    for (let i = 0; i < places.length; i++) {
      this.#place[nodes[i] as number] = places[i] as number;
      this.#nodeAt[places[i] as number] = nodes[i] as number;
    }
  }
}

/**
 * The nodes in an order in which every link goes forward, where the links have no cycle; where they have, all but
 * some of those on one. Nodes are taken up from the end of `wanted`, and where the links leave it open the order is
 * that of `wanted`. Depth first, without recursion.
 */
export function forwardOrder(wanted: Int32Array, all: readonly GraphLinks[], work: Work): Int32Array {
  const nodes = wanted.length;
  const links = adjacencyOf(nodes, all);
  const open = Int32Array.from({ length: nodes }, (_, node) => links.firstOf(node));
  const met = new Uint8Array(nodes);
  const path = new Int32Array(nodes);
  const order = new Int32Array(nodes);
  let left = nodes;
  for (let root = nodes - 1; root >= 0; root--) {
    let depth = 0;
    path[0] = wanted[root] as number;
    if (met[path[0] as number] !== 0) continue;
    met[path[0] as number] = 1;
    while (depth >= 0) {
      work.steps++;
      const node = path[depth] as number;
      const link = open[node] as number;
      if (link === -1) {
        order[--left] = node;
        depth--;
        continue;
      }
      open[node] = links.after(link);
      const to = links.targetOf(link);
      if (met[to] !== 0) continue;
      met[to] = 1;
      path[++depth] = to;
    }
  }
  return order;
}

/** Returns the links by node, in the order in which they are given. */
export function adjacencyOf(nodes: number, all: readonly GraphLinks[]): Adjacency {
  const count = all.reduce((sum, { parents }) => sum + parents.length, 0);
  const links = new Adjacency(nodes, count);
  // The latest first: each node's links are then met in the order in which they are given.
  for (const { parents, children } of [...all].reverse())
    for (let link = parents.length - 1; link >= 0; link--)
      links.add(parents[link] as number, children[link] as number);
  return links;
}

/** Links by node: lists in arrays, the last added first. */
class Adjacency {
  readonly #first: Int32Array;
  readonly #target: Int32Array;
  readonly #next: Int32Array;
  #count = 0;

  constructor(nodes: number, linksMax: number) {
    this.#first = new Int32Array(nodes).fill(-1);
    this.#target = new Int32Array(linksMax);
    this.#next = new Int32Array(linksMax);
  }

  add(from: number, to: number): void {
    this.#target[this.#count] = to;
    this.#next[this.#count] = this.#first[from] as number;
    this.#first[from] = this.#count++;
  }

  /** A link of the node; -1 for none. */
  firstOf(node: number): number {
    return this.#first[node] as number;
  }

  after(link: number): number {
    return this.#next[link] as number;
  }

  targetOf(link: number): number {
    return this.#target[link] as number;
  }
}
