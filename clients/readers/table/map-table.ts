/**
 * Turns lines of a table into elements of a sync, one at a time. Of a line it keeps the key, marks of the values, and the
 * quantity in its parent. The children of an assembly are those of its first occurrence; a later one must agree.
 */
import { type BuildFields, describePlace, sum, type Use } from '../bom.ts';
import type { ImportDefinition } from '../definition/import-definition.schema.ts';
import { expandNumbered } from '../definition/numbered.ts';
import {
  categoryOf,
  type Element,
  guidMaker,
  lineOf,
  noteCase,
  type OnMadeGuid,
  SAME_BUT_CASE_MAX,
  sendableQuantity,
} from '../element.ts';
import { FileFault, type Findings, type Place } from '../findings.ts';
import { isGuid } from '../guid.ts';
import { isExactQuantity, roundQuantity } from '../read-decimal.ts';
import { type DepthOf, depthReader } from './line-depth.ts';
import type { LeftOut, Line } from './read-line.ts';
import { markOf, SeenLines } from './seen-lines.ts';

const LINES_MAX = 5_000_000;

/** An assembly: the place of its first occurrence, and the quantity of each child there. */
interface Assembly {
  place: Place;
  children: Map<string, number>;
}

interface Open {
  key: string;
  place: Place;
  /** How many there are in the top assembly. */
  extended: number;
  /** Why it and what is below it are left out; null where they are not. */
  lost: 'by rule' | 'unreadable' | null;
  /** Its children here; null while there are none. */
  children: Map<string, number> | null;
  isFirst: boolean;
}

/** A row that other rows name as their parent. */
interface Row {
  key: string;
  above: Row | null;
  place: Place;
  /** Tells the occurrences of one assembly apart. */
  run: number;
  isLeftOut: boolean;
  pairs: Set<string>;
}

export interface MapperOptions {
  onMadeGuid?: OnMadeGuid | undefined;
  /** GUIDs that the file gives to keys. */
  givenGuids?: Map<string, string>;
  /** Whether the workspace has a part of that key. */
  isKnown?: ((key: string) => boolean) | undefined;
}

export class TableMapper {
  readonly #definition: ImportDefinition;
  /** Properties whose values name other entities. */
  readonly #references: ReadonlySet<string>;
  readonly #findings: Findings;
  /** Keys of lines that have children, where their category depends on it. */
  readonly #assemblies: ReadonlySet<string>;
  readonly #guid: (key: string, given?: string) => string;
  readonly #isKnown: (key: string) => boolean;
  readonly #depthOf: DepthOf;
  readonly #seen: SeenLines;
  /** Properties that are compared where a record stands again. */
  readonly #compared = new Set<string>();
  readonly #known = new Map<string, Assembly>();
  readonly #stack: Open[] = [];
  readonly #rootKey: string | null;
  /** Topmost lines that are in no assembly, with their quantities. */
  readonly #tops: { key: string; place: Place; quantity: number | null }[] = [];
  readonly #parentNames = new Map<string, string>();
  /** Units by parent and child, where there are any. */
  readonly #units = new Map<string, string>();
  readonly #keysByGuid = new Map<string, string>();
  /** Watched columns in which lines with one key were found to differ. */
  readonly #differing = new Set<string>();
  #lines = 0;
  #isBegun = false;
  /** With a parent column: the run of lines of one parent that a pair stood in. */
  #run = 0;
  #runParent = '';
  readonly #pairs = new Map<string, Map<string, { run: number; quantity: number; place: Place }>>();

  /** With a column of rows: all rows so far, by what identifies them. */
  readonly #rows = new Map<string, Row>();

  constructor(
    definition: ImportDefinition,
    findings: Findings,
    assemblies: ReadonlySet<string> = new Set(),
    { onMadeGuid, givenGuids, isKnown = () => false }: MapperOptions = {},
  ) {
    this.#isKnown = isKnown;
    this.#definition = definition;
    this.#references = referencesOf(definition);
    this.#findings = findings;
    this.#assemblies = assemblies;
    this.#guid = guidMaker(definition.namespace, onMadeGuid, givenGuids);
    this.#depthOf = depthReader(definition.structure);
    this.#rootKey = definition.root?.number ?? null;
    const { columns, watch = [] } = definition;
    this.#seen = new SeenLines(FIELDS.length + (columns.identity?.length ?? 0) + watch.length);
  }

