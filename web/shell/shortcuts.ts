/** The keys that every page understands, in one place: what is listened to and what the help says are the same. */
import { useEffect } from 'react';

export interface Shortcuts {
  onPalette: () => void;
  onHelp: () => void;
  onStep: (to: 'before' | 'behind') => void;
  /** Of what stands beside a list. */
  onLeave: () => void;
}

export const shortcutTexts: readonly (readonly [keys: string, does: string])[] = [
  ['Ctrl K', 'Find a part or a page; Shift Enter opens the stock of the part'],
  ['/', 'Go to the search of the page'],
  ['K J', 'The one before and the next, of the list that the page was opened from'],
  ['↑ ↓', 'Move between the rows of a list; Page Up, Page Down, Home and End go further'],
  ['Enter', 'Open the row, or submit the dialog'],
  ['Space', 'Choose the row'],
  ['→ ←', 'Open and close a branch of a structure'],
  ['Esc', 'Leave a dialog, a menu, or what stands beside a list'],
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

/** A letter that somebody types is a letter; so is one in a dialog, over the page. */
function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || target.closest('input, textarea, select, [role="dialog"]') !== null)
  );
}

function focusSearch(): void {
  document.querySelector<HTMLInputElement>('[data-page-search]')?.focus();
}
