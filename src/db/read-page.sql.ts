/** How a statement that reads a page is bounded by bytes. */

/** Bytes of a page's rows as text. A single larger row is a page by itself. */
export const PAGE_BYTES_MAX = 1024 * 1024;
/** Cost of a row beside its columns of variable length. */
const ROW_BYTES = 400;

const SUM = 'partbook.page_bytes';
const sum = `current_setting('${SUM}')::bigint`;
const setSum = (value: string) => `set_config('${SUM}', (${value})::text, true)`;

/** Condition that the page has room left when a row is read. */
export const pageHasRoom = `${sum} < ${PAGE_BYTES_MAX}`;

/** Before the page and behind it, in one round trip with it. */
export const beginSum = `select ${setSum('0')}`;
export const selectSum = `select ${sum} as bytes`;

/**
 * The first row is taken whatever it has; then rows are taken while the sum stays within the bound. A sum above the
 * bound says that a row was dropped.
 */
export function boundedPage(sql: string, long: readonly string[], columns: string): string {
  const size = [
    String(ROW_BYTES),
    ...long.map((column) => `coalesce(octet_length(r.${column}::text), 0)`),
  ].join(' + ');
  return `
    select ${columns} from (${sql}) as r
    where case
      when ${sum} = 0 then ${setSum(`least(${size}, ${PAGE_BYTES_MAX})`)} is not null
      when ${sum} >= ${PAGE_BYTES_MAX} then ${setSum(String(PAGE_BYTES_MAX + 1))} is null
      else ${setSum(`${sum} + ${size}`)}::bigint <= ${PAGE_BYTES_MAX}
    end`;
}
