/** What stands in the shell where a page breaks, and at an address that leads nowhere. */
import type { ErrorComponentProps } from '@tanstack/react-router';
import { currentSlug } from '../client/workspace.ts';
import { PageFrame } from '../components/page-frame.tsx';
import { ProblemPanel } from '../components/problem-panel.tsx';
import { Link } from '../navigation/link.tsx';
import { paths } from '../navigation/paths.ts';

/** As `ProblemPanel` knows a call that found nobody. */
const AWAY = 'The service is away.';

export function serviceAway(): TypeError {
  return new TypeError(AWAY);
}

/** Not what stands before it alone. */
export function isServiceThere(): Promise<boolean> {
  return fetch('/health/live', { cache: 'no-store' }).then(
    ({ ok }) => ok,
    () => false,
  );
}

/** The shell stays, with what happened and a way to go on. */
export function PageError({ error, reset }: ErrorComponentProps) {
  // A page whose code is gone was replaced by a newer build: only loading anew helps.
  const replaced = /dynamically imported module|module script/.test(String(error));
  const away = error instanceof TypeError && error.message === AWAY;
  const again = async () => {
    if (!replaced && !away) reset();
    else if (await isServiceThere()) window.location.reload();
  };
  return (
    <PageFrame title={away ? 'This page did not come' : 'This page broke'}>
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
    <PageFrame title="There is no page at this address">
      <p>The link may be mistyped, or what it led to is gone.</p>
      <p>
        <Link href={home}>{currentSlug() === '' ? 'To the start' : 'To the overview'}</Link>
      </p>
    </PageFrame>
  );
}
