/** What is typed on a page and not saved: whoever leaves it, by whichever way, is asked first. */
import { useBlocker } from '@tanstack/react-router';
import { useCallback, useEffect, useRef, useSyncExternalStore } from 'react';
import { BESIDE } from './beside.ts';

const QUESTION = 'What you typed is not saved. Leave it all the same?';

const forms = new Set<object>();
const listeners = new Set<() => void>();

function tell(): void {
  for (const listener of listeners) listener();
}

/** Answers what is to be called before the page itself leads on, because what was typed is saved or was given up. */
export function useUnsaved(unsaved: boolean): () => void {
  const form = useRef({});
  const forget = useCallback(() => {
    if (forms.delete(form.current)) tell();
  }, []);
  useEffect(() => {
    if (!unsaved) return;
    forms.add(form.current);
    tell();
    return forget;
  }, [unsaved, forget]);
  return forget;
}

/** The same of a dialog in which much is typed: `close` asks before it closes, and `done` closes because it was saved. */
export function useAskBeforeClosing(
  unsaved: boolean,
  onClose: () => void,
): { close: () => void; done: () => void } {
  const forget = useUnsaved(unsaved);
  const done = () => {
    forget();
    onClose();
  };
  return { done, close: () => (!unsaved || window.confirm(QUESTION)) && done() };
}

/**
 * Asks, once for the whole tab: what stands beside a list is told by the tab's own address. Nothing is asked while nothing is
 * unsaved, or every change of a filter would have to wait for the answer.
 */
export function useAskBeforeLeaving(): void {
  const isUnsaved = useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => forms.size > 0,
  );
  useBlocker({
    shouldBlockFn: ({ current, next }) =>
      forms.size > 0 && placeOf(current) !== placeOf(next) && !window.confirm(QUESTION),
    enableBeforeUnload: () => forms.size > 0,
    disabled: !isUnsaved,
  });
}

/** Which pages are shown: another filter of the same ones takes nothing away. */
function placeOf({ pathname, search }: { pathname: string; search: unknown }): string {
  const [beside = ''] = (search as Record<string, string[] | undefined>)[BESIDE] ?? [];
  return `${pathname} ${beside.split('?')[0]}`;
}
