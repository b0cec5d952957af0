/** The items of a planned tree in pre-order, a portion at a time: memory does not grow with the tree. */
import type { Tx } from '../db/transaction.ts';
import { type Exact, exactText, one, timesDecimal } from './exact-product.ts';
import { type PackedLink, type TreePlan, unpackLinks } from './plan-tree.ts';
import { selectTreeEntities } from './tree.sql.ts';

const PORTION_ITEMS = 1000;

/** A place in the tree whose children are being gone through. */
interface Open {
  id: string;
  path: string;
  extended: Exact;
  links: PackedLink[];
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
  has_children: boolean;
}

/** Portions of items, each serialised. `read` runs a transaction: none is open between two portions. */
export async function* readTree(
  read: (work: (tx: Tx) => Promise<TreeEntity[]>) => Promise<TreeEntity[]>,
  plan: TreePlan,
): AsyncGenerator<string[]> {
  let portion: Occurrence[] = [];
  for (const occurrence of occurrencesOf(plan)) {
    portion.push(occurrence);
    if (portion.length < PORTION_ITEMS) continue;
    yield await describe(read, plan, portion);
    portion = [];
  }
  if (portion.length > 0) yield await describe(read, plan, portion);
}

function* occurrencesOf(plan: TreePlan): Generator<Occurrence> {
  const { rootId, depth, links } = plan;
  const linksAt = (id: string, level: number) => (level < depth ? unpackLinks(links.get(id) ?? '') : []);
  yield { level: 0, path: '0', id: rootId, parentId: null, quantity: 1, extended: one };
  const open: Open[] = [{ id: rootId, path: '', extended: one, links: linksAt(rootId, 0), next: 0 }];
  for (let at = open.at(-1); at !== undefined; at = open.at(-1)) {
    const link = at.links[at.next++];
    if (link === undefined) {
      open.pop();
      continue;
    }
    const level = open.length;
    const path = at.path === '' ? String(at.next) : `${at.path}.${at.next}`;
    const extended = timesDecimal(at.extended, link.quantity);
    yield { level, path, id: link.childId, parentId: at.id, quantity: Number(link.quantity), extended };
    const below = linksAt(link.childId, level);
    if (below.length > 0) open.push({ id: link.childId, path, extended, links: below, next: 0 });
  }
}

async function describe(
  read: (work: (tx: Tx) => Promise<TreeEntity[]>) => Promise<TreeEntity[]>,
  { depth, links }: TreePlan,
  portion: readonly Occurrence[],
): Promise<string[]> {
  const ids = [...new Set(portion.map(({ id }) => id))];
  const rows = await read((tx) => tx.query<TreeEntity>(selectTreeEntities, [tx.workspaceId, ids]));
  const entities = new Map(rows.map((row) => [row.id, row]));
  return portion.map(({ level, path, id, parentId, quantity, extended }) => {
    const entity = entities.get(id);
    if (entity === undefined) throw new Error(`A link names entity ${id}, which does not exist`);
    const { number, name, category } = entity;
    const known = level < depth ? links.get(id) : undefined;
    const hasChildren = known === undefined ? entity.has_children : known !== '';
    const item = { level, path, entityId: id, parentId, number, name, category, quantity, hasChildren };
    // A product may have more digits than a double: it goes into the text as it is.
    return `${JSON.stringify(item).slice(0, -1)},"extendedQuantity":${exactText(extended)}}`;
  });
}
