/** The items of a planned tree in pre-order, a portion at a time: memory does not grow with the tree. */

import type { Slices } from '../../fairness/slices.ts';
import { type Exact, exactOfDecimal, exactText, one, timesInFull } from '../../quantity.ts';
import { type LinkLine, showLine } from '../links/link-line.ts';
import { selectConfiguredEntities, selectConfiguredLines } from './configured-tree.sql.ts';
import { type PackedLink, partsOfNode, unpackLinks } from './packed-links.ts';
import type { TreePlan } from './plan-tree.ts';
import { type NamedEntity, type Read, readNamed, showNamed } from './read-named.ts';
import { selectLines, selectTreeEntities } from './tree.sql.ts';

const PORTION_ITEMS = 1000;
/** Links whose lines are read at once, and their bytes: one with many lines may have a megabyte. */
const LINES_AT_ONCE = 200;
const LINES_BYTES = 4 * 1024 * 1024;

/** A place in the tree whose children are being read. */
interface Open {
  node: string;
  path: string;
  extended: Exact;
  links: Iterator<PackedLink>;
  next: number;
}

interface Occurrence {
  level: number;
  path: string;
  node: string;
  /** The node of the parent. */
  parent: string | null;
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
  const { root, depth, links } = plan;
  const linksAt = (node: string, level: number) => (level < depth ? (links.get(node) ?? '') : '');
  yield { level: 0, path: '0', node: root, parent: null, quantity: 1, extended: one, hasLine: false };
  const open: Open[] = [
    { node: root, path: '', extended: one, links: unpackLinks(linksAt(root, 0)), next: 0 },
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
    const { node, hasLine } = link;
    yield { level, path, node, parent: at.node, quantity: Number(link.quantity), extended, hasLine };
    const below = linksAt(node, level);
    if (below !== '') open.push({ node, path, extended, links: unpackLinks(below), next: 0 });
  }
}

/** In several pieces where they take long: a product of many levels has many digits. */
async function* describe(
  read: Read,
  plan: TreePlan,
  portion: readonly Occurrence[],
  slices: Slices,
): AsyncGenerator<string[]> {
  const { depth, links } = plan;
  const entityAt = await entitiesOf(read, plan, portion);
  let texts: string[] = [];
  let lines: ReadonlyMap<Occurrence, LinkLine | null> = new Map();
  let linesTo = 0;
  for (const [place, occurrence] of portion.entries()) {
    const { level, path, node, parent, quantity, extended, hasLine } = occurrence;
    if (hasLine && place >= linesTo) {
      const asked = portion.slice(place, place + LINES_AT_ONCE);
      const found = await linesOf(read, plan, asked);
      lines = found.lines;
      linesTo = place + found.count;
    }
    if (slices.areDue) {
      await slices.next();
      if (texts.length > 0) yield texts;
      texts = [];
    }
    const { entity, shown } = entityAt(place);
    const known = level < depth ? links.get(node) : undefined;
    const hasChildren = known === undefined ? entity.has_children : known !== '';
    const line = showLine(hasLine ? lines.get(occurrence) : null);
    const parentId = parent === null ? null : partsOfNode(parent).id;
    const item = { level, path, entityId: entity.id, parentId, ...shown, quantity, ...line, hasChildren };
    // A product may have more digits than a double: it goes into the text as it is.
    texts.push(`${JSON.stringify(item).slice(0, -1)},"extendedQuantity":${exactText(extended)}}`);
  }
  yield texts;
}

/** Returns the fields of the occurrence at a place of the portion. */
async function entitiesOf(
  read: Read,
  { configuration }: TreePlan,
  portion: readonly Occurrence[],
): Promise<(place: number) => { entity: TreeEntity; shown: object }> {
  const nodes = portion.map(({ node }) => partsOfNode(node));
  const ids = nodes.map(({ id }) => id);
  if (configuration === 'current') {
    const entityOf = await readNamed<TreeEntity>(read, selectTreeEntities, ids);
    return (place) => entityOf(ids[place] as string);
  }
  const parents = portion.map(({ parent }) => (parent === null ? null : partsOfNode(parent)));
  const revisions = nodes.map(({ revision }) => revision);
  const parentIds = parents.map((parent) => parent?.id ?? null);
  const parentRevisions = parents.map((parent) => parent?.revision ?? null);
  const rows = await read((tx) =>
    tx.query<TreeEntity>(selectConfiguredEntities, [
      tx.workspaceId,
      ids,
      revisions,
      parentIds,
      parentRevisions,
      configuration,
    ]),
  );
  return (place) => {
    const entity = rows[place];
    if (entity === undefined) throw new Error(`The tree names entity ${ids[place]}, which does not exist`);
    const revisionSource = nodes[place]?.source ?? configuration;
    return {
      entity,
      shown: { ...showNamed(entity), revisionNumber: entity.revision_number, revisionSource },
    };
  };
}

/** Returns the lines of the first so many of the links, as many as fit. A link may have been removed since the tree was planned. */
async function linesOf(
  read: Read,
  { configuration }: TreePlan,
  asked: readonly Occurrence[],
): Promise<{ lines: ReadonlyMap<Occurrence, LinkLine | null>; count: number }> {
  const wanted = asked.filter(({ hasLine }) => hasLine);
  const parents = wanted.map(({ parent }) => partsOfNode(parent as string));
  const parentIds = parents.map(({ id }) => id);
  const children = wanted.map(({ node }) => partsOfNode(node).id);
  const isCurrent = configuration === 'current';
  const more = isCurrent ? [] : [parents.map(({ revision }) => revision)];
  const rows = await read((tx) =>
    tx.query<TreeLine>(isCurrent ? selectLines : selectConfiguredLines, [
      tx.workspaceId,
      parentIds,
      children,
      LINES_BYTES,
      ...more,
    ]),
  );
  const linkAt = ({ place }: TreeLine) => wanted[place - 1] as Occurrence;
  const left = rows.find(({ is_left }) => is_left);
  const lines = new Map(rows.map((row) => [linkAt(row), row.line]));
  return { lines, count: left === undefined ? asked.length : asked.indexOf(linkAt(left)) };
}
