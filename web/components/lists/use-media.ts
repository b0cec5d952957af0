/** What the screen is like, for the few things that a style sheet cannot decide. */
import { useSyncExternalStore } from 'react';

function useMedia(query: string): boolean {
  return useSyncExternalStore(
    (changed) => {
      const media = window.matchMedia(query);
      media.addEventListener('change', changed);
      return () => media.removeEventListener('change', changed);
    },
    () => window.matchMedia(query).matches,
  );
}

export function usePhone(): boolean {
  return useMedia('screen and (width < 640px)');
}

export function useWide(): boolean {
  return useMedia('(width >= 1600px)');
}

/** Whether the page is being printed: a list then draws all of its rows. */
export function usePrinting(): boolean {
  return useSyncExternalStore(
    (changed) => {
      const media = window.matchMedia('print');
      const events = ['beforeprint', 'afterprint'] as const;
      const mark = (event: Event) => {
        document.documentElement.toggleAttribute('data-printing', event.type === 'beforeprint');
        changed();
      };
      media.addEventListener('change', changed);
      for (const event of events) window.addEventListener(event, mark);
      return () => {
        media.removeEventListener('change', changed);
        for (const event of events) window.removeEventListener(event, mark);
      };
    },
    () => window.matchMedia('print').matches || document.documentElement.hasAttribute('data-printing'),
  );
}
