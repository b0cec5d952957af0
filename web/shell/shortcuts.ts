/** The keyboard shortcuts of every page, and their texts for the help. */
import { useEffect } from 'react';

export interface Shortcuts {
  onPalette: () => void;
  onHelp: () => void;
  onStep: (to: 'before' | 'behind') => void;
  /** Closes the page beside a list. */
  onLeave: () => void;
}

export const shortcutTexts: readonly (readonly [keys: string, does: string])[] = [
  ['Ctrl K', 'Find an item or a page; Shift Enter opens the stock of the item'],
  ['/', 'Search on this page'],
  ['K J', 'Previous and next item in the list'],
  ['↑ ↓', 'Move between the rows of a list; Page Up, Page Down, Home and End go further'],
  ['Enter', 'Open the row, or submit the dialog'],
  ['Space', 'Select the row'],
  ['→ ←', 'Open and close a branch of a structure'],
  ['Esc', 'Close a dialog, a menu or the page beside a list'],
  ['?', 'This help'],
];

export function useShortcuts({ onPalette, onHelp, onStep, onLeave }: Shortcuts): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey)) {
        event.preventDefault();
        onPalette();
        return;
      }
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || isTyping(event.target))
        return;
      const act = {
        '?': onHelp,
        '/': focusSearch,
        k: () => onStep('before'),
        j: () => onStep('behind'),
        Escape: onLeave,
      }[event.key];
      if (act === undefined) return;
      event.preventDefault();
      act();
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, [onPalette, onHelp, onStep, onLeave]);
}

/** Shortcuts do not work in fields and dialogs. */
function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || target.closest('input, textarea, select, [role="dialog"]') !== null)
  );
}

function focusSearch(): void {
  document.querySelector<HTMLInputElement>('[data-page-search]')?.focus();
}
