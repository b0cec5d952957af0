/** The items of a planned tree in pre-order, a portion at a time: memory does not grow with the tree. */

import type { Slices } from '../../fairness/slices.ts';
import { type Exact, exactOfDecimal, exactText, one, timesInFull } from '../../quantity.ts';
import { type LinkLine, showLine } from '../link-line.ts';
import { type PackedLink, unpackLinks } from './packed-links.ts';
import type { TreePlan } from './plan-tree.ts';
import { type NamedEntity, type Read, readNamed } from './read-named.ts';
import { selectLines, selectTreeEntities } from './tree.sql.ts';

const PORTION_ITEMS = 1000;
/** Links whose lines are read at once, and their bytes: one with many lines may have a megabyte. */
const LINES_AT_ONCE = 200;
const LINES_BYTES = 4 * 1024 * 1024;

/** A place in the tree whose children are being gone through. */
interface Open {
  id: string;
  path: string;
  extended: Exact;
  links: Iterator<PackedLink>;
  next: number;
}

interface Occurrence {
  level: number;
  path: string;
  id: string;
  parentId: string | null;
  quantity: number;
  extended: Exact;
  hasLine: boolean;
}

interface TreeEntity extends NamedEntity {
  has_children: boolean;
}

interface TreeLine {
  /** The place of its link among those asked for, from 1. */
  place: number;
  line: LinkLine | null;
  is_left: boolean;
}

/** Portions of items, each serialised. */
export async function* readTree(read: Read, plan: TreePlan, slices: Slices): AsyncGenerator<string[]> {
  let portion: Occurrence[] = [];
  for (const occurrence of occurrencesOf(plan)) {
    if (slices.areDue) await slices.next();
    portion.push(occurrence);
    if (portion.length < PORTION_ITEMS) continue;
    yield* describe(read, plan, portion, slices);
    portion = [];
  }
  if (portion.length > 0) yield* describe(read, plan, portion, slices);
}

function* occurrencesOf(plan: TreePlan): Generator<Occurrence> {
  const { rootId, depth, links } = plan;
  const linksAt = (id: string, level: number) => (level < depth ? (links.get(id) ?? '') : '');
  yield { level: 0, path: '0', id: rootId, parentId: null, quantity: 1, extended: one, hasLine: false };
  const open: Open[] = [
    { id: rootId, path: '', extended: one, links: unpackLinks(linksAt(rootId, 0)), next: 0 },
  ];
  for (let at = open.at(-1); at !== undefined; at = open.at(-1)) {
    const { value: link, done } = at.links.next();
    if (done === true) {
      open.pop();
      continue;
    }
    at.next++;
    const level = open.length;
    const path = at.path === '' ? String(at.next) : `${at.path}.${at.next}`;
    const extended = timesInFull(at.extended, exactOfDecimal(link.quantity));
    const { id: childId, hasLine } = link;
    yield { level, path, id: childId, parentId: at.id, quantity: Number(link.quantity), extended, hasLine };
    const below = linksAt(childId, level);
    if (below !== '') open.push({ id: childId, path, extended, links: unpackLinks(below), next: 0 });
  }
}

/** In several pieces where they take long: a product of many levels has many digits. */
async function* describe(
  read: Read,
  { depth, links }: TreePlan,
  portion: readonly Occurrence[],
  slices: Slices,
): AsyncGenerator<string[]> {
  const entityOf = await readNamed<TreeEntity>(
    read,
    selectTreeEntities,
    portion.map(({ id }) => id),
  );
  let texts: string[] = [];
  let lines: ReadonlyMap<Occurrence, LinkLine | null> = new Map();
  let linesTo = 0;
  for (const [place, occurrence] of portion.entries()) {
    const { level, path, id, parentId, quantity, extended, hasLine } = occurrence;
    if (hasLine && place >= linesTo) {
      const asked = portion.slice(place, place + LINES_AT_ONCE);
      const found = await linesOf(read, asked);
      lines = found.lines;
      linesTo = place + found.count;
    }
    if (slices.areDue) {
      await slices.next();
      if (texts.length > 0) yield texts;
      texts = [];
    }
    const { entity, shown } = entityOf(id);
    const known = level < depth ? links.get(id) : undefined;
    const hasChildren = known === undefined ? entity.has_children : known !== '';
    const line = showLine(hasLine ? lines.get(occurrence) : null);
    const item = { level, path, entityId: id, parentId, ...shown, quantity, ...line, hasChildren };
    // A product may have more digits than a double: it goes into the text as it is.
    texts.push(`${JSON.stringify(item).slice(0, -1)},"extendedQuantity":${exactText(extended)}}`);
  }
  yield texts;
}

/** Returns the lines of the first so many of the links, as many as fit. A link may have been removed since the tree was planned. */
async function linesOf(
  read: Read,
  asked: readonly Occurrence[],
): Promise<{ lines: ReadonlyMap<Occurrence, LinkLine | null>; count: number }> {
  const wanted = asked.filter(({ hasLine }) => hasLine);
  const parents = wanted.map(({ parentId }) => parentId);
  const children = wanted.map(({ id }) => id);
  const rows = await read((tx) =>
    tx.query<TreeLine>(selectLines, [tx.workspaceId, parents, children, LINES_BYTES]),
  );
  const linkAt = ({ place }: TreeLine) => wanted[place - 1] as Occurrence;
  const left = rows.find(({ is_left }) => is_left);
  const lines = new Map(rows.map((row) => [linkAt(row), row.line]));
  return { lines, count: left === undefined ? asked.length : asked.indexOf(linkAt(left)) };
}
