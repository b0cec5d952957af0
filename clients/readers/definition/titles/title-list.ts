/** The form of the files in this folder: what columns are called in one language. */

export type ColumnRole =
  | 'guid'
  | 'number'
  | 'mpn'
  | 'weakNumber'
  | 'parent'
  | 'parentName'
  | 'parentLocation'
  | 'level'
  | 'item'
  | 'quantity'
  | 'references'
  | 'name'
  | 'category'
  | 'unit'
  | 'note'
  | 'notFitted'
  | 'fitted'
  | 'value'
  | 'footprint'
  | 'standard'
  | 'size'
  | 'material'
  | 'manufacturer'
  | 'revision'
  | 'lineKind';

/**
 * Titles by role, separated by commas, as people write them: case, accents, blanks and punctuation do not matter. The order
 * is the order of preference. `weakNumber` are words that head part numbers in some files and other things in others.
 */
export type TitleList = Partial<Record<ColumnRole, string>> & {
  /** `.` or `,`: the decimal sign that lists in this language use. */
  decimal: '.' | ',';
  /** Words that stand in the row of totals. */
  totals: string;
};
