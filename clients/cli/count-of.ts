/** Counts as people say them: "1 line", "2 lines". */
export function countOf(count: number, one: string, more = `${one}s`): string {
  return `${count} ${count === 1 ? one : more}`;
}
