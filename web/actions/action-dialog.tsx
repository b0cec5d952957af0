/** Runs an action on one entity, on many, or on none: its form, then what the run did. */
import { type ReactNode, useRef, useState } from 'react';
import type { AutomationRun, EntityAction } from '../client/operations.ts';
import { call } from '../client/request.ts';
import { isUnanswered } from '../client/unanswered.ts';
import { Dialog } from '../components/dialogs/dialog.tsx';
import { beginForm, FormFields, readForm } from '../components/forms/form-fields.tsx';
import { useActs } from '../components/use-action.ts';
import { countText } from '../components/words.tsx';
import { Link } from '../navigation/link.tsx';
import { paths } from '../navigation/paths.ts';
import styles from './actions.module.css';
import { ScriptOutcome } from './script-outcome.tsx';

/** Seconds that the dialog waits for the run of one entity. */
const WAIT_SECONDS = 5;
const REFUSALS_SHOWN = 20;

/** Answers that are stale after an action: a script may have changed anything. */
const stale = [
  'getEntity',
  'listEntities',
  'listTransitions',
  'listRevisions',
  'listEntityActions',
  'listAllAutomationRuns',
  'listAutomationRuns',
] as const;

export interface ActionDialogProps {
  action: Pick<EntityAction, 'automationId' | 'label' | 'confirm' | 'parameters'>;
  /** The entities to run it on, one after the other; null runs it once, without an entity. */
  entities: readonly { id: string; number: string | null; name: string }[] | null;
  /** A field that chooses the entity, and what it still lacks. */
  picker?: { field: ReactNode; fault: string | null };
  onClose: () => void;
}

interface Started {
  runs: readonly AutomationRun[];
  refusals: readonly string[];
}

export function ActionDialog({ action, entities, picker, onClose }: ActionDialogProps) {
  const { automationId, label, confirm, parameters } = action;
  const [typed, setTyped] = useState(() => beginForm(parameters));
  const [at, setAt] = useState(0);
  const [started, setStarted] = useState<Started | null>(null);
  const stop = useRef(new AbortController());
  const { values, fault } = readForm(parameters, typed);
  const targets = entities ?? [null];
  const acts = useActs(
    async (context: Record<string, unknown>, write): Promise<Started> => {
      const start = (entityId: string | null) =>
        write('triggerAutomation', { id: automationId, body: { entityId, context } });
      const [only] = targets;
      if (targets.length === 1 && only !== undefined) {
        const { id } = await start(only?.id ?? null);
        const { signal } = stop.current;
        const run = await call('getAutomationRun', { id, query: { wait: WAIT_SECONDS } }, { signal });
        return { runs: [run], refusals: [] };
      }
      const runs: AutomationRun[] = [];
      const refusals: string[] = [];
      for (const [index, target] of targets.entries()) {
        if (stop.current.signal.aborted) break;
        setAt(index);
        try {
          runs.push(await start(target?.id ?? null));
        } catch (error) {
          refusals.push(refusalText(error));
        }
      }
      return { runs, refusals };
    },
    { changes: stale, onDone: setStarted },
  );
  const leave = () => {
    stop.current.abort();
    onClose();
  };
  if (started !== null) {
    return (
      <Dialog title={label} submit="Done" leave={null} onClose={leave} onSubmit={leave} size="lg">
        <StartedRuns automationId={automationId} started={started} />
      </Dialog>
    );
  }
  return (
    <Dialog
      title={label}
      submit="Run"
      onClose={leave}
      onSubmit={() => acts.mutate(values)}
      busy={acts.isPending}
      error={acts.error}
      notYet={picker?.fault ?? fault}
    >
      {confirm !== undefined && <p>{confirm}</p>}
      {picker === undefined && <p className="muted">{targetText(entities)}</p>}
      {picker?.field}
      <FormFields form={parameters} typed={typed} onChange={setTyped} />
      {acts.isPending && targets.length > 1 && (
        <>
          <progress className={styles.progress} value={at} max={targets.length} aria-label="Progress" />
          <p role="status">
            {at} of {targets.length}
          </p>
        </>
      )}
    </Dialog>
  );
}

function targetText(entities: ActionDialogProps['entities']): string {
  if (entities === null) return 'Runs once, without an item.';
  const [first] = entities;
  if (entities.length > 1) return `Runs on ${countText(entities.length, 'item')}, one after the other.`;
  return first === undefined ? '' : `Runs on ${first.number ?? first.name}.`;
}

function StartedRuns({
  automationId,
  started: { runs, refusals },
}: {
  automationId: string;
  started: Started;
}) {
  const [run] = runs;
  if (runs.length === 1 && run !== undefined && refusals.length === 0) {
    return (
      <div className={styles.stack}>
        {run.status === 'queued' ? (
          <p role="status">The run has not finished yet.</p>
        ) : (
          <ScriptOutcome outcome={run} />
        )}
        <p>
          <Link href={paths.automationRun(run.id)}>Open the run</Link>
        </p>
      </div>
    );
  }
  return (
    <div className={styles.stack}>
      <p role="status">
        {countText(runs.length, 'run')} started
        {refusals.length > 0 && `, ${refusals.length} rejected or unanswered`}.
      </p>
      {refusals.length > 0 && (
        <ul>
          {[...Map.groupBy(refusals, (text) => text)].slice(0, REFUSALS_SHOWN).map(([text, same]) => (
            <li key={text}>
              {same.length > 1 && `${same.length} × `}
              {text}
            </li>
          ))}
        </ul>
      )}
      <p>
        <Link href={paths.automation(automationId)}>Open the automation</Link>
      </p>
    </div>
  );
}

function refusalText(error: unknown): string {
  if (isUnanswered(error)) return 'No answer came: it may have been done. Check before you try again.';
  return error instanceof Error ? error.message : String(error);
}
