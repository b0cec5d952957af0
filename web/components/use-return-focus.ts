/** Gives the focus back to what had it before a dialog came, so that the keyboard goes on where it was. */
import { useEffect } from 'react';

export function useReturnFocus(): void {
  useEffect(() => {
    const before = document.activeElement;
    return () => {
      // After the dialog has gone, which holds the focus to itself while it is there.
      setTimeout(() => {
        const nowhere = document.activeElement === null || document.activeElement === document.body;
        if (nowhere && before instanceof HTMLElement && before.isConnected) before.focus();
      });
    };
  }, []);
}
