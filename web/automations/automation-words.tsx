/** The words of automations and their runs. */
import type { AutomationRunSummary } from '../client/operations.ts';
import { StatusWord, type Tone } from '../components/words.tsx';

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

/** What a test of a context of this type begins with. */
export const exampleContexts: Readonly<Record<number, object>> = {
  1: { entityId: '', entityNumber: '', fromState: 'In Review', toState: 'Released' },
  2: { profileName: 'pdm', insertCount: 3, updateCount: 1, errorCount: 0 },
  3: { entityId: '', entityNumber: '', categoryKey: 'part' },
  4: { entityId: '', entityNumber: '', categoryKey: 'part', changes: [] },
  5: { entityId: '', entityNumber: '', feature: '', parameters: {} },
};
