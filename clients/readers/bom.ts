/**
 * What a reader finds in a file: parts by key, and how many of one are in another. A key is what tells parts apart in
 * the file (a number, as a rule); the GUID follows from it.
 */
import { FileFault, type Findings, type Place } from './findings.ts';

export interface Part {
  key: string;
  /** Empty where the file has none: one is made of the namespace and the key. */
  guid: string;
  number: string;
  name: string;
  /** Empty where the definition's default applies. */
  category: string;
  /** Further values of the file: by its own names, or by property keys where a definition maps them. */
  properties: Record<string, string>;
  place: Place;
}

/** A substitute by its key or GUID; `ratio` of it replace one of the part. */
export interface NamedSubstitute {
  key: string;
  ratio: number;
}

/** The fields of a line that builds use. */
export interface BuildFields {
  substitutes?: NamedSubstitute[];
  lossPercent?: number;
  lossFixed?: number;
  phantom?: boolean;
}

/** A child in its parent, as one line of a bill of materials describes it. */
export interface Use {
  parent: string;
  child: string;
  quantity: number;
  findNumber: string;
  referenceDesignators: string[];
  unit: string;
  note: string;
  place: Place;
}

const PARTS_MAX = 2_000_000;

/** Parts and uses of one file. Uses of one pair add up, except those with distinct find numbers: these are lines of their own. */
export class Bom {
  readonly parts = new Map<string, Part>();
  /** Uses by parent, and by child and line. */
  readonly uses = new Map<string, Map<string, Use>>();
  readonly #keysByGuid = new Map<string, string>();

  /** Two different records with one key are a fault: one of them would be lost. What one of them leaves out is no difference. */
  addPart(part: Part): void {
    const known = this.parts.get(part.key);
    if (part.guid !== '') {
      const guid = part.guid.toLowerCase();
      const other = this.#keysByGuid.get(guid);
      if (other !== undefined && other !== part.key) {
        const message = `"${part.key}" and "${other}" have the same GUID, ${part.guid}.`;
        throw new FileFault('guid_conflict', message, part.place);
      }
      this.#keysByGuid.set(guid, part.key);
    }
    if (known === undefined) {
      if (this.parts.size >= PARTS_MAX) {
        throw new FileFault('too_many_parts', `A file may have ${PARTS_MAX} parts.`, part.place);
      }
      this.parts.set(part.key, part);
      return;
    }
    const differing = differenceOf(known, part);
    if (differing !== null) throw conflictOf(part, known, differing);
    known.guid ||= part.guid;
    known.name ||= part.name;
    known.category ||= part.category;
    known.properties = { ...part.properties, ...known.properties };
  }

  addUse(use: Use): void {
    let children = this.uses.get(use.parent);
    if (children === undefined) {
      children = new Map();
      this.uses.set(use.parent, children);
    }
    const first = children.get(use.child);
    const key = isOfLine(first, use) ? use.child : `${use.child}\u0000${use.findNumber}`;
    const known = children.get(key);
    if (known === undefined) {
      children.set(key, use);
      return;
    }
    known.findNumber ||= use.findNumber;
    if (known.unit !== use.unit) {
      const message = `"${use.child}" is in "${use.parent}" with different units, "${known.unit || 'none'}" and "${use.unit || 'none'}": they cannot be added.`;
      throw new FileFault('units_differ', message, use.place);
    }
    known.quantity = sum(known.quantity, use.quantity);
    known.referenceDesignators.push(...use.referenceDesignators);
  }

  /** Whether the children of an assembly that stands in the file again are the same ones. */
  hasSameUses(parent: string, uses: readonly Use[]): boolean {
    const known = sumsOf(this.uses.get(parent)?.values() ?? []);
    const again = sumsOf(uses);
    return (
      known.size === again.size && [...again].every(([child, quantity]) => known.get(child) === quantity)
    );
  }

  get links(): Use[] {
    return [...this.uses.values()].flatMap((children) => [...children.values()]);
  }
}

/** Whether a use belongs to the first line of its child: a use without a find number always does. */
function isOfLine(first: Use | undefined, { findNumber }: Use): boolean {
  return first === undefined || !first.findNumber || !findNumber || first.findNumber === findNumber;
}

/** Quantities by child. */
function sumsOf(uses: Iterable<Use>): Map<string, number> {
  const sums = new Map<string, number>();
  for (const { child, quantity } of uses) sums.set(child, sum(sums.get(child) ?? 0, quantity));
  return sums;
}

/** Without the dust of binary fractions. */
export function sum(a: number, b: number): number {
  return Number((a + b).toFixed(6));
}

function differenceOf(one: Part, other: Part): string | null {
  const differ = (a: string | undefined, b: string | undefined) => a && b && a !== b;
  if (differ(one.guid.toLowerCase(), other.guid.toLowerCase())) return 'GUID';
  if (differ(one.number, other.number)) return 'number';
  if (differ(one.name, other.name)) return 'name';
  if (differ(one.category, other.category)) return 'category';
  return (
    Object.keys(other.properties).find((key) =>
      differ(Object.hasOwn(one.properties, key) ? one.properties[key] : undefined, other.properties[key]),
    ) ?? null
  );
}

export function conflictOf(part: Part, known: Part, differing: string): FileFault {
  return new FileFault(
    'key_conflict',
    `"${part.key}" stands in the file twice and differs in ${differing}: here and at ${describePlace(known.place)}.`,
    part.place,
  );
}

export function describePlace({ sheet, line, cell, statement }: Place): string {
  const parts = [sheet, line === undefined ? undefined : `line ${line}`, cell, statement];
  return parts.filter((part) => part !== undefined).join(', ') || 'an earlier place';
}

/** The order in which parents come before their children, and a fault where an assembly contains itself. */
export function orderedKeys(bom: Bom, findings: Findings): string[] {
  const state = new Map<string, 'open' | 'done'>();
  const order: string[] = [];
  const children = new Set(bom.links.map(({ child }) => child));
  const roots = [...bom.parts.keys()].filter((key) => !children.has(key));
  for (const start of [...roots, ...bom.parts.keys()]) {
    if (state.has(start)) continue;
    const stack: { key: string; next: Iterator<Use> }[] = [];
    const open = (key: string) => {
      state.set(key, 'open');
      stack.push({ key, next: (bom.uses.get(key) ?? new Map<string, Use>()).values() });
    };
    open(start);
    while (stack.length > 0) {
      const top = stack.at(-1) as (typeof stack)[number];
      const { done, value: use } = top.next.next();
      if (done === true) {
        state.set(top.key, 'done');
        order.push(top.key);
        stack.pop();
        continue;
      }
      const seen = state.get(use.child);
      if (seen === undefined) open(use.child);
      else if (seen === 'open') {
        findings.add('error', 'cycle', use.place, `"${use.child}" contains itself, by "${use.parent}".`);
      }
    }
  }
  return order.reverse();
}
