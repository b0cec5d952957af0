/** The comments at the foot of a page. Their code is loaded after the page. */
import { lazy, Suspense } from 'react';
import type { Subject } from './subject.ts';

const Comments = lazy(async () => ({ default: (await import('./comments.tsx')).Comments }));

export function CommentsPanel({ of }: { of: Subject }) {
  return (
    <Suspense fallback={null}>
      <Comments of={of} />
    </Suspense>
  );
}
