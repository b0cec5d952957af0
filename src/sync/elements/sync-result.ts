/** The result of one element (contract §2.2). */
import type { LineChange } from '../../entities/links/link-line.ts';

export type ResultKind = 'created' | 'updated' | 'skipped' | 'error';

export interface SyncWarning {
  code:
    | 'invalid_numeric'
    | 'imprecise_numeric'
    | 'invalid_date'
    | 'invalid_boolean'
    | 'invalid_url'
    | 'invalid_reference'
    | 'value_not_in_choices'
    | 'value_required'
    | 'pattern_mismatch'
    | 'duplicate_guid'
    | 'duplicate_guid_conflict'
    | 'parent_pending'
    | 'category_kept'
    | 'invalid_link_field'
    | 'link_field_conflict'
    | 'unit_unknown'
    | 'quantity_out_of_range'
    | 'structure_kept'
    | 'text_cleaned'
    | 'empty_name'
    | 'level_mismatch'
    | 'location_link'
    | 'location_pending'
    | 'location_refused'
    | 'supplier_part_refused'
    | 'unknown_field'
    | 'number_taken'
    | 'archived'
    | 'merged'
    | 'invalid_picture'
    | 'picture_pending'
    | 'source_warning'
    | 'more_warnings';
  message: string;
  /** The property concerned, the field of the link, or the column of the file. */
  property?: string;
  /** How many warnings this one stands for; one where it is absent. */
  count?: number;
}

export type SyncErrorCode =
  | 'invalid_json'
  | 'unreadable_line'
  | 'invalid_entity'
  | 'category_not_found'
  | 'category_not_syncable'
  | 'number_taken'
  | 'cycle'
  | 'not_in_structure'
  | 'plan_stale';

export interface SyncResult {
  /** Place in the payload, from 0. */
  index: number;
  guid: string | null;
  result: ResultKind;
  entityId?: string;
  versionId?: string;
  number?: string;
  revision?: string;
  code?: SyncErrorCode;
  message?: string;
  warnings?: readonly SyncWarning[];
  /** Only in a dry run, as `links`. */
  changes?: PlannedChange[];
  /** How many changes there are besides. */
  changesOmitted?: number;
  links?: LinkChange[];
  /** How many links are taken out besides. */
  linksOmitted?: number;
}

/** A change that a dry run would make in an entity: `number`, `name`, `picture`, `parentLocation`, `supplierParts` or `properties.KEY`. */
export interface PlannedChange {
  field: string;
  from: string | number | boolean | null;
  to: string | number | boolean | null;
}

/** A change that a dry run would make in the structure: quantities, null for no link. */
export interface LinkChange {
  parentGuid: string;
  /** The child of a link that is removed; otherwise the child is the element. */
  childId?: string;
  childGuid?: string | null;
  from: number | null;
  to: number | null;
  /** Other changes of the link; absent where there are none. */
  changes?: LinkFieldChange[];
  /** How many of them are not shown. */
  changesOmitted?: number;
}

export type LinkFieldChange = LineChange;

export interface ResultCounts {
  created: number;
  updated: number;
  skipped: number;
  error: number;
  warnings: number;
}

export function errorResult(
  index: number,
  guid: string | null,
  code: SyncErrorCode,
  message: string,
): SyncResult {
  return { index, guid, result: 'error', code, message };
}

/** The warning that another entity has the number. */
export function numberTaken(number: string): SyncWarning {
  return {
    code: 'number_taken',
    property: 'number',
    message: `Another entity has the number ${JSON.stringify(number)}.`,
  };
}

/** The warning that the entity is archived. Its data are taken. */
export const archivedWarning: SyncWarning = {
  code: 'archived',
  message: 'The entity is archived and stays so: lists leave it out. Unarchive it to use it again.',
};

/** The warning that the workspace has no such picture. The next element with this hash is looked at again. */
export function picturePending(sha256: string): SyncWarning {
  return {
    code: 'picture_pending',
    property: 'picture',
    message: `There is no picture ${sha256} in this workspace: it was not taken. Upload it with PUT /pictures/${sha256}, then send the element again.`,
  };
}

/** The warning that the location keeps the place that it has. */
export function locationRefused(message: string): SyncWarning {
  return { code: 'location_refused', property: 'parentLocation', message };
}

/** The warning that supplier parts of the element, or one of them, were not taken. */
export function supplierPartRefused(message: string): SyncWarning {
  return { code: 'supplier_part_refused', property: 'supplierParts', message };
}

/** The warning that the workspace has no such location. The next element with this GUID is looked at again. */
export function locationPending(parentGuid: string): SyncWarning {
  return {
    code: 'location_pending',
    property: 'parentLocation',
    message: `No entity has the GUID ${parentGuid}: the location keeps the place that it has. Send it again, together with that one or after it.`,
  };
}

export function countResults(results: readonly SyncResult[]): ResultCounts {
  const counts: ResultCounts = { created: 0, updated: 0, skipped: 0, error: 0, warnings: 0 };
  for (let i = 0; i < results.length; i++) {
    const result = results[i] as SyncResult;
    counts[result.result]++;
    if (result.warnings === undefined) continue;
    for (const warning of result.warnings) counts.warnings += warning.count ?? 1;
  }
  return counts;
}
