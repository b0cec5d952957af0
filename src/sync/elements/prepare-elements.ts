/**
 * From raw text to elements that can be compared and written: parsed, checked, category resolved, values
 * coerced, hashed. Needs the configuration but no database, so what it refuses is refused the same way twice.
 */
import { hash } from 'node:crypto';
import type { WorkspaceConfiguration } from '../../configuration/load-configuration.ts';
import { coerceProperties, type PropertyValue, propertiesJson } from './coerce-properties.ts';
import type { StagedElement } from './payload-codec.ts';
import {
  type ElementLimits,
  isFault,
  QUANTITY_MICROS_MAX,
  readElement,
  type SyncElement,
} from './read-element.ts';
import { errorResult, type SyncResult, type SyncWarning } from './sync-result.ts';

export interface PreparedElement {
  element: SyncElement;
  values: Map<string, PropertyValue>;
  /** Canonical JSON of `values`. */
  valuesJson: string;
  /** Of everything a sync would write: category, name and typed values. Equal hash: nothing to do. */
  hash: Buffer;
  warnings: SyncWarning[];
}

export interface PreparedElements {
  /** Elements that may be written, ordered by GUID and then by place in the payload. */
  prepared: PreparedElement[];
  /** Results of those that may not. */
  refused: SyncResult[];
}

const lineBehaviours = new Set([
  'purchaseOrderLine',
  'salesOrderLine',
  'manufacturingOrderLine',
  'materialRequirement',
]);

export function prepareElements(
  staged: readonly StagedElement[],
  configuration: WorkspaceConfiguration,
  limits: ElementLimits,
): PreparedElements {
  const prepared: PreparedElement[] = [];
  const refused: SyncResult[] = [];
  for (const { index, text, rejected } of staged) {
    if (rejected) {
      refused.push(errorResult(index, null, 'invalid_json', text));
      continue;
    }
    const read = readElement(index, JSON.parse(text), limits);
    if (isFault(read)) {
      refused.push(errorResult(index, read.guid, 'invalid_entity', read.message));
      continue;
    }
    const refusal = refusalOf(read, configuration);
    if (refusal !== null) {
      refused.push(refusal);
      continue;
    }
    const warnings: SyncWarning[] = [];
    const values = coerceProperties(read.properties, configuration.properties, warnings);
    const valuesJson = propertiesJson(values);
    prepared.push({ element: read, values, valuesJson, hash: hashOf(read, valuesJson), warnings });
  }
  prepared.sort(byGuidThenIndex);
  return { prepared: withinQuantity(prepared, refused), refused };
}

/**
 * Leaves out, in payload order, each element whose quantity would take its link's sum above what can be stored.
 * The input is ordered by GUID, and all elements of a GUID are here: the sums are whole.
 */
function withinQuantity(prepared: readonly PreparedElement[], refused: SyncResult[]): PreparedElement[] {
  let guid = '';
  const sums = new Map<string, number>();
  return prepared.filter(({ element }) => {
    if (element.parentGuid === null) return true;
    if (element.guid !== guid) sums.clear();
    guid = element.guid;
    const sum = (sums.get(element.parentGuid) ?? 0) + element.quantityMicros;
    if (sum > QUANTITY_MICROS_MAX) {
      refused.push(errorResult(element.index, guid, 'invalid_entity', quantityAbove(element.parentGuid)));
      return false;
    }
    sums.set(element.parentGuid, sum);
    return true;
  });
}

function quantityAbove(parentGuid: string): string {
  const most = QUANTITY_MICROS_MAX / 1e6;
  return `"quantity" would take the sum of the link to parent ${parentGuid} above ${most}, the most a link can have; it was not added.`;
}

function refusalOf(element: SyncElement, configuration: WorkspaceConfiguration): SyncResult | null {
  const category = configuration.categories.get(element.categoryKey);
  if (category === undefined) {
    return errorResult(
      element.index,
      element.guid,
      'category_not_found',
      `Category ${JSON.stringify(element.categoryKey)} does not exist in this workspace.`,
    );
  }
  if (lineBehaviours.has(category.behaviour)) {
    return errorResult(
      element.index,
      element.guid,
      'category_not_syncable',
      `Entities of category ${JSON.stringify(element.categoryKey)} are made by the procurement process only.`,
    );
  }
  if (element.parentGuid === element.guid) {
    return errorResult(element.index, element.guid, 'cycle', 'The element names itself as its parent.');
  }
  return null;
}

function hashOf(element: SyncElement, valuesJson: string): Buffer {
  const text = `${element.categoryKey}\u0000${element.name}\u0000${valuesJson}`;
  return hash('sha256', text, 'buffer').subarray(0, 16);
}

function byGuidThenIndex(a: PreparedElement, b: PreparedElement): number {
  if (a.element.guid < b.element.guid) return -1;
  if (a.element.guid > b.element.guid) return 1;
  return a.element.index - b.element.index;
}

/** Whether two elements with one GUID say the same of it; their parents may differ. */
export function sameData(a: PreparedElement, b: PreparedElement): boolean {
  return (
    a.element.number === b.element.number &&
    a.element.name === b.element.name &&
    a.element.categoryKey === b.element.categoryKey &&
    a.valuesJson === b.valuesJson
  );
}
