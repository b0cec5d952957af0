/**
 * Which controls of a grid's rows the tab key stops at: those of the row that was used last. A grid of a hundred rows with two
 * buttons each would be two hundred stops on the way to what stands behind it.
 */
const CONTROLS = 'a[href], button, input, select, textarea';
/** Set on what is a stop by itself and is none just now. */
const PASSED = 'data-passed';

/** Cells hold whatever their columns draw, so that the stops are set on what is there; the grid does it after each drawing. */
export function keepStopsTo(rows: Iterable<HTMLElement>, active: number): void {
  for (const row of rows) {
    const isActive = row.dataset.row === String(active);
    for (const control of row.querySelectorAll<HTMLElement>(CONTROLS)) {
      if (isActive && control.hasAttribute(PASSED)) {
        control.removeAttribute(PASSED);
        control.removeAttribute('tabindex');
      } else if (!isActive && control.tabIndex >= 0 && control.dataset.stop === undefined) {
        control.setAttribute(PASSED, '');
        control.tabIndex = -1;
      }
    }
  }
}

/** Which of a row's controls it is, counted as the tab key goes; null for what uses the arrow keys itself, such as a list of choices. */
export function placeInRow(control: HTMLElement): number | null {
  if (!control.matches('a, button:not([aria-haspopup])')) return null;
  const place = controlsOf(control.closest('[data-row]')).indexOf(control);
  return place === -1 ? null : place;
}

/** What the keyboard goes to in a row: the control at that place, else what stands for the row itself. */
export function stopAt(row: Element | null, place: number | null): HTMLElement | null {
  const own = row?.matches('[data-stop]')
    ? (row as HTMLElement)
    : (row?.querySelector('[data-stop]') ?? null);
  return (place === null ? undefined : controlsOf(row)[place]) ?? (own as HTMLElement | null);
}

function controlsOf(row: Element | null): HTMLElement[] {
  return row === null ? [] : [...row.querySelectorAll<HTMLElement>(CONTROLS)];
}
