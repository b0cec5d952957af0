/** Lets a member follow what a page shows. Its code is loaded after the page; keys follow nothing and see no button. */
import { lazy, Suspense } from 'react';
import { useSession } from '../client/session.ts';
import type { Followed } from './subject.ts';

const FollowMenu = lazy(async () => ({ default: (await import('./follow-menu.tsx')).FollowMenu }));

export function FollowButton(props: { of: Followed; hasBelow?: boolean; profile?: string }) {
  if (useSession().actor.type !== 'member') return null;
  return (
    <Suspense fallback={null}>
      <FollowMenu {...props} />
    </Suspense>
  );
}
