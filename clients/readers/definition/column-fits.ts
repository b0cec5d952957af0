/** Whether the values of a column agree with its title: values veto what titles propose. */
import type { ColumnFacts } from './column-facts.ts';
import type { TitleFit } from './column-titles.ts';
import type { ColumnRole } from './titles/title-list.ts';

/** Whether the values of a column can be what its title says. */
export function fits(role: ColumnRole, column: ColumnFacts): boolean {
  switch (role) {
    case 'guid':
      return column.isGuid;
    case 'number':
    case 'mpn':
      return !column.isCounting && !column.isDottedIndex && !column.isLinks;
    case 'weakNumber':
      return (
        !column.isCounting &&
        !column.isDottedIndex &&
        !column.isLinks &&
        !column.isReferences &&
        !column.isYesOrNo
      );
    case 'parent':
      return !column.isYesOrNo || column.share((text) => /\d/.test(text)) >= 0.5;
    case 'level':
      return !column.isYesOrNo || column.isPlainNumbers;
    case 'item':
      return column.isPosition || column.isCounting || column.isDottedIndex || column.isIndex;
    case 'quantity':
      return column.isQuantity;
    case 'references':
      return column.isReferences;
    case 'name':
    case 'parentName':
    case 'parentLocation':
      return !column.isCounting && !column.isLinks;
    case 'category':
    case 'note':
    case 'lineKind':
      return !column.isCounting;
    case 'notFitted':
      return (
        column.texts.length < column.all.length / 2 ||
        column.isYesOrNo ||
        column.hasNotFittedValues ||
        column.share((text) => /exclu|yes|true/i.test(text)) >= 0.5
      );
    case 'fitted':
      return column.isYesOrNo || column.hasNotFittedValues;
    case 'value':
    case 'footprint':
      return !column.isCounting;
    case 'size':
    case 'standard':
    case 'material':
    case 'manufacturer':
    case 'revision':
      return !column.isLinks;
    default:
      return true;
  }
}

/**
 * Whether a column has quantities that cannot be read, such as `2+1`. It is the column of quantities all the same, so that those
 * lines are refused and do not count as 1.
 */
export function isCalledQuantity(column: ColumnFacts, fits: readonly TitleFit[]): boolean {
  const fit = fits.find(({ role, by }) => role === 'quantity' && by <= 1);
  if (fit === undefined || column.isEmpty) return false;
  return fit.rank < PLAIN_RANKS || column.share((text) => /\d/.test(text)) >= 0.3;
}

/** The first titles of each language mean nothing else. */
const PLAIN_RANKS = 3;
