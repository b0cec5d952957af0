/** Commits actions of a planning run: all of them or none. What has moved since the run can be left out, or is planned again. */
import { Button, Checkbox, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { PlanningAction, PlanningRun } from '../client/operations.ts';
import { Refusal } from '../client/request.ts';
import { Dialog } from '../components/dialogs/dialog.tsx';
import { useAction } from '../components/use-action.ts';
import { countText } from '../components/words.tsx';
import { EntityPicker, type PickedEntity } from '../entities/entity-picker.tsx';
import { useGo } from '../navigation/link.tsx';
import { paths } from '../navigation/paths.ts';
import { SUPPLY_CHANGES } from '../procurement/supply-dialog.tsx';
import { isChange, isCreation, scopeOf } from './plan-words.tsx';
import { UnplannedProjects } from './planned-projects.tsx';
import styles from './planning.module.css';

/** The largest number of actions that one call takes. */
export const ACTIONS_MAX = 500;

export interface CommitDialogProps {
  run: PlanningRun;
  chosen: readonly PlanningAction[];
  onClose: () => void;
  onDone: () => void;
}

export function CommitDialog({ run, chosen, onClose, onDone }: CommitDialogProps) {
  const go = useGo();
  const [leftOut, setLeftOut] = useState<ReadonlySet<number>>(new Set());
  const [location, setLocation] = useState<PickedEntity | null>(null);
  const [isDraft, setDraft] = useState(true);
  const [note, setNote] = useState('');
  const open = chosen.filter(
    (one) => one.status === 'open' && (isCreation(one) || isChange(one)) && !leftOut.has(one.number),
  );
  const actions = open.slice(0, ACTIONS_MAX);
  const creations = actions.filter(isCreation);
  const homeless = creations.filter(({ locationEntityId }) => locationEntityId === null).length;
  const commit = useAction('commitPlanningRun', {
    changes: [...SUPPLY_CHANGES, 'listPlanningActions', 'listReorder'],
    done: ({ orders }) =>
      `${countText(actions.length, 'action')} committed${orders.length === 0 ? '' : `, in ${countText(orders.length, 'order')}`}.`,
    onDone: ({ orders: [first, ...others] }) => {
      onClose();
      onDone();
      if (first !== undefined && others.length === 0) go(paths.order(first.id));
    },
  });
  const stale = staleOf(commit.error);
  const again = useAction('createPlanningRun', {
    changes: ['listPlanningRuns'],
    onDone: ({ id }) => go(paths.plan(id)),
  });
  const left = chosen.length - open.length - leftOut.size;
  return (
    <Dialog
      title={`Commit ${countText(actions.length, 'action')}`}
      submit="Commit"
      onClose={onClose}
      busy={commit.isPending || again.isPending}
      error={again.error ?? commit.error}
      notYet={
        actions.length === 0
          ? 'None of them is open.'
          : homeless > 0 && location === null
            ? 'Choose a location.'
            : null
      }
      onSubmit={() =>
        commit.mutate({
          id: run.id,
          body: {
            actions: actions.map(({ number }) => number),
            as: isDraft ? 'draft' : 'ordered',
            ...(location === null ? {} : { locationEntityId: location.id }),
            ...(note.trim() === '' ? {} : { note: note.trim() }),
          },
        })
      }
    >
      <p>
        {creations.length > 0 &&
          `${countText(creations.length, 'line')} of new orders: ${newOrders(creations)}. `}
        {actions.length > creations.length &&
          `${countText(actions.length - creations.length, 'line')} of orders that exist are moved, changed or cancelled. `}
        All of it is done, or nothing.
      </p>
      <UnplannedProjects run={run} actions={actions} />
      {left > 0 && <p>{countText(left, 'chosen row')} cannot be committed and are left out.</p>}
      {open.length > ACTIONS_MAX && <p>These are the first by date; commit the others afterwards.</p>}
      {homeless > 0 && (
        <EntityPicker
          label="Received at"
          description="For items whose planning names no location"
          plays="location"
          value={location}
          onPick={setLocation}
          autoFocus
        />
      )}
      {creations.length > 0 && (
        <Checkbox
          label="As drafts"
          description="Draft lines promise nothing yet and are ordered later."
          checked={isDraft}
          onChange={(event) => setDraft(event.currentTarget.checked)}
        />
      )}
      <TextInput
        label="Note"
        maxLength={2000}
        value={note}
        onChange={(event) => setNote(event.currentTarget.value)}
      />
      {stale !== null && (
        <div className={styles.apart}>
          <p>
            Stock, orders or needs have changed since the run for {countText(stale.length, 'action')}. Commit
            the others, or plan again and review the new actions.
          </p>
          <div className={styles.staleButtons}>
            <Button
              variant="default"
              onClick={({ currentTarget }) => {
                // The button goes with what it says, and the keyboard goes on at what comes next.
                currentTarget.form?.querySelector<HTMLElement>('[type=submit]')?.focus();
                setLeftOut(new Set([...leftOut, ...stale]));
                commit.reset();
              }}
            >
              Leave out {countText(stale.length, 'action')}
            </Button>
            <Button variant="default" onClick={() => again.mutate({ body: optionsOf(run) })}>
              Plan again
            </Button>
          </div>
        </div>
      )}
    </Dialog>
  );
}

function newOrders(creations: readonly PlanningAction[]): string {
  const made = creations.filter(({ action }) => action === 'make').length;
  if (made === 0) return 'a purchase order for each supplier';
  return made === creations.length
    ? 'one manufacturing order'
    : 'a purchase order for each supplier, and one manufacturing order';
}

/** Numbers of the actions that the service refused as stale; null if that is not the reason. */
function staleOf(error: unknown): readonly number[] | null {
  if (!(error instanceof Refusal) || error.code !== 'plan_stale') return null;
  const { actions } = error.problem as { actions?: unknown };
  return Array.isArray(actions) ? actions.filter((one) => typeof one === 'number') : null;
}

function optionsOf(run: PlanningRun) {
  const { horizonDays, periodDays, toleranceDays, weekdays, holidays, structure, usesSubstitutes, scope } =
    run;
  const projects = run.projects.length === 0 ? {} : { projects: run.projects };
  const days = { horizonDays, periodDays, toleranceDays, weekdays, holidays };
  return { ...days, structure, usesSubstitutes, ...projects, ...scopeOf(scope) };
}
