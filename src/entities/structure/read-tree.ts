/** The items of a planned tree in pre-order, a portion at a time: memory does not grow with the tree. */
import type { Tx } from '../../db/transaction.ts';
import { type Exact, exactOfDecimal, exactText, one, timesInFull } from '../../quantity.ts';
import type { Slices } from '../../slices.ts';
import { revisionLabel } from '../revision-label.ts';
import { type PackedLink, type TreePlan, unpackLinks } from './plan-tree.ts';
import { selectTreeEntities } from './tree.sql.ts';

const PORTION_ITEMS = 1000;

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
}

interface TreeEntity {
  id: string;
  number: string | null;
  name: string;
  category: string;
  state: string;
  revision_number: number;
  has_children: boolean;
}

/** Portions of items, each serialised. `read` runs a transaction: none is open between two portions. */
export async function* readTree(
  read: (work: (tx: Tx) => Promise<TreeEntity[]>) => Promise<TreeEntity[]>,
  plan: TreePlan,
  slices: Slices,
): AsyncGenerator<string[]> {
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
  yield { level: 0, path: '0', id: rootId, parentId: null, quantity: 1, extended: one };
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
    yield { level, path, id: link.childId, parentId: at.id, quantity: Number(link.quantity), extended };
    const below = linksAt(link.childId, level);
    if (below !== '') open.push({ id: link.childId, path, extended, links: unpackLinks(below), next: 0 });
  }
}

/** In several pieces where they take long: a product of many levels has many digits. */
async function* describe(
  read: (work: (tx: Tx) => Promise<TreeEntity[]>) => Promise<TreeEntity[]>,
  { depth, links }: TreePlan,
  portion: readonly Occurrence[],
  slices: Slices,
): AsyncGenerator<string[]> {
  const ids = [...new Set(portion.map(({ id }) => id))];
  const rows = await read((tx) => tx.query<TreeEntity>(selectTreeEntities, [tx.workspaceId, ids]));
  const entities = new Map(rows.map((row) => [row.id, row]));
  let texts: string[] = [];
  for (const { level, path, id, parentId, quantity, extended } of portion) {
    if (slices.areDue) {
      await slices.next();
      if (texts.length > 0) yield texts;
      texts = [];
    }
    const entity = entities.get(id);
    if (entity === undefined) throw new Error(`A link names entity ${id}, which does not exist`);
    const { number, name, category, state } = entity;
    const revision = revisionLabel(entity.revision_number);
    const known = level < depth ? links.get(id) : undefined;
    const hasChildren = known === undefined ? entity.has_children : known !== '';
    const named = { entityId: id, parentId, number, name, category, state, revision };
    const item = { level, path, ...named, quantity, hasChildren };
    // A product may have more digits than a double: it goes into the text as it is.
    texts.push(`${JSON.stringify(item).slice(0, -1)},"extendedQuantity":${exactText(extended)}}`);
  }
  yield texts;
}
