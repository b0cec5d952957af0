/**
 * Finds the links of a batch that would close a cycle. Strongly connected components say in linear time
 * where cycles can be at all; only links inside one are then tried one by one, in payload order.
 */

export interface GraphLink {
  parent: string;
  child: string;
}

export interface NewLink extends GraphLink {
  /** Place in the payload of the first element that asks for it. */
  order: number;
}

/**
 * The links of `added` that close a cycle with `existing` (which has none) and with the added ones that come
 * before them in the payload. Linear in the links, but for those inside a component with a cycle.
 */
export function findCycleLinks<L extends NewLink>(
  existing: readonly GraphLink[],
  added: readonly L[],
): Set<L> {
  const refused = new Set<L>();
  const graph = new Graph();
  for (const link of existing) graph.add(link.parent, link.child);
  for (const link of added) graph.add(link.parent, link.child);
  const component = graph.components();
  const inside = (link: GraphLink) => component(link.parent) === component(link.child);
  const suspects = added.filter(inside).sort((a, b) => a.order - b.order);
  if (suspects.length === 0) return refused;

  const children = new Map<string, string[]>();
  const accept = ({ parent, child }: GraphLink) => {
    const known = children.get(parent);
    if (known === undefined) children.set(parent, [child]);
    else known.push(child);
  };
  for (const link of existing) if (inside(link)) accept(link);
  for (const link of suspects) {
    if (reaches(children, link.child, link.parent)) refused.add(link);
    else accept(link);
  }
  return refused;
}

function reaches(children: ReadonlyMap<string, readonly string[]>, from: string, to: string): boolean {
  const seen = new Set([from]);
  const open = [from];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    if (at === to) return true;
    for (const next of children.get(at) ?? []) {
      if (seen.has(next)) continue;
      seen.add(next);
      open.push(next);
    }
  }
  return false;
}

/** Nodes as integers and edges as linked lists in arrays: a million links take some tens of megabytes. */
class Graph {
  readonly #ids = new Map<string, number>();
  readonly #first: number[] = [];
  readonly #next: number[] = [];
  readonly #target: number[] = [];

  add(parent: string, child: string): void {
    const from = this.#idOf(parent);
    const to = this.#idOf(child);
    this.#target.push(to);
    this.#next.push(this.#first[from] as number);
    this.#first[from] = this.#target.length - 1;
  }

  #idOf(node: string): number {
    let id = this.#ids.get(node);
    if (id === undefined) {
      id = this.#first.length;
      this.#ids.set(node, id);
      this.#first.push(-1);
    }
    return id;
  }

  /** Tarjan's strongly connected components, without recursion: a chain of a million parts is no deeper here. */
  components(): (node: string) => number {
    const count = this.#first.length;
    const entered = new Int32Array(count);
    const low = new Int32Array(count);
    const component = new Int32Array(count).fill(-1);
    const edge = Int32Array.from(this.#first);
    const path = new Int32Array(count);
    const stack = new Int32Array(count);
    let clock = 0;
    let stacked = 0;
    let found = 0;
    for (let root = 0; root < count; root++) {
      if (entered[root] !== 0) continue;
      let depth = 0;
      path[0] = root;
      entered[root] = low[root] = ++clock;
      stack[stacked++] = root;
      while (depth >= 0) {
        const node = path[depth] as number;
        const at = edge[node] as number;
        if (at !== -1) {
          edge[node] = this.#next[at] as number;
          const to = this.#target[at] as number;
          if (entered[to] === 0) {
            entered[to] = low[to] = ++clock;
            stack[stacked++] = to;
            path[++depth] = to;
          } else if (component[to] === -1) {
            low[node] = Math.min(low[node] as number, entered[to] as number);
          }
          continue;
        }
        if (low[node] === entered[node]) {
          let member: number;
          do {
            member = stack[--stacked] as number;
            component[member] = found;
          } while (member !== node);
          found++;
        }
        depth--;
        if (depth >= 0) {
          const parent = path[depth] as number;
          low[parent] = Math.min(low[parent] as number, low[node] as number);
        }
      }
    }
    return (node) => component[this.#ids.get(node) as number] as number;
  }
}
