/** Says that an import is still being indexed, where a search by properties may lack some rows. */

export function fillingText(rows: string): string {
  return `An import is still being indexed: some ${rows} may be missing here for a few minutes.`;
}

/** Whether a page of a list says so. */
export function isFilling(page: object): boolean {
  return 'indexFilling' in page && page.indexFilling === true;
}
