/** The comments at the foot of a page. Their code is loaded after the page. */
import { lazy, Suspense } from 'react';

const Comments = lazy(async () => ({ default: (await import('./comments.tsx')).Comments }));

export type Subject = { entity: string } | { import: string };

export function CommentsPanel({ of }: { of: Subject }) {
  return (
    <Suspense fallback={null}>
      <Comments of={of} />
    </Suspense>
  );
}
