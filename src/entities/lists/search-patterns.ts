/**
 * How a search text is compared. PostgreSQL folds and compares (`search_patterns` and `entity_line` of the schema), so that texts and
 * queries always agree.
 */
import { wordsOf } from '../search-text.ts';

const NUMBER_PREFIX = 'number:';

/** SQL: whether the entity has all words of the parameter (`$6`). The patterns are made once a statement. */
export function hasWords(parameter: string, entity = ''): string {
  const of = entity === '' ? '' : `${entity}.`;
  return `entity_line(${of}number, ${of}name) like all (${patternsOf(parameter)})`;
}

/** Tables with further lines by which an entity is found, beside its number and name, and their columns with the entity. */
const furtherLines = { supplier_part: 'item_id', property_line: 'entity_id' };

/**
 * SQL: whether the number and name of the entity, one of its supplier parts, or its line with searchable properties has all words of the
 * parameter. In a workspace without such lines nothing is looked up: the first sub-selects run once a statement. `search_lines` of the
 * schema has the same rule.
 */
export function isFound(parameter: string, entity: string): string {
  const further = Object.entries(furtherLines).map(
    ([table, column]) => `((select exists (select from ${table} where workspace_id = $1))
    and ${parameter}::text not like '${NUMBER_PREFIX}%' and exists (
      select from ${table} further where further.workspace_id = $1 and further.${column} = ${entity}.id
        and further.line like all (${patternsOf(parameter)}) offset 0))`,
  );
  return `(${[hasWords(parameter, entity), ...further].join(' or ')})`;
}

/** SQL: the patterns of the parameter, as an array that is made once a statement. */
export function patternsOf(parameter: string): string {
  return `(select search_patterns(${parameter}::text))::text[]`;
}

/** Whether the trigram index can narrow the text down: it knows nothing of `--` or `a/b`. */
export function hasTrigram(q: string): boolean {
  return wordsOf(q).some((word) =>
    [...word].length > 2
      ? /[\p{L}\p{N}]{3}|[^\p{L}\p{N}][\p{L}\p{N}]|[\p{L}\p{N}]{2}[^\p{L}\p{N}]/u.test(word)
      : /^[\p{L}\p{N}]/u.test(word),
  );
}

/** The number of a text `number:<number>`, which finds exactly that number; null where the text is another. */
export function numberSought(q: string | undefined): string | null {
  if (q?.startsWith(NUMBER_PREFIX) !== true) return null;
  const number = q.slice(NUMBER_PREFIX.length).trim();
  return number === '' ? null : number;
}

/** The filters with the number that the text names. Null where the filters ask for another number, so that nothing can fit. */
export function withNumberSought<Filters extends { q?: string | undefined; number?: string | undefined }>(
  filters: Filters,
): Filters | null {
  const number = numberSought(filters.q);
  if (number === null) return filters;
  if (filters.number !== undefined && filters.number !== number) return null;
  return { ...filters, number, q: undefined };
}
