/**
 * Finds the links of a batch that would close a cycle. Strongly connected components say in linear time
 * where cycles can be at all; only links inside one are then tried one by one, in payload order.
 */

/** Links between nodes 0 … nodes - 1, as parallel lists of parents and children. */
export interface GraphLinks {
  parents: ArrayLike<number>;
  children: ArrayLike<number>;
}

/**
 * Places in `added` of the links that close a cycle with `existing` (which has none) and with the added ones
 * that come before them by `order`, the place in the payload. Linear in the links, but for those inside a
 * component with a cycle.
 */
export function findCycleLinks(
  nodes: number,
  existing: GraphLinks,
  added: GraphLinks & { order: ArrayLike<number> },
): Set<number> {
  const component = componentsOf(nodes, [existing, added]);
  const inside = ({ parents, children }: GraphLinks, link: number) =>
    component[parents[link] as number] === component[children[link] as number];
  const suspects: number[] = [];
  for (let link = 0; link < added.parents.length; link++) if (inside(added, link)) suspects.push(link);
  const refused = new Set<number>();
  if (suspects.length === 0) return refused;
  suspects.sort((a, b) => (added.order[a] as number) - (added.order[b] as number));

  const childrenOf = new Map<number, number[]>();
  const accept = ({ parents, children }: GraphLinks, link: number) => {
    const known = childrenOf.get(parents[link] as number);
    if (known === undefined) childrenOf.set(parents[link] as number, [children[link] as number]);
    else known.push(children[link] as number);
  };
  for (let link = 0; link < existing.parents.length; link++)
    if (inside(existing, link)) accept(existing, link);
  for (const link of suspects) {
    if (reaches(childrenOf, added.children[link] as number, added.parents[link] as number)) refused.add(link);
    else accept(added, link);
  }
  return refused;
}

function reaches(childrenOf: ReadonlyMap<number, readonly number[]>, from: number, to: number): boolean {
  const seen = new Set([from]);
  const open = [from];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    if (at === to) return true;
    for (const next of childrenOf.get(at) ?? []) {
      if (seen.has(next)) continue;
      seen.add(next);
      open.push(next);
    }
  }
  return false;
}

/** Tarjan's strongly connected components, without recursion: a chain of a million parts is no deeper here. */
function componentsOf(nodes: number, all: readonly GraphLinks[]): Int32Array {
  const count = all.reduce((sum, links) => sum + links.parents.length, 0);
  // Edges as linked lists in arrays: by node the first, by edge its target and the next.
  const edge = new Int32Array(nodes).fill(-1);
  const target = new Int32Array(count);
  const next = new Int32Array(count);
  let filled = 0;
  for (const { parents, children } of all) {
    for (let link = 0; link < parents.length; link++) {
      target[filled] = children[link] as number;
      next[filled] = edge[parents[link] as number] as number;
      edge[parents[link] as number] = filled++;
    }
  }
  const entered = new Int32Array(nodes);
  const low = new Int32Array(nodes);
  const component = new Int32Array(nodes).fill(-1);
  const path = new Int32Array(nodes);
  const stack = new Int32Array(nodes);
  let clock = 0;
  let stacked = 0;
  let found = 0;
  for (let root = 0; root < nodes; root++) {
    if (entered[root] !== 0) continue;
    let depth = 0;
    path[0] = root;
    entered[root] = low[root] = ++clock;
    stack[stacked++] = root;
    while (depth >= 0) {
      const node = path[depth] as number;
      const at = edge[node] as number;
      if (at !== -1) {
        edge[node] = next[at] as number;
        const to = target[at] as number;
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
  return component;
}
