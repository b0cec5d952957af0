/** The result of a run: success or error, its log, and what it changed or would have changed. */
import type { ReactNode } from 'react';
import type { ApiCallTrace, ScriptChange, ScriptFailure, ScriptLogLine } from '../client/operations.ts';
import { durationText, StatusWord } from '../components/words.tsx';
import { Link } from '../navigation/link.tsx';
import { paths } from '../navigation/paths.ts';
import styles from './actions.module.css';

export interface Outcome {
  error: ScriptFailure | null;
  result?: unknown;
  logs: readonly ScriptLogLine[];
  changes: readonly ScriptChange[];
  apiCalls?: readonly ApiCallTrace[];
  durationMs: number | null;
}

export function ScriptOutcome({ outcome }: { outcome: Outcome }) {
  const { error, logs, changes, result, durationMs } = outcome;
  return (
    <div className={styles.stack} role="status">
      <p>
        {error === null ? (
          <StatusWord tone="good">Succeeded</StatusWord>
        ) : (
          <StatusWord tone="bad">{error.kind} error</StatusWord>
        )}{' '}
        {durationMs !== null && <span className="muted">{durationText(durationMs)}</span>}
      </p>
      {error !== null && (
        <p className="bad">
          {error.line !== null && `Line ${error.line}: `}
          {error.name}: {error.message}
        </p>
      )}
      {logs.length > 0 && (
        <LongText>
          {logs.map(({ level, message, line }, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: lines of a log may be alike
            <span key={at} className={styles[level]}>
              {line === null ? '' : `${String(line).padStart(3)}  `}
              {message}
            </span>
          ))}
        </LongText>
      )}
      {changes.length > 0 && (
        <table className={styles.changes}>
          <thead>
            <tr>
              <th>Item</th>
              <th>Property</th>
              <th>Old value</th>
              <th>New value</th>
            </tr>
          </thead>
          <tbody>
            {changes.map(({ entityId, property, from, to }) => (
              <tr key={`${entityId} ${property}`}>
                <td>
                  <Link href={paths.entity(entityId)} className="mono">
                    {entityId.slice(0, 8)}…
                  </Link>
                </td>
                <td>{property}</td>
                <td>{from === null ? '–' : String(from)}</td>
                <td>{to === null ? '–' : String(to)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {result !== undefined && result !== null && <LongText>{JSON.stringify(result, null, 2)}</LongText>}
    </div>
  );
}

/** Shows text line by line; a long one scrolls. */
export function LongText({ children }: { children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls
    <pre className={styles.logs} tabIndex={0}>
      {children}
    </pre>
  );
}
