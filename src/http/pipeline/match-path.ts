/**
 * Finds the route of a path by its segments. Express tries the pattern of every route in turn, which for the hundred
 * there are costs more than most calls have to do.
 */

interface Node<Found> {
  literals: Map<string, Node<Found>>;
  parameter: Node<Found> | null;
  found: { names: readonly string[]; value: Found } | null;
}

export interface PathMatch<Found> {
  value: Found;
  /** Decoded, by name. */
  params: Record<string, string>;
}

/** Matches paths against `{name}` patterns; of two matching patterns the one with the literal segment wins. */
export class PathMatcher<Found> {
  readonly #root: Node<Found> = emptyNode();

  add(pattern: string, value: Found): void {
    const names: string[] = [];
    let node = this.#root;
    for (const segment of segmentsOf(pattern)) {
      const name = /^\{(\w+)\}$/.exec(segment)?.[1];
      if (name !== undefined) {
        names.push(name);
        node.parameter ??= emptyNode();
        node = node.parameter;
        continue;
      }
      const next = node.literals.get(segment) ?? emptyNode();
      node.literals.set(segment, next);
      node = next;
    }
    if (node.found !== null) throw new Error(`${pattern} is there twice`);
    node.found = { names, value };
  }

  /** Returns null if no pattern matches. Throws a `URIError` if a parameter is not UTF-8 in percent-encoding. */
  match(path: string): PathMatch<Found> | null {
    const given: string[] = [];
    const found = find(this.#root, segmentsOf(path), 0, given);
    if (found === null) return null;
    const params: Record<string, string> = Object.create(null);
    for (const [index, name] of found.names.entries())
      params[name] = decodeURIComponent(given[index] as string);
    return { value: found.value, params };
  }
}

function find<Found>(
  node: Node<Found>,
  segments: readonly string[],
  at: number,
  given: string[],
): Node<Found>['found'] {
  const segment = segments[at];
  if (segment === undefined) return node.found;
  const literal = node.literals.get(segment);
  const found = literal === undefined ? null : find(literal, segments, at + 1, given);
  if (found !== null || node.parameter === null || segment === '') return found;
  given.push(segment);
  const behind = find(node.parameter, segments, at + 1, given);
  if (behind === null) given.pop();
  return behind;
}

/** More segments than any pattern has are one too many, however many they are. */
const SEGMENTS_MAX = 32;

function segmentsOf(path: string): string[] {
  return path.split('/', SEGMENTS_MAX);
}

function emptyNode<Found>(): Node<Found> {
  return { literals: new Map(), parameter: null, found: null };
}
