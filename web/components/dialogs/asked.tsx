/** What stands upon an answer: before it has come nothing is claimed of what is there, and a question that failed says so. */
import type { ReactNode } from 'react';
import { Waiting } from '../page-frame.tsx';
import { ProblemPanel } from '../problem-panel.tsx';

interface Question<Data> {
  data: Data | undefined;
  error: unknown;
  isError: boolean;
  refetch: () => Promise<unknown>;
}

export function Asked<Data>({ of, children }: { of: Question<Data>; children: (data: Data) => ReactNode }) {
  if (of.data !== undefined) return children(of.data);
  return of.isError ? <ProblemPanel error={of.error} onRetry={() => void of.refetch()} /> : <Waiting />;
}

/** The same beside the button of a dialog; null: it was answered. */
export function notAsked({ data, isError }: { data: unknown; isError: boolean }): string | null {
  if (data !== undefined) return null;
  return isError ? 'Could not be loaded: the service cannot be reached.' : 'Loading…';
}
