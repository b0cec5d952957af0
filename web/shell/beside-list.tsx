/**
 * A page beside the list that it was opened from: a router of its own over the same pages. The address of the tab holds what it
 * shows; whatever goes on within it changes that, and what leads elsewhere leaves the list.
 */
import { ActionIcon } from '@mantine/core';
import { createMemoryHistory, RouterProvider } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { Icon } from '../components/icons.tsx';
import { BesideContext, type BesidePlace, staysBeside } from '../navigation/beside.ts';
import { Link, useGo } from '../navigation/link.tsx';
import styles from './beside-list.module.css';
import { besideRouter } from './page-routes.tsx';

export function Beside({ place, href }: { place: BesidePlace; href: string }) {
  const go = useGo();
  const onGo = (next: string, how: 'push' | 'replace') => {
    if (staysBeside(href, next)) place.open(next, how);
    else go(next, { replace: how === 'replace' });
  };
  const latest = useRef(onGo);
  latest.current = onGo;
  const [{ router, show }] = useState(() => routerAt(href, (next, how) => latest.current(next, how)));
  useEffect(() => show(href), [href, show]);
  return (
    <aside className={styles.beside} aria-label="Beside the list">
      <div className={styles.tools}>
        <Link href={href}>Open as a page</Link>
        <ActionIcon variant="subtle" aria-label="Close" title="Close (Esc)" onClick={place.close}>
          <Icon name="close" size={14} />
        </ActionIcon>
      </div>
      <div className={styles.page}>
        <BesideContext value={true}>
          <RouterProvider router={router} />
        </BesideContext>
      </div>
    </aside>
  );
}

/** A history that goes nowhere by itself: it tells where it was to go, and is shown where it is. */
function routerAt(href: string, onGo: (next: string, how: 'push' | 'replace') => void) {
  const history = createMemoryHistory({ initialEntries: [href] });
  const stand = history.replace;
  history.push = (next: string) => onGo(next, 'push');
  history.replace = (next: string) => onGo(next, 'replace');
  return {
    router: besideRouter(history),
    show: (next: string) => {
      if (history.location.href !== next) stand(next);
    },
  };
}
