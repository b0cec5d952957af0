/** What stands in the shell where a page breaks, and at an address that leads nowhere. */
import type { ErrorComponentProps } from '@tanstack/react-router';
import { currentSlug } from '../client/workspace.ts';
import { PageFrame } from '../components/page-frame.tsx';
import { ProblemPanel } from '../components/problem-panel.tsx';
import { Link } from '../navigation/link.tsx';
import { paths } from '../navigation/paths.ts';

/** The shell stays, with what happened and a way to go on. */
export function PageError({ error, reset }: ErrorComponentProps) {
  // A page whose code is gone was replaced by a newer build: only loading anew helps.
  const replaced = /dynamically imported module|Failed to fetch/.test(String(error));
  return (
    <PageFrame title="This page broke">
      <ProblemPanel
        error={replaced ? new Error('Partbook was updated while this tab was open.') : error}
        onRetry={() => (replaced ? window.location.reload() : reset())}
      />
    </PageFrame>
  );
}

export function NotFound() {
  const home = currentSlug() === '' ? paths.signIn() : paths.overview();
  return (
    <PageFrame title="There is no page at this address">
      <p>The link may be mistyped, or what it led to is gone.</p>
      <p>
        <Link href={home}>{currentSlug() === '' ? 'Sign in' : 'To the overview'}</Link>
      </p>
    </PageFrame>
  );
}
