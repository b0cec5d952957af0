/** Gives the focus back to what had it before a dialog came, so that the keyboard goes on where it was. */
import { useEffect } from 'react';

/** Where the keyboard was last on the page itself: a choice of a menu that opens a dialog is gone when that closes. */
let onPage: HTMLElement | null = null;

if (typeof document !== 'undefined') {
  document.addEventListener('focusin', ({ target }) => {
    if (target instanceof HTMLElement && target.closest('[role="menu"], [role="dialog"]') === null)
      onPage = target;
  });
}

export function useReturnFocus(): void {
  useEffect(() => {
    const active = document.activeElement;
    const isGoing = active === null || active === document.body || active.closest('[role="menu"]') !== null;
    const before = isGoing ? onPage : active;
    return () => {
      // After the dialog has gone, which holds the focus to itself while it is there.
      setTimeout(() => {
        const nowhere = document.activeElement === null || document.activeElement === document.body;
        if (nowhere && before instanceof HTMLElement && before.isConnected) before.focus();
      });
    };
  }, []);
}

/** The same for a dialog that stands within its page. */
export function ReturnFocus(): null {
  useReturnFocus();
  return null;
}
