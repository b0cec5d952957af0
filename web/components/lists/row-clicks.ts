/** A click anywhere in a row of a grid opens the row's page. */
import type { MouseEvent } from 'react';
import { isPlainClick } from '../../navigation/link.tsx';

/** Opens the page of the row that was clicked beside its link and other controls, in a new tab where the click asks for one. */
export function openRowOfClick(event: MouseEvent<HTMLElement>): void {
  if (event.defaultPrevented || !(event.target instanceof Element)) return;
  const row = event.target.closest('[data-row]');
  if (row === null || event.target.closest('a, button, input, select, textarea, label') !== null) return;
  const link = row.querySelector<HTMLAnchorElement>('a[data-stop]');
  if (link === null || isMarking(row)) return;
  if (event.button === 1 || (event.button === 0 && (event.ctrlKey || event.metaKey)))
    window.open(link.href, '_blank', 'noopener');
  else if (isPlainClick(event)) link.click();
}

/** Returns whether text of the row is selected: the click that ends the selection opens nothing. */
export function isMarking(row: Element | null): boolean {
  const selection = window.getSelection();
  return row !== null && selection !== null && !selection.isCollapsed && selection.containsNode(row, true);
}

interface OpenBeside<Row> {
  hrefOf?: ((row: Row) => string | null) | undefined;
  currentHref?: string | undefined;
}

/** Says whether the page of the row is open beside the list. */
export function isOpenBeside<Row>({ currentHref, hrefOf }: OpenBeside<Row>, row: Row): boolean {
  const href = currentHref === undefined ? null : (hrefOf?.(row) ?? null);
  return href !== null && (currentHref === href || currentHref?.startsWith(`${href}/`) === true);
}
