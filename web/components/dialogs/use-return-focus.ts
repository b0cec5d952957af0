/** Gives the focus back to what had it before a dialog came, so that the keyboard goes on where it was. */
import { useEffect, useRef, useState } from 'react';

/** Where the keyboard was last on the page itself: a choice of a menu that opens a dialog is gone when that closes. */
let onPage: HTMLElement | null = null;

if (typeof document !== 'undefined') {
  document.addEventListener('focusin', ({ target }) => {
    if (target instanceof HTMLElement && target.closest('[role="menu"], [role="dialog"]') === null)
      onPage = target;
  });
}

/** Says where the keyboard was before the first rendering, for dialogs take it as soon as they are drawn. */
export function useReturnFocus(): void {
  const [before] = useState(focusedNow);
  useEffect(
    () => () => {
      // After the dialog has gone, which holds the focus to itself while it is there.
      setTimeout(() => {
        const nowhere = document.activeElement === null || document.activeElement === document.body;
        if (!nowhere) return;
        const isThere = before instanceof HTMLElement && before !== document.body && before.isConnected;
        const target = isThere ? before : document.getElementById('page');
        target?.focus({ preventScroll: true });
      });
    },
    [before],
  );
}

function focusedNow(): Element | null {
  const active = document.activeElement;
  const isGoing = active === null || active === document.body || active.closest('[role="menu"]') !== null;
  return isGoing ? onPage : active;
}

/**
 * Takes the keyboard as soon as the element is drawn: a dialog's own way comes a moment later, and what somebody types meanwhile would be
 * lost. As the `ref` of what is within the dialog.
 */
export function focusAtOnce(element: HTMLElement | null): void {
  element?.focus({ preventScroll: true });
}

/** The same for a dialog that stands within its page. */
export function ReturnFocus(): null {
  useReturnFocus();
  return null;
}

/** Gives the focus to the button that opened a field: the button goes while the field is there, and is drawn anew after it. */
export function useOpener(isOpen: boolean) {
  const opener = useRef<HTMLButtonElement>(null);
  const wasOpen = useRef(false);
  useEffect(() => {
    if (wasOpen.current && !isOpen) opener.current?.focus();
    wasOpen.current = isOpen;
  }, [isOpen]);
  return opener;
}
