/** Adds to the results of a dry run what would change, so that a person can review it (contract §2.6). */
import type { PropertyValue } from '../../configuration/properties/property-value.ts';
import { differingFields, type LinkContent, type LinkLine } from '../../entities/links/link-line.ts';
import { type MicroDouble, numberOfMicroDouble } from '../../quantity.ts';
import type { LinkChange, PlannedChange, SyncResult } from '../elements/sync-result.ts';
import { guidAt } from '../graph/guid-bytes.ts';
import type { PlannedLine, PlannedLinks } from '../plan/planned-links.ts';
import type { PlannedRemovals } from '../structure/exact-structure.ts';
import type { WrittenChange } from './chunk-writing.ts';

/**
 * Bounds what a result says of changed data, so that a plan of large values can be read and stored: each text is
 * shown up to this many characters, all changes together up to the second limit, and the rest are counted.
 */
const TEXT_SHOWN_MAX = 1000;
const CHANGES_SHOWN_CHARS_MAX = 16_384;
/** Links that one result says are taken out; the others are counted. */
const REMOVALS_SHOWN_MAX = 1000;
const noGuid = '00000000-0000-0000-0000-000000000000';
/** The cost of a change beside its texts. */
const CHANGE_CHARS = 60;

/** Puts the changes of data and of links on the results that speak of them, beside those that they have. */
export function reportPlan(
  results: readonly SyncResult[],
  changes: readonly WrittenChange[],
  links: PlannedLinks | null,
  places: readonly number[],
  removals?: PlannedRemovals,
): void {
  const byIndex = new Map(results.map((result) => [result.index, result]));
  for (const result of results) {
    if (result.result === 'error') continue;
    result.changes ??= [];
    result.links ??= [];
  }
  for (const { kind, entity } of changes) {
    const result = byIndex.get(entity.carrier.element.index);
    if (result === undefined) continue;
    const own = kind === 'created' ? everything(entity, result.number ?? null) : entity.changes.map(toChange);
    const all = entity.place === null ? own : [...own, { field: 'parentLocation', ...entity.place }];
    result.changes = shownOf(all);
    if (result.changes.length < all.length) result.changesOmitted = all.length - result.changes.length;
  }
  if (removals !== undefined) reportRemovals(byIndex, removals);
  if (links === null) return;
  const charsShown = new Map<SyncResult, number>();
  for (const place of places) {
    const change: LinkChange = {
      parentGuid: guidAt(links.parents, place),
      from: quantityOf(links.stored[place] as number),
      to: quantityOf(links.quantities[place] as number),
    };
    const result = byIndex.get(links.firstIndexes[place] as number);
    if (result?.links === undefined) continue;
    const line = links.lines?.get(place);
    if (line !== undefined) addLineChanges(change, line, charsShown, result);
    result.links.push(change);
  }
}

/** Reports links that are removed, on the element that carries the parent. */
function reportRemovals(byIndex: ReadonlyMap<number, SyncResult>, removals: PlannedRemovals): void {
  const shown = new Map<SyncResult, number>();
  for (const [place, index] of removals.indexes.entries()) {
    const result = byIndex.get(index);
    if (result?.links === undefined) continue;
    const count = (shown.get(result) ?? 0) + 1;
    shown.set(result, count);
    if (count > REMOVALS_SHOWN_MAX) {
      result.linksOmitted = count - REMOVALS_SHOWN_MAX;
      continue;
    }
    const childGuid = guidAt(removals.childGuids, place);
    result.links.push({
      parentGuid: guidAt(removals.parents, place),
      childId: guidAt(removals.childIds, place),
      childGuid: childGuid === noGuid ? null : childGuid,
      from: quantityOf(removals.quantities[place] as number),
      to: null,
    });
  }
}

/** Within what the links of one result may show. */
function addLineChanges(
  change: LinkChange,
  { said, stored, after = said }: PlannedLine,
  charsShown: Map<SyncResult, number>,
  result: SyncResult,
): void {
  const all = differingFields(contentOf(change.from, stored), contentOf(change.to, after));
  if (all.length === 0) return;
  let chars = charsShown.get(result) ?? 0;
  const shown = all.filter(({ from, to }) => {
    const more = CHANGE_CHARS + String(from).length + String(to).length;
    if (chars + more > CHANGES_SHOWN_CHARS_MAX && chars > 0) return false;
    chars += more;
    return true;
  });
  charsShown.set(result, chars);
  if (shown.length > 0) change.changes = shown;
  if (shown.length < all.length) change.changesOmitted = all.length - shown.length;
}

/** `line` is JSON. A null within it is a field that nobody stores. */
function contentOf(quantity: number | null, line: string | null): LinkContent | null {
  if (quantity === null) return null;
  const fields = line === null ? null : JSON.parse(line, (_, value) => value ?? undefined);
  return { quantity, line: fields as LinkLine | null };
}

/** The first changes that fit, each with as much of its texts as is shown. */
function shownOf(all: readonly PlannedChange[]): PlannedChange[] {
  const shown: PlannedChange[] = [];
  let chars = 0;
  for (const { field, from, to } of all) {
    const change = { field, from: shortened(from), to: shortened(to) };
    chars += CHANGE_CHARS + field.length + String(change.from).length + String(change.to).length;
    if (shown.length > 0 && chars > CHANGES_SHOWN_CHARS_MAX) break;
    shown.push(change);
  }
  return shown;
}

function shortened<T>(value: T): T | string {
  if (typeof value !== 'string' || value.length <= TEXT_SHOWN_MAX) return value;
  return `${value.slice(0, TEXT_SHOWN_MAX)}…`.toWellFormed();
}

function everything(entity: WrittenChange['entity'], number: string | null): PlannedChange[] {
  const values = JSON.parse(entity.valuesJson) as Record<string, PropertyValue>;
  return [
    { field: 'number', from: null, to: number },
    { field: 'name', from: null, to: entity.name },
    ...(entity.picture == null ? [] : [{ field: 'picture', from: null, to: entity.picture }]),
    ...Object.entries(values).map(([key, to]) => ({ field: `properties.${key}`, from: null, to })),
  ];
}

function toChange({ property, of, from, to }: WrittenChange['entity']['changes'][number]): PlannedChange {
  return { field: of === 'property' ? `properties.${property}` : property, from, to };
}

function quantityOf(micros: MicroDouble): number | null {
  return Number.isNaN(micros) ? null : numberOfMicroDouble(micros);
}
