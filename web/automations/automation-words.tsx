/** The words of automations and their runs. */
import type { AutomationRunSummary, ListedAutomation } from '../client/operations.ts';
import { StatusWord, type Tone } from '../components/words.tsx';
import styles from './automations.module.css';

export const contextTypes = [
  { value: '1', label: 'An entity moved along its lifecycle' },
  { value: '2', label: 'A batch ended' },
  { value: '3', label: 'An entity was created' },
  { value: '4', label: 'An entity was changed' },
  { value: '5', label: 'Somebody triggers it' },
];

export function contextText(contextTypeId: number): string {
  return (
    contextTypes.find(({ value }) => value === String(contextTypeId))?.label ?? `Context ${contextTypeId}`
  );
}

const tones: Readonly<Record<AutomationRunSummary['status'], Tone>> = {
  queued: 'live',
  succeeded: 'good',
  failed: 'bad',
  suppressed: 'quiet',
};

export function RunStatus({ status }: { status: AutomationRunSummary['status'] }) {
  return <StatusWord tone={tones[status]}>{status}</StatusWord>;
}

/** The last runs as ticks, the newest on the right, and in words what of them failed. */
export function RecentRuns({ runs }: { runs: ListedAutomation['recentRuns'] }) {
  if (runs.length === 0) return <span className="muted">never ran</span>;
  const failed = runs.filter(({ status }) => status === 'failed').length;
  return (
    <span className={styles.ticks}>
      {runs.toReversed().map(({ id, status }) => (
        <span key={id} className={styles[status]} title={status} />
      ))}
      <span className={failed === 0 ? 'visually-hidden' : styles.failures}>
        {failed === 0 ? `${runs.length} without a failure` : `${failed} failed`}
      </span>
    </span>
  );
}

/** What a test of a context of this type begins with. */
export const exampleContexts: Readonly<Record<number, object>> = {
  1: { entityId: '', entityNumber: '', fromState: 'In Review', toState: 'Released' },
  2: { profileName: 'pdm', insertCount: 3, updateCount: 1, errorCount: 0 },
  3: { entityId: '', entityNumber: '', categoryKey: 'part' },
  4: { entityId: '', entityNumber: '', categoryKey: 'part', changes: [] },
  5: { entityId: '', entityNumber: '', feature: '', parameters: {} },
};
