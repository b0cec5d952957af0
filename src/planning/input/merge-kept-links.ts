/** Puts the links of earlier revisions in the place of the current links of their parents. */
import type { PackedLinks } from './packed-links.ts';

/** An item whose structure is planned in an earlier revision. */
export interface KeptRevision {
  readonly id: string;
  readonly revision: number;
}

const PARENTS_AT_ONCE = 200;

/**
 * Links come in the order of their parents, and `kept` in that of its ids. `read` returns the links of some of them in the order of their
 * parents. What is returned is in the order of parents, too.
 */
export async function* mergeKeptLinks(
  current: AsyncIterable<PackedLinks[]>,
  kept: readonly KeptRevision[],
  read: (some: readonly KeptRevision[]) => Promise<PackedLinks[]>,
): AsyncGenerator<PackedLinks[]> {
  const replaced = new Set(kept.map(({ id }) => id));
  let at = 0;
  const nextUpTo = (last: string | null) => {
    const some = kept.slice(at, at + PARENTS_AT_ONCE).filter(({ id }) => last === null || id <= last);
    at += some.length;
    return some;
  };
  for await (const window of current) {
    const last = window.at(-1)?.parent_id;
    let rest = window.filter(({ parent_id: id }) => !replaced.has(id));
    for (let some = last === undefined ? [] : nextUpTo(last); some.length > 0; some = nextUpTo(last ?? '')) {
      const end = some.at(-1)?.id ?? '';
      const before = rest.filter(({ parent_id: id }) => id < end);
      rest = rest.slice(before.length);
      const links = await read(some);
      yield [...before, ...links].sort((a, b) =>
        a.parent_id < b.parent_id ? -1 : a.parent_id > b.parent_id ? 1 : 0,
      );
    }
    yield rest;
  }
  for (let some = nextUpTo(null); some.length > 0; some = nextUpTo(null)) yield read(some);
}
