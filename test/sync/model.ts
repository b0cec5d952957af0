/** The rules of sync as plainly as they can be written, in memory: what the service is compared with. */

export interface ModelElement {
  guid: string;
  number: string;
  name: string;
  categoryKey: string;
  parentGuid: string | null;
  quantity: number;
  properties: Record<string, string>;
  /** False: an assembly without children, which no element can say by naming it. */
  hasChildren?: boolean;
}

export interface ModelEntity {
  number: string;
  name: string;
  category: string;
  released: boolean;
  revision: number;
  properties: Record<string, string>;
}

interface Link {
  parent: string;
  child: string;
  quantity: number;
  indexes: number[];
}

export class Model {
  readonly entities = new Map<string, ModelEntity>();
  /** `parent child` → quantity; a parent that is not there waits. */
  readonly links = new Map<string, number>();

  readonly #categories: ReadonlySet<string>;

  constructor(categories: readonly string[]) {
    this.#categories = new Set(categories);
  }

  release(guid: string): void {
    const entity = this.entities.get(guid);
    if (entity !== undefined) entity.released = true;
  }

  /** An entity made by hand. */
  create(guid: string, entity: Pick<ModelEntity, 'number' | 'name' | 'category'>): number {
    if (this.entities.has(guid)) return 409;
    this.entities.set(guid, { ...entity, released: false, revision: 1, properties: {} });
    return 201;
  }

  /** A link made or changed by hand. */
  use(parent: string, child: string, quantity: number): number {
    if (!this.entities.has(parent) || !this.entities.has(child)) return 404;
    const key = `${parent} ${child}`;
    const stored = this.links.get(key);
    if (stored === quantity) return 200;
    const there = [...this.links.keys()]
      .map((link) => link.split(' ') as [string, string])
      .filter(([from]) => this.entities.has(from));
    if (stored === undefined && leadsTo(there, child, parent)) return 409;
    if (this.entities.get(parent)?.released) this.#revise(parent);
    this.links.set(key, quantity);
    return stored === undefined ? 201 : 200;
  }

  /** A link taken out by hand. */
  unuse(parent: string, child: string): number {
    const known = this.entities.has(parent) && this.entities.has(child);
    if (!known || !this.links.has(`${parent} ${child}`)) return 404;
    if (this.entities.get(parent)?.released) this.#revise(parent);
    this.links.delete(`${parent} ${child}`);
    return 204;
  }

