/** Labels of automations and their runs. */
import type { AutomationRunSummary, ListedAutomation } from '../client/operations.ts';
import { StatusWord, type Tone } from '../components/words.tsx';
import styles from './automations.module.css';

export const contextTypes = [
  { value: '1', label: 'State changed' },
  { value: '2', label: 'Import finished' },
  { value: '3', label: 'Item created' },
  { value: '4', label: 'Item changed' },
  { value: '5', label: 'Manual' },
  { value: '6', label: 'Stock moved' },
  { value: '7', label: 'Order line or requirement changed' },
  { value: '8', label: 'Schedule' },
  { value: '9', label: 'Threshold crossed' },
  { value: '10', label: 'Import not clean' },
  { value: '11', label: 'Below reorder point' },
  { value: '12', label: 'Planning run finished' },
];

/** The context type of automations that users run. */
export const MANUAL = 5;
/** The context type of automations that run by the clock. */
export const SCHEDULED = 8;
/** The context type of automations that run when stock is low. */
export const THRESHOLD = 9;

export function contextText(contextTypeId: number): string {
  return contextTypes.find(({ value }) => value === String(contextTypeId))?.label ?? `Event ${contextTypeId}`;
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

/** Shows the last runs as ticks, the newest on the right, and says how many failed. */
export function RecentRuns({ runs }: { runs: ListedAutomation['recentRuns'] }) {
  if (runs.length === 0) return <span className="muted">no runs</span>;
  const failed = runs.filter(({ status }) => status === 'failed').length;
  return (
    <span className={styles.ticks}>
      {runs.toReversed().map(({ id, status }) => (
        <span key={id} className={styles[status]} title={status} />
      ))}
      <span className={failed === 0 ? 'visually-hidden' : styles.failures}>
        {failed === 0 ? `${runs.length} runs, none failed` : `${failed} failed`}
      </span>
    </span>
  );
}

/** The context that a test run begins with, by type of event. */
export const exampleContexts: Readonly<Record<number, object>> = {
  1: { entityId: '', entityNumber: '', fromState: 'In Review', toState: 'Released' },
  2: { profileName: 'pdm', insertCount: 3, updateCount: 1, errorCount: 0 },
  3: { entityId: '', entityNumber: '', categoryKey: 'part' },
  4: { entityId: '', entityNumber: '', categoryKey: 'part', changes: [] },
  5: { entityId: '', entityNumber: '', feature: '', parameters: {} },
  6: { entityId: '', entityNumber: '', onHand: 5, reserved: 0, available: 5, onOrder: 0, movements: [] },
  7: { kind: 'line', entityId: '', entityNumber: '', state: 'Ordered', quantity: 10, receivedQty: 4 },
  8: { schedule: '', scheduledAt: '2026-11-20T06:00:00.000Z', timeZone: 'UTC', missed: 0 },
  9: { entityId: '', entityNumber: '', figure: 'available', value: 4, below: 5 },
  10: { profileName: 'pdm', insertCount: 3, updateCount: 1, errorCount: 2, status: 'completed' },
};
