/** When a page breaks, the shell stays: what happened, and a way to go on. */
import type { ErrorComponentProps } from '@tanstack/react-router';
import { PageFrame } from '../components/page-frame.tsx';
import { ProblemPanel } from '../components/problem-panel.tsx';

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
