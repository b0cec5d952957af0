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
  return useMedia('(width < 640px)');
}

export function useWide(): boolean {
  return useMedia('(width >= 1600px)');
}