  /** Different keys so far. */
  get parts(): number {
    return this.#seen.size;
  }

  /** Keys that have children: for the category of a second reading. */
  get assemblies(): Set<string> {
    const keys = new Set([...this.#known.keys(), ...this.#pairs.keys()]);
    if (this.#rootKey !== null) keys.add(this.#rootKey);
    return keys;
  }

  *take(line: Line): Generator<Element> {
    this.#lines += 1;
    if (this.#lines > LINES_MAX)
      throw new FileFault('too_many_lines', `A file may have ${LINES_MAX} lines.`, line.place);
    yield* this.#begin();
    if (this.#definition.structure === 'parent') yield* this.#byParent(line);
    else yield* this.#byDepth(line);
  }

  *end(): Generator<Element> {
    this.#close(0);
    this.#noteCases();
    const missing = [...this.#pairs.keys()].filter((key) => !this.#seen.has(key) && key !== this.#rootKey);
    for (const key of missing) {
      const [first] = (this.#pairs.get(key) as Map<string, { place: Place }>).values();
      // A part of the workspace is linked to and keeps its name.
      if (this.#isKnown(key)) continue;
      if (this.#definition.missingParents === 'create') {
        const message = `The parent "${key}" has no line of its own: it is created.`;
        this.#findings.add('note', 'parent_created', first?.place ?? {}, message, key);
        yield this.#top(key, this.#parentNames.get(key) ?? key, undefined);
        continue;
      }
      const message = `The parent "${key}" is no line of the file: the link waits for it, or is made where it is known already.`;
      this.#findings.add('warning', 'parent_missing', first?.place ?? {}, message);
    }
    this.#requireSameChildren();
    if (this.#definition.structure === 'parent') this.#refuseCycles();
    this.#noteTops();
  }

  /** The quantity of a topmost line is lost where no assembly is named that it is in. One line of quantity 1 is the assembly itself. */
  #noteTops(): void {
    if (this.#definition.columns.quantity === undefined || this.#definition.structure === 'flat') return;
    if (this.#tops.length < 2 && (this.#tops[0]?.quantity ?? 1) === 1) return;
    for (const { key, place, quantity } of this.#tops) {
      if (quantity === null) continue;
      const message = `"${key}" is in no assembly: its quantity ${quantity} is not sent.`;
      this.#findings.add('note', 'top_quantity', place, message, `${key} × ${quantity}`);
    }
  }

  /** An element without a line: the root, or a parent that is named by its children alone. */
  #top(key: string, name: string, category: string | undefined): Element {
    const { categories } = this.#definition;
    return {
      guid: this.#guid(key),
      number: key,
      name,
      categoryKey: category ?? categories.assembly ?? categories.default,
      parentGuid: null,
      properties: {},
    };
  }

  *#begin(): Generator<Element> {
    if (this.#isBegun) return;
    this.#isBegun = true;
    const { root, structure } = this.#definition;
    if (root === undefined) {
      if (structure === 'flat') {
        this.#findings.add(
          'note',
          'no_root',
          {},
          'No assembly is named that these parts are in: only the parts are sent.',
        );
      }
      return;
    }
    yield this.#top(root.number, root.name ?? root.number, root.category);
    this.#seen.add(root.number, [], {});
  }

  *#byDepth(line: Line): Generator<Element> {
    const depth = this.#depthOf(line.level, line.place, [line.key, line.number, line.name]);
    this.#close(depth);
    const parent = this.#stack.at(-1);
    const lost = parent?.lost ?? null;
    const open: Open = {
      key: line.key,
      place: line.place,
      extended: 1,
      lost,
      children: null,
      isFirst: false,
    };
    this.#stack.push(open);
    if (lost !== null) {
      const message = `"${line.key}" is below a line that ${lost === 'unreadable' ? 'cannot be read' : 'is left out'}.`;
      if (lost === 'unreadable') this.#findings.add('error', 'below_unreadable', line.place, message);
      else this.#findings.add('note', 'below_left_out', line.place, message);
      return;
    }
    const reason = this.#reasonToLeaveOut(line, parent !== undefined || this.#rootKey !== null);
    if (reason !== null) {
      open.lost = reason === 'unreadable' ? 'unreadable' : 'by rule';
      return;
    }
    if (this.#stack.some((above) => above !== open && above.key === line.key)) {
      throw new FileFault('cycle', `"${line.key}" contains itself.`, line.place);
    }
    this.#remember(line);
    const parentKey = parent?.key ?? this.#rootKey;
    const quantity = this.#perParent(line, parent, open);
    if (quantity === null) {
      open.lost = 'unreadable';
      return;
    }
    if (parentKey === null) {
      if (this.#tops.length < TOPS_MAX)
        this.#tops.push({ key: line.key, place: line.place, quantity: line.quantity });
      yield this.#element(line, null, null);
    } else if (parent === undefined || this.#noteChild(parent, line, quantity)) {
      yield* this.#linked(line, parentKey, quantity);
    }
  }

  /** Whether the link is to be sent: only of the first occurrence of an assembly that has children. */
  #noteChild(parent: Open, { key }: Line, quantity: number): boolean {
    if (parent.children === null) {
      parent.children = new Map();
      parent.isFirst = !this.#known.has(parent.key);
      if (parent.isFirst) this.#known.set(parent.key, { place: parent.place, children: parent.children });
    }
    parent.children.set(key, sum(parent.children.get(key) ?? 0, quantity));
    return parent.isFirst;
  }

  /** Ends the lines from that depth on; what stood there again must say the same as the first time. */
  #close(depth: number): void {
    while (this.#stack.length > depth) {
      const { key, place, children, isFirst } = this.#stack.pop() as Open;
      if (children === null || isFirst) continue;
      const first = this.#known.get(key) as Assembly;
      const isSame =
        first.children.size === children.size &&
        [...children].every(([child, quantity]) => first.children.get(child) === quantity);
      if (!isSame) {
        const message = `The assembly "${key}" stands there twice with different children: here and at ${describePlace(first.place)}.`;
        throw new FileFault('assembly_differs', message, place);
      }
      this.#findings.add(
        'note',
        'assembly_repeated',
        place,
        `"${key}" stands here again with the same children.`,
      );
    }
  }

  #perParent(line: Line, parent: Open | undefined, open: Open): number | null {
    // A topmost line without a quantity counts as one.
    const quantity = line.quantity || 1;
    if (this.#definition.quantity === 'perParent') return quantity;
    open.extended = quantity;
    const each = quantity / (parent?.extended ?? 1);
    const rounded = roundQuantity(each);
    if (isExactQuantity(rounded) && Math.abs(rounded * (parent?.extended ?? 1) - quantity) < 1e-6)
      return rounded;
    const message = `${quantity} of "${line.key}" cannot be divided by the ${parent?.extended} of "${parent?.key}".`;
    this.#findings.add('error', 'quantity_indivisible', line.place, message);
    return null;
  }

  *#byParent(given: Line): Generator<Element> {
    const row = this.#addRow(given);
    const above = row?.above ?? null;
    if (above?.isLeftOut === true) {
      const message = `"${given.key}" is below a line that is left out.`;
      this.#findings.add('note', 'below_left_out', given.place, message);
      return;
    }
    const line = above === null ? given : { ...given, parent: above.key };
    if (this.#reasonToLeaveOut(line, line.parent !== '' || this.#rootKey !== null) !== null) return;
    this.#remember(line);
    if (row !== null) row.isLeftOut = false;
    const parent = line.parent === '' ? this.#rootKey : line.parent;
    if (line.parentName !== '') this.#parentNames.set(line.parent, line.parentName);
    if (above !== null) this.#run = above.run;
    else if (row !== null) this.#run = 0;
    else if (parent !== this.#runParent) {
      this.#runParent = parent ?? '';
      this.#run += 1;
    }
    if (parent === null) {
      if (this.#tops.length < TOPS_MAX)
        this.#tops.push({ key: line.key, place: line.place, quantity: line.quantity });
      yield this.#element(line, null, null);
      return;
    }
    if (parent === line.key) throw new FileFault('cycle', `"${line.key}" contains itself.`, line.place);
    above?.pairs.add(pairOf(line));
    if (this.#isRepeated(parent, line)) return;
    yield* this.#linked(line, parent, line.quantity as number);
  }

  /** Notes the row of the line, and finds the row of its parent; null where parents are named by their keys. */
  #addRow({ key, row, parent, place }: Line): Row | null {
    if (this.#definition.columns.row === undefined) return null;
    const above = parent === '' ? null : (this.#rows.get(parent) ?? null);
    if (above === null && parent !== '') {
      const message = `"${parent}" is no row above this line. Sort the file so that each parent stands above its parts, or name parents by their numbers.`;
      throw new FileFault('parent_row_missing', message, place);
    }
    const own: Row = { key, above, place, run: this.#rows.size + 1, isLeftOut: true, pairs: new Set() };
    if (row === '') return own;
    if (this.#rows.has(row))
      throw new FileFault(
        'row_twice',
        `Row "${row}" stands there twice: it is not clear which one is meant.`,
        place,
      );
    this.#rows.set(row, own);
    return own;
  }

  /** Rows of one assembly that have children must have the same ones. */
  #requireSameChildren(): void {
    for (const { key, pairs, place } of this.#rows.values()) {
      if (pairs.size === 0 || pairs.size === this.#pairs.get(key)?.size) continue;
      const message = `The assembly "${key}" stands there twice with different children.`;
      throw new FileFault('assembly_differs', message, place);
    }
  }

  /** A list that was exploded names the children of an assembly again wherever it is used. */
  #isRepeated(parent: string, line: Line): boolean {
    const quantity = line.quantity as number;
    let children = this.#pairs.get(parent);
    if (children === undefined) {
      children = new Map();
      this.#pairs.set(parent, children);
    }
    const pair = pairOf(line);
    const before = children.get(pair);
    if (before === undefined || before.run === this.#run) {
      children.set(pair, {
        run: this.#run,
        quantity: sum(before?.quantity ?? 0, quantity),
        place: line.place,
      });
      return false;
    }
    if (before.quantity !== quantity) {
      const message = `"${line.key}" is in "${parent}" ${quantity} times here and ${before.quantity} times at ${describePlace(before.place)}.`;
      throw new FileFault('assembly_differs', message, line.place);
    }
    const message = `"${line.key}" in "${parent}" stands here again: taken once.`;
    this.#findings.add('note', 'assembly_repeated', line.place, message);
    return true;
  }

  /** Quantities of one line are added, which needs one unit. */
  #requireOneUnit({ key, findNumber, unit, place }: Line, parent: string): void {
    const pair = `${parent}\u0000${key}\u0000${findNumber}`;
    const known = this.#units.get(pair);
    if (known === undefined) {
      if (unit !== '' && this.#units.size < UNITS_MAX) this.#units.set(pair, unit);
    } else if (known !== unit) {
      const message = `"${key}" is in "${parent}" with different units, "${known || 'none'}" and "${unit || 'none'}": they cannot be added.`;
      this.#findings.add('error', 'units_differ', place, message);
    }
  }

  *#linked(line: Line, parent: string, quantity: number): Generator<Element> {
    this.#requireOneUnit(line, parent);
    const use: Use = { ...line, parent, child: line.key, quantity };
    const sendable = sendableQuantity(use, this.#findings);
    if (sendable !== null) yield this.#element(line, parent, sendable);
  }

  #element(line: Line, parent: string | null, quantity: number | null): Element {
    const isAssembly = this.#assemblies.has(line.key);
    return {
      guid: this.#guid(line.key, line.guid),
      number: line.number,
      name: line.name,
      categoryKey: categoryOf(this.#definition, line.textOf, line.category, isAssembly),
      parentGuid: parent === null ? null : this.#guid(parent),
      ...(quantity === null ? {} : { quantity, ...lineOf(line), ...this.#buildOf(line.build) }),
      ...(line.picture === '' ? {} : { picture: line.picture }),
      ...(line.parentLocation === '' ? {} : { parentLocation: this.#named(line.parentLocation) }),
      ...(line.supplierParts === undefined ? {} : { supplierParts: line.supplierParts }),
      properties: this.#referring(line.properties),
    };
  }

  /** The fields that builds use; substitutes become GUIDs as the keys of parts do. */
  #buildOf({
    substitutes,
    ...fields
  }: BuildFields): Omit<BuildFields, 'substitutes'> & Pick<Element, 'substitutes'> {
    if (substitutes === undefined) return fields;
    return {
      ...fields,
      substitutes: substitutes.map(({ key, ratio }, index) => ({
        guid: this.#named(key),
        rank: index + 1,
        ratio,
      })),
    };
  }

  /** The properties, in which keys of other entities become their GUIDs. */
  #referring(properties: Record<string, string>): Record<string, string> {
    if (this.#references.size === 0) return properties;
    return Object.fromEntries(
      Object.entries(properties).map(([key, value]) => [
        key,
        this.#references.has(key) ? this.#named(value.replace(/^guid:/i, '').normalize('NFC')) : value,
      ]),
    );
  }

  /** The GUID of what another line, or the workspace, has under that key; a GUID stays. */
  #named(key: string): string {
    return isGuid(key) ? key.replaceAll(/[{}]/g, '').toLowerCase() : this.#guid(key);
  }

  /** Null where the line is taken; what else is reported here. */
  #reasonToLeaveOut(line: Line, hasParent: boolean): LeftOut['code'] | 'unreadable' | null {
    const { place, text } = line.quantityCell;
    const leftOut = line.leftOut ?? (line.quantity === 0 && hasParent ? QUANTITY_0 : null);
    if (leftOut !== null) {
      const message = `"${line.key}" is left out: ${leftOut.why}.`;
      this.#findings.add('note', leftOut.code, line.place, message, line.referenceDesignators[0] ?? line.key);
      return leftOut.code;
    }
    if (line.isUnreadable || line.isQuantityReported) return 'unreadable';
    // The quantity of a line that is in nothing means nothing: tools leave it empty, or write 0.
    if (!hasParent && (line.quantity === 0 || (line.quantity === null && text.trim() === ''))) return null;
    if (line.quantity === null) {
      const message = text.trim() === '' ? `"${line.key}" has no quantity.` : `"${text}" is no quantity.`;
      this.#findings.add('error', 'quantity_unreadable', place, message);
      return 'unreadable';
    }
    if (line.quantity > 0) return null;
    this.#findings.add(
      'error',
      'quantity_negative',
      line.place,
      `The quantity of "${line.key}" is ${line.quantity}.`,
    );
    return 'unreadable';
  }

  /** Two different records with one key stop the run. A value that one of them leaves out is no difference. */
  #remember(line: Line): void {
    const { identity = [] } = this.#definition.columns;
    this.#requireOwnGuid(line);
    const fields = [
      line.guid.toLowerCase(),
      line.number,
      line.name,
      line.category,
      line.picture,
      line.parentLocation,
      ...line.identity,
    ];
    const watchedFrom = fields.length;
    fields.push(...line.watched);
    // Numbered properties are as many as any line has had so far.
    for (const key of Object.keys(line.properties)) this.#compared.add(key);
    const keys = [...this.#compared];
    this.#seen.widen(fields.length + keys.length);
    const marks = [...fields, ...keys.map((key) => line.properties[key] ?? '')].map(markOf);
    const first = this.#seen.find(line.key);
    if (first === null) {
      this.#seen.add(line.key, marks, line.place);
      if (line.isKnownByName) {
        const message = `"${line.key}" has no number: its name is its key.`;
        this.#findings.add('note', 'name_as_key', line.place, message, line.key);
      }
      return;
    }
    const differs = (mark: number, field: number) =>
      mark !== 0 && first.mark(field) !== 0 && first.mark(field) !== mark;
    const isWatched = (field: number) => field >= watchedFrom && field < fields.length;
    for (const [field, mark] of marks.entries())
      if (isWatched(field) && differs(mark, field))
        this.#noteDiffering(line, field - watchedFrom, first.place);
    const at = marks.findIndex((mark, field) => !isWatched(field) && differs(mark, field));
    if (at === -1) {
      if (line.isKnownByName && this.#definition.structure !== 'parent') {
        const message = `"${line.key}" has no number and stands here again, as at ${describePlace(first.place)}: taken for the same part, and the quantities are added.`;
        this.#findings.add('warning', 'lines_added', line.place, message, line.key);
      }
      return;
    }
    const differing = [...FIELDS, ...identity, ...line.watched.map(() => ''), ...keys][at];
    const way =
      at >= FIELDS.length
        ? ` Where these are different parts, name "${differing}" among the columns of "key" as well.`
        : differing === 'name'
          ? ` Where "${line.key}" is no number but stands in place of one, list it in "placeholders", and name the column of names in "keyElse".`
          : '';
    const message = `"${line.key}" stands there twice and differs in ${differing}: here and at ${describePlace(first.place)}.${way}`;
    throw new FileFault('key_conflict', message, line.place);
  }

  /** Warns once for each column of no known meaning in which lines with one key differ. */
  #noteDiffering({ key, place }: Line, watched: number, first: Place): void {
    const column = this.#definition.watch?.[watched];
    if (column === undefined || this.#differing.has(column)) return;
    this.#differing.add(column);
    const message = `Lines of one part differ in "${column}", such as "${key}" here and at ${describePlace(first)}: they are read as the same part. Where these are different parts, name the column among those of "key".`;
    this.#findings.add('warning', 'lines_differ', place, message, key);
  }

  /** Two keys that differ only in upper and lower case are two parts, and may be a slip. */
  #noteCases(): void {
    for (const { key, other } of this.#seen.sameButCase(SAME_BUT_CASE_MAX)) {
      const place = this.#seen.find(key)?.place ?? {};
      noteCase(this.#findings, key, other, place);
    }
  }

  /** Two parts with one GUID would become one. */
  #requireOwnGuid({ key, guid, place }: Line): void {
    if (guid === '') return;
    const plain = guid.replaceAll(/[{}]/g, '').toLowerCase();
    const other = this.#keysByGuid.get(plain);
    if (other === undefined) this.#keysByGuid.set(plain, key);
    else if (other !== key) {
      throw new FileFault('guid_conflict', `"${key}" and "${other}" have the same GUID, ${guid}.`, place);
    }
  }

  #refuseCycles(): void {
    const state = new Map<string, 'open' | 'done'>();
    for (const start of this.#pairs.keys()) {
      const stack = [{ key: start, next: this.#childrenOf(start) }];
      if (state.has(start)) continue;
      state.set(start, 'open');
      while (stack.length > 0) {
        const top = stack.at(-1) as (typeof stack)[number];
        const { done, value } = top.next.next();
        if (done === true) {
          state.set(top.key, 'done');
          stack.pop();
        } else if (state.get(value.key) === 'open') {
          throw new FileFault('cycle', `"${value.key}" contains itself, by "${top.key}".`, value.place);
        } else if (!state.has(value.key)) {
          state.set(value.key, 'open');
          stack.push({ key: value.key, next: this.#childrenOf(value.key) });
        }
      }
    }
  }

  *#childrenOf(key: string): Generator<{ key: string; place: Place }> {
    for (const [pair, { place }] of this.#pairs.get(key) ?? [])
      yield { key: pair.split('\u0000')[0] as string, place };
  }
}

/** With every number of a numbered property. */
function referencesOf({ properties }: Pick<ImportDefinition, 'properties'>): ReadonlySet<string> {
  const references = expandNumbered(properties, () => true).filter(
    ([, source]) => typeof source !== 'string' && source.type === 'reference',
  );
  return new Set(references.map(([key]) => key));
}

function pairOf({ key, findNumber }: Line): string {
  return `${key}\u0000${findNumber}`;
}

const FIELDS = ['GUID', 'number', 'name', 'category', 'picture', 'location around'];
const QUANTITY_0: LeftOut = { code: 'quantity_zero', why: 'its quantity is 0' };
/** Beyond that no list of topmost lines helps. */
const TOPS_MAX = 10_000;
const UNITS_MAX = 200_000;
