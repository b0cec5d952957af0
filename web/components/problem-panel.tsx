/** Shows an error in the words of the service, with the request id to copy. */
import { Button } from '@mantine/core';
import { useState } from 'react';
import { Refusal } from '../client/request.ts';
import { LookFirst, Unanswered } from '../client/unanswered.ts';
import { Icon } from './icons.tsx';
import styles from './problem-panel.module.css';

export interface ProblemPanelProps {
  error: unknown;
  /** What to do about it; absent where nothing can be done here. */
  onRetry?: () => void;
}

export function ProblemPanel({ error: shown, onRetry }: ProblemPanelProps) {
  const doubt = shown instanceof Unanswered ? shown.message : null;
  const error = doubt === null ? shown : (shown as Unanswered).cause;
  const problem = error instanceof Refusal ? error.problem : null;
  const title = problem?.title ?? titleOf(error);
  const detail = problem?.detail ?? (error instanceof TypeError ? wordsOffline(doubt) : wordsOf(error));
  // One place of which the detail has said all already says nothing more.
  const places = (problem?.errors ?? []).filter(
    ({ message }, _, all) => all.length > 1 || message !== detail,
  );
  return (
    <div className={styles.panel} role="alert">
      <Icon name="warning" />
      <div className={styles.words}>
        <strong>{title}</strong>
        {detail !== '' && detail !== title && <p>{detail}</p>}
        {doubt !== null && <p>{doubt}</p>}
        {places.length > 0 && (
          <ul>
            {places.slice(0, 20).map((one) => (
              <li key={`${one.pointer} ${one.code}`}>
                {one.pointer !== '' && <code>{one.pointer}</code>} {one.message}
              </li>
            ))}
          </ul>
        )}
        {problem !== null && <RequestId id={problem.requestId} code={problem.code} />}
        {onRetry !== undefined && (
          <Button variant="default" size="xs" onClick={onRetry}>
            Try again
          </Button>
        )}
      </div>
    </div>
  );
}

function RequestId({ id, code }: { id: string; code: string }) {
  const [copied, setCopied] = useState(false);
  if (id === '') return null;
  const copy = async () => {
    await navigator.clipboard?.writeText(`${code} ${id}`);
    setCopied(true);
  };
  return (
    <p className={styles.request}>
      <code>{code}</code> · request <code>{id}</code>{' '}
      <button type="button" className={styles.copy} onClick={() => void copy()}>
        {copied ? 'Copied' : 'Copy'}
      </button>
    </p>
  );
}

function titleOf(error: unknown): string {
  if (error instanceof LookFirst) return 'It may already have been done';
  return error instanceof TypeError ? 'The service cannot be reached' : 'Something went wrong';
}

function wordsOffline(doubt: string | null): string {
  return doubt === null ? 'Check the connection, then try again.' : 'Check the connection.';
}

function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
