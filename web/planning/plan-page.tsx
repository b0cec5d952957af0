/** One planning run: its progress, its summary, and its actions and exceptions, to be committed or dismissed. */
import { Button } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { ask } from '../client/ask.ts';
import type { PlanningRun } from '../client/operations.ts';
import { useMay } from '../client/session.ts';
import { type Fact, Facts, PageFrame, Sheet, Waiting } from '../components/page-frame.tsx';
import { ProblemPanel } from '../components/problem-panel.tsx';
import { refresh } from '../components/refresh.ts';
import { useAction } from '../components/use-action.ts';
import { ViewSwitch } from '../components/view-switch.tsx';
import { countText, dayText, Moment, quantityText, StatusWord } from '../components/words.tsx';
import { useAddress, usePathParam } from '../navigation/address.ts';
import { Link } from '../navigation/link.tsx';
import { paths } from '../navigation/paths.ts';
import { PlanActions } from './plan-actions.tsx';
import { PlanComparison } from './plan-comparison.tsx';
import {
  actionNames,
  countsOf,
  exceptionNames,
  exceptionsOf,
  PlanStatus,
  proposalsOf,
  scopeText,
  structureNames,
} from './plan-words.tsx';
import { PlannedProjects } from './planned-projects.tsx';
import styles from './planning.module.css';
import { StartDialog } from './start-dialog.tsx';

/** Beside the stream of the workspace, in case a proxy holds it back. */
const POLL_MS = 10_000;

export function PlanPage() {
  const id = usePathParam('id');
  const client = useQueryClient();
  const mayPlan = useMay('procurement');
  const [starting, setStarting] = useState(false);
  const query = useQuery({
    ...ask('getPlanningRun', { id }),
    refetchInterval: ({ state }) => (state.data?.finishedAt === null ? POLL_MS : false),
  });
  const run = query.data;
  const isFinished = run !== undefined && run.finishedAt !== null;
  useEffect(() => {
    if (isFinished) void refresh(client, ['listPlanningActions', 'listPlanningRuns']);
  }, [client, isFinished]);
  const cancel = useAction('cancelPlanningRun', {
    changes: ['getPlanningRun', 'listPlanningRuns'],
    done: 'Planning run cancelled.',
  });
  const above = { label: 'Plan', href: paths.plans() };
  if (run === undefined) {
    return (
      <PageFrame title="Planning run" above={above}>
        {query.isError ? (
          <ProblemPanel error={query.error} onRetry={() => void query.refetch()} />
        ) : (
          <Waiting />
        )}
      </PageFrame>
    );
  }
  return (
    <PageFrame
      title={run.day === null ? 'Planning run' : `Plan of ${dayText(run.day)}`}
      above={above}
      lead={
        <>
          <PlanStatus run={run} />
          {run.isWhatIf && <StatusWord tone="quiet">what-if</StatusWord>}
          <span>
            started <Moment at={run.createdAt} /> by {run.by.name}
          </span>
        </>
      }
      actions={
        mayPlan && (
          <>
            {!isFinished && (
              <Button variant="default" loading={cancel.isPending} onClick={() => cancel.mutate({ id })}>
                Cancel
              </Button>
            )}
            {isFinished && (
              <Button variant="default" onClick={() => setStarting(true)}>
                Plan again
              </Button>
            )}
          </>
        )
      }
    >
      {cancel.error !== null && <ProblemPanel error={cancel.error} />}
      {run.failure !== null && (
        <Sheet title="The planning run failed">
          <p>{run.failure.message}</p>
        </Sheet>
      )}
      <Sheet>
        <div className={styles.apart}>
          {!isFinished && (
            <p role="status">
              {run.status === 'queued' ? 'It waits for its turn.' : 'It is being computed.'} It goes on when
              you leave this page.
            </p>
          )}
          {run.isWhatIf && (
            <p>It plans as if something were otherwise, so its actions can be read and not committed.</p>
          )}
          {run.isTruncated && (
            <p>It has more actions than are stored: these are the first by the date on which to act.</p>
          )}
          {run.sameAs !== null && (
            <p>
              It found the same as <Link href={paths.plan(run.sameAs)}>the run before it</Link>: what is
              committed or dismissed in one is so in both.
            </p>
          )}
          <Facts facts={factsOf(run)} />
        </div>
      </Sheet>
      {run.status === 'completed' && <Review run={run} />}
      {starting && <StartDialog before={run} isAgain onClose={() => setStarting(false)} />}
    </PageFrame>
  );
}

/** Actions and exceptions apart; each count leads to what it counts. */
function Review({ run }: { run: PlanningRun }) {
  const address = useAddress();
  const asked = address.get('show');
  const shows = asked === 'exceptions' || asked === 'comparison' ? asked : 'proposals';
  return (
    <>
      <ViewSwitch
        label="What the plan has"
        current={shows}
        views={[
          {
            key: 'proposals',
            label: `Actions (${quantityText(proposalsOf(run))})`,
            href: paths.plan(run.id),
          },
          {
            key: 'exceptions',
            label: `Exceptions (${quantityText(exceptionsOf(run))})`,
            href: paths.plan(run.id, { show: 'exceptions' }),
          },
          {
            key: 'comparison',
            label: 'Comparison',
            href: paths.plan(run.id, { show: 'comparison' }),
          },
        ]}
      />
      <div className={styles.counts}>
        {shows === 'comparison'
          ? null
          : shows === 'proposals'
            ? countsOf(actionNames, run.actions).map(
                ({ name, label, count }) =>
                  name !== 'none' && (
                    <Link key={name} href={paths.plan(run.id, { action: name })}>
                      {label} ({quantityText(count)})
                    </Link>
                  ),
              )
            : countsOf(exceptionNames, run.exceptions).map(({ name, label, count }) => (
                <Link key={name} href={paths.plan(run.id, { show: 'exceptions', exception: name })}>
                  {label} ({quantityText(count)})
                </Link>
              ))}
      </div>
      {shows === 'comparison' ? (
        <PlanComparison run={run} />
      ) : (
        <PlanActions key={shows} run={run} shows={shows} />
      )}
    </>
  );
}

function factsOf(run: PlanningRun): Fact[] {
  const facts: Fact[] = [
    ['Planned', `${countText(run.horizonDays, 'day')}, until ${untilText(run)}`],
    ['One order covers', countText(run.periodDays, 'day')],
    ['A line may be early by', countText(run.toleranceDays, 'day')],
  ];
  if (run.structure === 'released') facts.push(['Structures', structureNames.released]);
  if (!run.usesSubstitutes) facts.push(['Substitutes', 'not used']);
  if (run.projects.length > 0)
    facts.push(['Whole structure of', <PlannedProjects key="projects" projects={run.projects} />, 'wide']);
  if (run.scope !== null) facts.push(['Only', scopeText(run.scope)]);
  if (run.items !== null) facts.push(['Items', quantityText(run.items)]);
  if (run.links !== null) facts.push(['Links of structures', quantityText(run.links)]);
  if (run.demand.length > 0) facts.push(['Further demand', countText(run.demand.length, 'item')]);
  if (run.revisions.length > 0) facts.push(['Other revisions', countText(run.revisions.length, 'item')]);
  if (run.dates.length > 0)
    facts.push(['Other dates', countText(run.dates.length, 'line or requirement', 'lines and requirements')]);
  return facts;
}

function untilText({ day, createdAt, horizonDays }: PlanningRun): string {
  const from = Date.parse(day ?? createdAt.slice(0, 10));
  return dayText(new Date(from + horizonDays * 86_400_000).toISOString().slice(0, 10));
}
