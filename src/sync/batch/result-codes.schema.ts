/** The kinds of results, and the codes of warnings and errors in them (contract §2.2, §2.4). */
import { z } from 'zod';

export const WarningCode = z.enum([
  'invalid_numeric',
  'imprecise_numeric',
  'invalid_date',
  'invalid_boolean',
  'invalid_url',
  'invalid_reference',
  'value_not_in_choices',
  'value_required',
  'pattern_mismatch',
  'duplicate_guid',
  'duplicate_guid_conflict',
  'parent_pending',
  'category_kept',
  'invalid_link_field',
  'link_field_conflict',
  'unit_unknown',
  'quantity_out_of_range',
  'structure_kept',
  'text_cleaned',
  'empty_name',
  'level_mismatch',
  'location_link',
  'location_pending',
  'location_refused',
  'supplier_part_refused',
  'unknown_field',
  'number_taken',
  'archived',
  'merged',
  'invalid_picture',
  'picture_pending',
  'source_warning',
  'more_warnings',
]);

export const Result = z.enum(['created', 'updated', 'skipped', 'error']);
export type ResultKind = z.infer<typeof Result>;

export const ErrorCode = z.enum([
  'invalid_json',
  'unreadable_line',
  'invalid_entity',
  'category_not_found',
  'category_not_syncable',
  'number_taken',
  'cycle',
  'not_in_structure',
  'plan_stale',
]);
