/** The filters of the results of an import. */
import type { SyncBatch } from '../client/operations.ts';
import { resultText } from './batch-words.tsx';

const options = (values: readonly string[]) => values.map((value) => ({ value, label: value }));
const filters = [
  {
    key: 'result',
    label: 'Result',
    options: (['created', 'updated', 'skipped', 'error'] as const).map((value) => ({
      value,
      label: resultText(value),
    })),
  },
  {
    key: 'code',
    label: 'Error',
    options: options([
      'category_not_found',
      'category_not_syncable',
      'number_taken',
      'cycle',
      'not_in_structure',
      'invalid_entity',
      'invalid_json',
      'unreadable_line',
      'plan_stale',
    ]),
  },
  {
    key: 'warning',
    label: 'Warning',
    options: options([
      'invalid_numeric',
      'imprecise_numeric',
      'invalid_date',
      'invalid_boolean',
      'invalid_url',
      'invalid_reference',
      'value_not_in_choices',
      'pattern_mismatch',
      'value_required',
      'parent_pending',
      'category_kept',
      'invalid_link_field',
      'link_field_conflict',
      'unit_unknown',
      'quantity_out_of_range',
      'structure_kept',
      'number_taken',
      'unknown_field',
      'level_mismatch',
      'location_link',
      'location_pending',
      'location_refused',
      'supplier_part_refused',
      'text_cleaned',
      'empty_name',
      'archived',
      'merged',
      'picture_pending',
      'invalid_picture',
      'source_warning',
      'duplicate_guid',
      'duplicate_guid_conflict',
    ]),
  },
];
const changedFilter = {
  key: 'changed',
  label: 'Changes',
  options: [
    { value: 'fields', label: 'fields' },
    { value: 'structure', label: 'structure (BOM)' },
  ],
};

/** A dry run can also be filtered by what it would change. */
export function filtersOf({ dryRun }: SyncBatch) {
  return dryRun ? [...filters, changedFilter] : filters;
}
