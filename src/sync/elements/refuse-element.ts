/** Why an element may not be written, beside what is wrong with it by itself (read-element.ts). */
import { OUTSIDE_STRUCTURE, procurementBehaviours } from '../../configuration/categories/behaviour.ts';
import type { WorkspaceConfiguration } from '../../configuration/current/workspace-configuration.ts';
import { UNREADABLE_MARK } from '../../imports/unreadable-mark.ts';
import { showValue } from '../../json/show-value.ts';
import { MICRO_DOUBLE_MAX, numberOfMicroDouble } from '../../quantity.ts';
import { nearest } from './near-misses.ts';
import type { SyncElement } from './read-element.ts';
import { errorResult, locationRefused, type SyncResult, supplierPartRefused } from './sync-result.ts';

export function quantityAbove({ index, guid, parentGuid }: SyncElement): SyncResult {
  const most = numberOfMicroDouble(MICRO_DOUBLE_MAX);
  return errorResult(
    index,
    guid,
    'invalid_entity',
    `"quantity" would take the sum of the link to parent ${parentGuid} above ${most}, the most a link can have; it was not added.`,
  );
}

/** Returns the result of a line that could not be read as an element, of NDJSON or of a table. */
export function rejectedResult(index: number, text: string): SyncResult {
  return text.charCodeAt(0) === UNREADABLE_MARK
    ? errorResult(index, null, 'unreadable_line', text.slice(1))
    : errorResult(index, null, 'invalid_json', text);
}

/** An end of the link is outside of structures, or it would close a cycle, in words; null where the cycle is not named. */
type RefusedLink = 'outside' | { circle: string | null };

export function linkRefusal(element: SyncElement, refused: RefusedLink): SyncResult {
  return refused === 'outside' ? outsideResult(element) : cycleResult(element, refused.circle);
}

function outsideResult({ index, guid, parentGuid }: SyncElement): SyncResult {
  return errorResult(
    index,
    guid,
    'not_in_structure',
    `The element or its parent ${parentGuid} has no place in a structure: ${OUTSIDE_STRUCTURE}. Leave out "parentGuid".`,
  );
}

/** `circle`: what the link would close, in words (see plan/name-circles.ts); null where it is not named. */
function cycleResult({ index, guid, parentGuid }: SyncElement, circle: string | null): SyncResult {
  const message =
    circle === null
      ? `The link to parent ${parentGuid} would close a cycle in the structure.`
      : `The link to parent would close a cycle: ${circle}.`;
  return errorResult(index, guid, 'cycle', message);
}

/**
 * The proposal for each wrong key of a configuration, so that a body full of wrong keys costs one search for each.
 * Callers choose the keys, so the cache is bounded.
 */
const proposals = new WeakMap<WorkspaceConfiguration['categories'], Map<string, string>>();
const PROPOSALS_MAX = 1000;

function proposalFor(given: string, { categories }: WorkspaceConfiguration): string {
  let known = proposals.get(categories);
  if (known === undefined || known.size >= PROPOSALS_MAX) {
    known = new Map();
    proposals.set(categories, known);
  }
  let proposal = known.get(given);
  if (proposal === undefined) {
    const key = nearest(given, categories.keys()) ?? keyNamed(given, categories);
    proposal = key === null ? '' : ` Did you mean ${showValue(key)}?`;
    known.set(given, proposal);
  }
  return proposal;
}

/** The key of the category that people know by this name. */
function keyNamed(name: string, categories: WorkspaceConfiguration['categories']): string | null {
  const wanted = name.trim().toLowerCase();
  for (const category of categories.values()) if (category.name.toLowerCase() === wanted) return category.key;
  return null;
}

export function refusalOf(element: SyncElement, configuration: WorkspaceConfiguration): SyncResult | null {
  const category = configuration.categories.get(element.categoryKey);
  if (category === undefined) {
    return errorResult(
      element.index,
      element.guid,
      'category_not_found',
      `Category ${showValue(element.categoryKey)} does not exist in this workspace.${proposalFor(element.categoryKey, configuration)}`,
    );
  }
  if (procurementBehaviours.has(category.behaviour)) {
    return errorResult(
      element.index,
      element.guid,
      'category_not_syncable',
      `Entities of category ${showValue(element.categoryKey)} are made by the procurement process only.`,
    );
  }
  if (element.parentGuid === element.guid) {
    return errorResult(element.index, element.guid, 'cycle', 'The element names itself as its parent.');
  }
  return null;
}

/** Drops, with a warning each, what an element states and its category has no place for. */
export function dropOfOtherRoles(read: SyncElement, role: string | undefined): void {
  if (role === 'location') dropLink(read);
  else if (role !== 'itemAndLocation') dropPlace(read);
  if (role !== 'item' && role !== 'itemAndLocation') dropSupplierParts(read);
}

/** Only a location lies in another location. */
function dropPlace(read: SyncElement): void {
  if (read.parentLocation === undefined) return;
  if (read.parentLocation !== null) {
    const message = `"parentLocation" was ignored: entities of category ${showValue(read.categoryKey)} are not locations.`;
    read.warnings = [...(read.warnings ?? []), locationRefused(message)];
  }
  read.parentLocation = undefined;
}

/** Only an item is bought. */
function dropSupplierParts(read: SyncElement): void {
  if (read.supplierParts === null) return;
  const message = `"supplierParts" was ignored: entities of category ${showValue(read.categoryKey)} are not items.`;
  read.warnings = [...(read.warnings ?? []), supplierPartRefused(message)];
  read.supplierParts = null;
}

/** A location is no part of an assembly: it lies in another location. */
function dropLink(read: SyncElement): void {
  if (read.parentGuid === null) return;
  const message =
    '"parentGuid" was ignored: a location is no part of an assembly. Send "parentLocation" instead.';
  read.warnings = [...(read.warnings ?? []), { code: 'location_link', message }];
  read.parentGuid = null;
  read.line = null;
}
