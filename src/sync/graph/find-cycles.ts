/**
 * Finds the links of a batch that would close a cycle. Strongly connected components say in linear time
 * where cycles can be at all; only links inside one are then tried one by one, in payload order.
 */
import {
  AcyclicGraph,
  adjacencyOf,
  type Circle,
  forwardOrder,
  type GraphLinks,
  type Work,
} from './acyclic-graph.ts';
import { IntList } from './int-list.ts';

/** Takes the circles that refused links would close, as far as they are to be named: of so many links, and so much of each. */
export interface CirclesWanted {
  links: number;
  /** Nodes at either end of a long one. */
  named: number;
  take: (link: number, circle: Circle) => void;
}

/**
 * Places in `added` of the links that close a cycle with `existing` (which has none) and with the added ones
 * that come before them by `order`, the place in the payload. Linear in the links outside components with a
 * cycle; inside one, a link costs more only where it runs against the order of the others. `work` counts.
 */
export function findCycleLinks(
  nodes: number,
  existing: GraphLinks,
  added: GraphLinks & { order: ArrayLike<number> },
  { work = { steps: 0 }, circles }: { work?: Work; circles?: CirclesWanted } = {},
): Int32Array {
  const component = componentsOf(nodes, [existing, added]);
  const inside = ({ parents, children }: GraphLinks, link: number) =>
    component[parents[link] as number] === component[children[link] as number];
  const placesInside = (links: GraphLinks) => {
    const places = new IntList();
    for (let link = 0; link < links.parents.length; link++) if (inside(links, link)) places.push(link);
    return places.values;
  };
  const suspects = placesInside(added);
  const refused = new IntList();
  if (suspects.length === 0) return refused.values;
  suspects.sort((a, b) => (added.order[a] as number) - (added.order[b] as number));

  const certain = linksAt(existing, placesInside(existing));
  const tried = linksAt(added, suspects);
  const graph = new AcyclicGraph(
    startingOrder(nodes, certain, tried, work),
    certain.parents.length + tried.parents.length,
    work,
  );
  for (let link = 0; link < certain.parents.length; link++)
    graph.add(certain.parents[link] as number, certain.children[link] as number);
  for (const [place, link] of suspects.entries()) {
    const [parent, child] = [tried.parents[place] as number, tried.children[place] as number];
    if (graph.add(parent, child)) continue;
    if (circles !== undefined && refused.length < circles.links)
      circles.take(link, graph.circleOf(parent, child, circles.named));
    refused.push(link);
  }
  return refused.values;
}

/**
 * An order that no existing link runs against, and of the added ones few that will be accepted: that of a search
 * over all links, which begins where the payload does, and then of one over the existing alone.
 */
function startingOrder(nodes: number, existing: GraphLinks, added: GraphLinks, work: Work): Int32Array {
  const wanted = new Int32Array(nodes);
  const taken = new Uint8Array(nodes);
  let left = nodes;
  const take = (node: number) => {
    if (taken[node] !== 0) return;
    taken[node] = 1;
    wanted[--left] = node;
  };
  for (let link = 0; link < added.parents.length; link++) take(added.parents[link] as number);
  for (let node = 0; node < nodes; node++) take(node);
  return forwardOrder(forwardOrder(wanted, [existing, added], work), [existing], work);
}

function linksAt({ parents, children }: GraphLinks, places: Int32Array): GraphLinks {
  return {
    parents: places.map((link) => parents[link] as number),
    children: places.map((link) => children[link] as number),
  };
}

/** Tarjan's strongly connected components, without recursion: a chain of a million parts is no deeper here. */
function componentsOf(nodes: number, all: readonly GraphLinks[]): Int32Array {
  const links = adjacencyOf(nodes, all);
  /** The next link of each node that is to be followed; -1 for none. */
  const edge = Int32Array.from({ length: nodes }, (_, node) => links.firstOf(node));
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
        edge[node] = links.after(at);
        const to = links.targetOf(at);
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