  /** Applies a batch and returns `result` or `error:code` for each element. */
  apply(elements: readonly ModelElement[], exact = false): string[] {
    const results = new Map<number, string>();
    const groups = new Map<string, number[]>();
    for (const [index, element] of elements.entries()) {
      if (!this.#categories.has(element.categoryKey)) results.set(index, 'error:category_not_found');
      else if (element.parentGuid === element.guid) results.set(index, 'error:cycle');
      else groups.set(element.guid, [...(groups.get(element.guid) ?? []), index]);
    }
    const wanted = this.#sumLinks(elements, groups);
    const removed = exact ? this.#unnamed(elements, groups) : new Set<string>();
    for (const link of this.#closingCycles(wanted, groups, removed)) {
      wanted.splice(wanted.indexOf(link), 1);
      for (const index of link.indexes) {
        results.set(index, 'error:cycle');
        const left = (groups.get(link.child) ?? []).filter((one) => one !== index);
        if (left.length > 0) groups.set(link.child, left);
        else groups.delete(link.child);
      }
    }
    const surviving = wanted.filter((link) => groups.has(link.child));
    const changed = surviving.filter(
      (link) => this.links.get(`${link.parent} ${link.child}`) !== link.quantity,
    );
    const emptied = new Set([...removed].map((link) => link.split(' ')[0] as string));
    const restructured = new Set([...changed.map((link) => link.parent), ...emptied]);
    for (const guid of restructured) {
      if (!groups.has(guid) && this.entities.get(guid)?.released) this.#revise(guid);
    }
    for (const [guid, indexes] of groups) {
      const [carrier, ...others] = indexes as [number, ...number[]];
      const relinked =
        emptied.has(guid) || changed.some((link) => link.child === guid && link.indexes[0] === carrier);
      results.set(carrier, this.#write(elements[carrier] as ModelElement, relinked, restructured.has(guid)));
      for (const other of others) results.set(other, 'skipped');
    }
    for (const link of removed) this.links.delete(link);
    for (const link of changed) this.links.set(`${link.parent} ${link.child}`, link.quantity);
    return elements.map((_, index) => results.get(index) as string);
  }

  /**
   * The links of parents that stand there with their children, or say that they have none, which no element names: also those that wait
   * for a parent which does not come to be, since its elements are refused for a cycle.
   */
  #unnamed(elements: readonly ModelElement[], groups: ReadonlyMap<string, number[]>): Set<string> {
    const named = new Set<string>();
    const whole = new Set<string>();
    for (const [index, { guid, parentGuid, hasChildren }] of elements.entries()) {
      if (parentGuid !== null && parentGuid !== guid) {
        named.add(`${parentGuid} ${guid}`);
        if (groups.has(parentGuid)) whole.add(parentGuid);
      }
      if (hasChildren === false && groups.get(guid)?.includes(index)) whole.add(guid);
    }
    const links = [...this.links.keys()];
    return new Set(links.filter((link) => whole.has(link.slice(0, 36)) && !named.has(link)));
  }

  #sumLinks(elements: readonly ModelElement[], groups: ReadonlyMap<string, number[]>): Link[] {
    const links: Link[] = [];
    for (const [child, indexes] of groups) {
      for (const index of indexes) {
        const { parentGuid: parent, quantity } = elements[index] as ModelElement;
        if (parent === null) continue;
        const known = links.find((link) => link.parent === parent && link.child === child);
        if (known === undefined) links.push({ parent, child, quantity, indexes: [index] });
        else {
          known.quantity += quantity;
          known.indexes.push(index);
        }
      }
    }
    return links.sort((a, b) => (a.indexes[0] as number) - (b.indexes[0] as number));
  }

  /** In payload order: a link is refused when its child already leads to its parent. */
  #closingCycles(
    wanted: readonly Link[],
    groups: ReadonlyMap<string, number[]>,
    removed: ReadonlySet<string>,
  ): Link[] {
    const exists = (guid: string) => this.entities.has(guid) || groups.has(guid);
    const edges = [...this.links.keys()]
      .filter((link) => !removed.has(link))
      .map((key) => key.split(' ') as [string, string])
      .filter(([parent]) => exists(parent));
    const refused: Link[] = [];
    for (const link of wanted) {
      if (!exists(link.parent)) continue;
      if (leadsTo(edges, link.child, link.parent)) refused.push(link);
      else edges.push([link.parent, link.child]);
    }
    return refused;
  }

  #write(element: ModelElement, relinked: boolean, restructured: boolean): string {
    const entity = this.entities.get(element.guid);
    if (entity === undefined) {
      const { number, name, categoryKey: category, properties } = element;
      this.entities.set(element.guid, {
        number,
        name,
        category,
        released: false,
        revision: 1,
        properties: { ...properties },
      });
      return 'created';
    }
    const properties = { ...entity.properties, ...element.properties };
    const differs =
      entity.name !== element.name ||
      JSON.stringify(sorted(properties)) !== JSON.stringify(sorted(entity.properties));
    const revised = entity.released && (differs || restructured);
    if (revised) this.#revise(element.guid);
    entity.name = element.name;
    entity.properties = properties;
    return differs || revised || relinked ? 'updated' : 'skipped';
  }

  #revise(guid: string): void {
    const entity = this.entities.get(guid) as ModelEntity;
    entity.revision++;
    entity.released = false;
  }
}

/** Whether the links lead from the one down to the other; everything leads to itself. */
export function leadsTo(links: readonly (readonly [string, string])[], from: string, to: string): boolean {
  const reached = new Set([from]);
  for (let grown = true; grown; ) {
    grown = false;
    for (const [parent, child] of links) {
      if (reached.has(parent) && !reached.has(child)) {
        reached.add(child);
        grown = true;
      }
    }
  }
  return reached.has(to);
}

function sorted(record: Record<string, string>): [string, string][] {
  return Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1));
}
