/** Circles of files that import each other, types included. */
import { importsOf, type Sources } from './scan-sources.ts';

export type Graph = ReadonlyMap<string, ReadonlySet<string>>;

/** Which file imports which, by value or for a type. */
export function filesOf(sources: Sources): Graph {
  const graph = new Map<string, Set<string>>();
  for (const [from, text] of sources) {
    const files = importsOf(from, text).map((one) => one.file);
    graph.set(from, new Set(files.filter((file) => file !== null && sources.has(file)) as string[]));
  }
  return graph;
}

/** One circle through each node that has one and is in none that was found before, as `a → b → a`. */
export function circlesIn(graph: Graph): string[] {
  const done = new Set<string>();
  const circles: string[] = [];
  const walk = (node: string, way: readonly string[]): void => {
    if (way.includes(node)) circles.push([...way.slice(way.indexOf(node)), node].join(' → '));
    if (done.has(node) || way.includes(node)) return;
    for (const next of graph.get(node) ?? []) walk(next, [...way, node]);
    done.add(node);
  };
  for (const node of graph.keys()) walk(node, []);
  return circles;
}
