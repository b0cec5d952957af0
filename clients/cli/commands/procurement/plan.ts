/** `partbook plan`: planning runs, their actions, and what becomes of them. */
import type { Command } from 'commander';
import { followPlanningRun } from '../../../typescript/follow-planning-run.ts';
import type { PlanningRun } from '../../../typescript/generated/types.ts';
import { listPages } from '../../../typescript/list-items.ts';
import { planningActions, planningExceptions } from '../../../typescript/planning-words.ts';
import { countOf } from '../../count-of.ts';
import { Ended, exitCodes } from '../../exit-codes.ts';
import { plain } from '../../output.ts';
import { addForecasts } from '../../plan-forecasts.ts';
import { type PlanFlags, planOptions, runOf } from '../../plan-options.ts';
import { openSession, type Session } from '../../session.ts';
import { type LimitFlags, limited, listFirst } from '../../take-items.ts';
import { addActions, runMeant } from './plan-actions.ts';
import { addPlanViews } from './plan-views.ts';

export function addPlan(program: Command): void {
  const runs = program.command('plan').description('list planning runs, newest first');
  limited(runs, 20).action(async (flags: LimitFlags) => {
    const { partbook, output, signal } = openSession(runs);
    await listFirst<PlanningRun>(
      output,
      listPages(partbook, 'GET /planning/runs', {}, { signal }),
      flags,
      {
        id: (one) => one.id,
        status: (one) => (one.isWhatIf ? `${one.status}, what-if` : one.status),
        actions: (one) => proposalsOf(one),
        exceptions: (one) => sumOf(one.exceptions),
        by: (one) => one.by.name,
        created: (one) => one.createdAt,
      },
      'There are no planning runs. partbook plan start begins one.',
    );
  });
  addStart(runs);
  addShow(runs);
  addActions(runs);
  addPlanViews(runs);
  addForecasts(runs);
}

function addStart(runs: Command): void {
  const start = planOptions(runs.command('start'))
    .description('plan what to order, make and change; nothing is changed until actions are committed')
    .option('--no-wait', 'do not wait for the end');
  start.action(async (flags: PlanFlags & { wait: boolean }) => {
    const session = openSession(start);
    const body = await runOf(session, flags);
    const begun = await session.partbook('POST /planning/runs', { body }, session);
    if (flags.wait) await finish(session, begun);
    else session.output.answer(begun, () => `${begun.id}: ${begun.status}`);
  });
}

function addShow(runs: Command): void {
  const show = runs
    .command('show [run]')
    .description('wait for the end of a planning run and show it; of the newest if none is named');
  show.action(async (id: string | undefined) => {
    const session = openSession(show);
    await finish(session, await runMeant(session, id));
  });
  const cancel = runs.command('cancel [run]').description('stop a planning run, or the newest one');
  cancel.action(async (given: string | undefined) => {
    const session = openSession(cancel);
    const { id } = await runMeant(session, given);
    const cancelled = await session.partbook('POST /planning/runs/{id}/cancel', { id }, session);
    session.output.answer(cancelled, () => `${id}: ${cancelled.status}`);
  });
}

/** Waits for the end and shows the counts. */
async function finish(session: Session, begun: PlanningRun): Promise<void> {
  const run = await followPlanningRun(session.partbook, begun, session);
  const projects = session.output.form === 'text' ? await projectLines(session, run) : [];
  session.output.answer(run, () => summaryOf(run, projects));
  if (run.failure !== null) session.output.say(run.failure.message, 'red');
  if (run.status !== 'completed') throw new Ended(exitCodes.failed);
}

/** Projects that are named; each is read by its id. */
const PROJECTS_SHOWN = 10;

/** Names the projects that were planned whole. A service of an earlier version knows none. */
async function projectLines(session: Session, { projects = [] }: Partial<PlanningRun>): Promise<string[]> {
  const lines: string[] = [];
  for (const { projectId: id, quantity, requiredBy } of projects.slice(0, PROJECTS_SHOWN)) {
    const { number, name } = await session.partbook('GET /entities/{id}', { id }, session);
    lines.push(`project: ${plain(number ?? name)}, ${quantity} by ${requiredBy}`);
  }
  const others = projects.length - PROJECTS_SHOWN;
  return others > 0 ? [...lines, `… and ${countOf(others, 'more project')}`] : lines;
}

function summaryOf(run: PlanningRun, projects: readonly string[]): string {
  const { status, actions, exceptions } = run;
  const { none: _, ...proposals } = actions;
  const named = (counts: Readonly<Record<string, number>>, order: readonly string[]) =>
    Object.entries(counts)
      .sort(([a], [b]) => order.indexOf(a) - order.indexOf(b))
      .map(([name, count]) => `${count} ${name}`)
      .join(', ') || 'none';
  return [
    `${run.id}: ${status}${run.isWhatIf ? ', what-if' : ''}`,
    ...projects,
    ...(status === 'completed'
      ? [
          `actions: ${named(proposals, planningActions)}`,
          `exceptions: ${named(exceptions, planningExceptions)}`,
          ...(run.sameAs == null ? [] : ['It found the same as the run before it.']),
          ...(run.isTruncated ? ['There are more actions than are stored: the first by date are.'] : []),
        ]
      : []),
  ].join('\n');
}

function proposalsOf({ actions: { none: _, ...proposals } }: PlanningRun): number {
  return sumOf(proposals);
}

function sumOf(counts: Readonly<Record<string, number>>): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}
