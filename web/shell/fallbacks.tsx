/** The pages for an error and for an unknown address. */
import type { ErrorComponentProps } from '@tanstack/react-router';
import { currentSlug } from '../client/workspace.ts';
import { PageFrame } from '../components/page-frame.tsx';
import { ProblemPanel } from '../components/problem-panel.tsx';
import { Link } from '../navigation/link.tsx';
import { paths } from '../navigation/paths.ts';

/** The error of a call that did not reach the service, as `ProblemPanel` recognizes it. */
const AWAY = 'The service cannot be reached.';

export function serviceAway(): TypeError {
  return new TypeError(AWAY);
}

/** Asks the service itself, not only a proxy before it. */
export function isServiceThere(): Promise<boolean> {
  return fetch('/health/live', { cache: 'no-store' }).then(
    ({ ok }) => ok,
    () => false,
  );
}

/** Shows the error within the shell, with a way to go on. */
export function PageError({ error, reset }: ErrorComponentProps) {
  // The code of this page was replaced by a newer build: only reloading helps.
  const replaced = /dynamically imported module|module script/.test(String(error));
  const away = error instanceof TypeError && error.message === AWAY;
  const again = async () => {
    if (!replaced && !away) reset();
    else if (await isServiceThere()) window.location.reload();
  };
  return (
    <PageFrame title={away ? 'This page could not be loaded' : 'This page failed'}>
      <ProblemPanel
        error={replaced ? new Error('Partbook was updated while this tab was open.') : error}
        onRetry={() => void again()}
      />
    </PageFrame>
  );
}

export function NotFound() {
  const home = currentSlug() === '' ? paths.start() : paths.overview();
  return (
    <PageFrame title="Page not found">
      <p>The address is wrong, or the page no longer exists.</p>
      <p>
        <Link href={home}>{currentSlug() === '' ? 'Go to the start page' : 'Go to the overview'}</Link>
      </p>
    </PageFrame>
  );
}
