/** `partbook plan`: planning runs, their actions, and what becomes of them. */
import type { Command } from 'commander';
import { amountText } from '../../../typescript/amount-text.ts';
import { followPlanningRun } from '../../../typescript/follow-planning-run.ts';
import type { PlanningAction, PlanningRun } from '../../../typescript/generated/types.ts';
import { listItems, listPages } from '../../../typescript/list-items.ts';
import { countOf } from '../../count-of.ts';
import { Ended, exitCodes, UsageError } from '../../exit-codes.ts';
import { supplierMeant } from '../../meant-names.ts';
import { plain, shown } from '../../output.ts';
import { addForecasts } from '../../plan-forecasts.ts';
import { type PlanFlags, planOptions, runOf } from '../../plan-options.ts';
import { entityId, openSession, type Session } from '../../session.ts';
import { type LimitFlags, limited, listFirst, wholeNumber } from '../../take-items.ts';

interface ActionFlags extends LimitFlags {
  run?: string;
  kind?: string;
  exception?: string;
  exceptions?: boolean;
  supplier?: string;
  item?: string;
  status?: string;
}

interface CommitFlags {
  run?: string;
  allNew?: boolean;
  at?: string;
  now?: boolean;
  note?: string;
}

/** Kinds and exceptions in the order in which they are shown: first what is new, and what is late. */
const kinds: readonly string[] = [
  'order',
  'make',
  'expedite',
  'defer',
  'increase',
  'decrease',
  'cancel',
  'useSubstitute',
];
const exceptionNames: readonly string[] = [
  'late',
  'noSupplier',
  'noLeadTime',
  'noStructure',
  'archivedItem',
  'demandWithoutDate',
  'overdueSupply',
  'leadTimeTooLong',
  'quantityOutOfRange',
  'cycle',
] satisfies PlanningAction['exceptions'];

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
  addCommit(runs);
  addDismiss(runs);
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

function addActions(runs: Command): void {
  const actions = runs
    .command('actions [run]')
    .description('list the actions of a planning run, or of the newest one, by the date on which to act')
    .option(
      '--kind <kind>',
      'only of this kind: order, make, expedite, defer, increase, decrease, cancel, useSubstitute',
    )
    .option('--exceptions', 'only what has an exception')
    .option('--exception <name>', 'only what has this exception, such as late')
    .option('--supplier <name>', 'only orders from this supplier: its name, or a part that no other has')
    .option('--item <item>', 'only of this item (number, guid:… or id)')
    .option('--status <status>', 'only with this status: open, committed, dismissed');
  limited(actions, 200).action(async (given: string | undefined, flags: ActionFlags) => {
    const session = openSession(actions);
    const { partbook, output, signal } = session;
    const { id } = await runMeant(session, given);
    const { kind, exception, exceptions, supplier, item, status } = flags;
    const query = {
      // The service refuses a word that it does not know, and lists those that it does.
      ...(kind === undefined ? {} : { action: kind as PlanningAction['action'] }),
      ...(exception === undefined ? {} : { exception: exception as PlanningAction['exceptions'][number] }),
      ...(exceptions === true ? { has: 'exception' as const } : {}),
      ...(supplier === undefined ? {} : { supplierId: await supplierIdOf(session, supplier) }),
      ...(item === undefined ? {} : { item: await entityId(session, item, { role: 'item' }) }),
      ...(status === undefined ? {} : { status: status as PlanningAction['status'] }),
    };
    await listFirst<PlanningAction>(
      output,
      listPages(partbook, 'GET /planning/runs/{id}/actions', { id, query }, { signal }),
      flags,
      {
        no: (one) => one.number,
        action: (one) => (one.action === 'none' ? null : one.action),
        item: ({ itemNumber, itemName }) => itemNumber ?? itemName,
        quantity: (one) => one.quantity,
        start: (one) => one.startsOn,
        needed: (one) => one.neededOn,
        for: whatFor,
        amount: ({ amount, currency }) => (amount === null ? null : amountText(amount, currency)),
        exceptions: ({ exceptions: names }) => (names.length === 0 ? null : names.join(', ')),
        status: (one) => one.status,
      },
      'The plan has no such actions.',
    );
  });
}

/** The line and its part, the supplier, or the substitute. A service of an earlier version knows no parts and no substitutes. */
function whatFor({ lineNumber, partOn, supplier, substitute }: PlanningAction): string | null {
  if (substitute != null) return `${substitute.quantity} ${substitute.itemNumber ?? 'without number'}`;
  return lineNumber === null || partOn == null
    ? (lineNumber ?? supplier)
    : `${lineNumber}, part of ${partOn}`;
}

function addCommit(runs: Command): void {
  const commit = runs
    .command('commit [number...]')
    .description(
      'carry out these actions of a planning run, all or none: orders by supplier, and changes of lines',
    )
    .option('--run <run>', 'of this run; otherwise of the newest')
    .option('--all-new', 'all open actions that order or make')
    .option('--at <location>', 'where items are received whose planning names no location')
    .option('--now', 'order at once instead of drafting')
    .option('--note <text>', 'a note for the ledger and the lines');
  commit.action(async (numbers: string[], { run, allNew, at, now, note }: CommitFlags) => {
    if (numbers.length === 0 && allNew !== true)
      throw new UsageError(
        'Name the numbers of the actions, or say --all-new. partbook plan actions lists them.',
      );
    if (numbers.length > 0 && allNew === true) throw new UsageError('Either numbers or --all-new.');
    const session = openSession(commit);
    const { id } = await runMeant(session, run);
    const body = {
      ...(numbers.length === 0 ? {} : { actions: numbersOf(numbers) }),
      ...(at === undefined ? {} : { locationEntityId: await entityId(session, at, { role: 'location' }) }),
      as: now === true ? ('ordered' as const) : ('draft' as const),
      ...(note === undefined ? {} : { note }),
    };
    const made = await session.partbook('POST /planning/runs/{id}/commit', { id, body }, session);
    session.output.answer(made, () =>
      [
        ...made.orders.map(({ number, supplier, lines }) => {
          const from = supplier === null ? '' : ` from ${plain(supplier)}`;
          return `${number}${from}: ${countOf(lines.length, 'line')}`;
        }),
        ...made.lines.map(({ number, state, quantity, requiredBy }) => {
          const by = requiredBy === null ? '' : ` by ${requiredBy}`;
          return `${number}: ${state}, ${quantity}${by}`;
        }),
      ].join('\n'),
    );
  });
}

function addDismiss(runs: Command): void {
  const dismiss = runs
    .command('dismiss <number...>')
    .description('dismiss actions, in later runs too while the need is the same')
    .option('--run <run>', 'of this run; otherwise of the newest')
    .option('--take-back', 'take a dismissal back');
  dismiss.action(async (numbers: string[], flags: { run?: string; takeBack?: boolean }) => {
    const session = openSession(dismiss);
    const { id } = await runMeant(session, flags.run);
    const body = { actions: numbersOf(numbers), dismissed: flags.takeBack !== true };
    const done = await session.partbook('POST /planning/runs/{id}/dismiss', { id, body }, session);
    session.output.answer(done, () =>
      done.items.map(({ number, status }) => `${number}: ${status}`).join('\n'),
    );
  });
}

function numbersOf(texts: readonly string[]): number[] {
  return texts.map((text) => wholeNumber('The number of an action', text));
}

/** Returns the run with the id, or the newest. */
async function runMeant(session: Session, id: string | undefined): Promise<PlanningRun> {
  const { partbook } = session;
  if (id !== undefined) return partbook('GET /planning/runs/{id}', { id }, session);
  const { items } = await partbook('GET /planning/runs', { query: { limit: 1 } }, session);
  const [newest] = items;
  if (newest === undefined) throw new UsageError('There is no planning run. partbook plan start begins one.');
  return newest;
}

async function supplierIdOf(session: Session, text: string): Promise<string> {
  const meant = await supplierMeant(session, text);
  for await (const { id, name } of listItems(session.partbook, 'GET /suppliers', {}, session))
    if (name === meant) return id;
  throw new UsageError(`There is no supplier "${shown(text)}". partbook suppliers lists them.`);
}

/** Waits for the end and shows the counts. */
async function finish(session: Session, begun: PlanningRun): Promise<void> {
  const run = await followPlanningRun(session.partbook, begun, session);
  session.output.answer(run, () => summaryOf(run));
  if (run.failure !== null) session.output.say(run.failure.message, 'red');
  if (run.status !== 'completed') throw new Ended(exitCodes.failed);
}

function summaryOf(run: PlanningRun): string {
  const { status, actions, exceptions } = run;
  const { none: _, ...proposals } = actions;
  const named = (counts: Readonly<Record<string, number>>, order: readonly string[]) =>
    Object.entries(counts)
      .sort(([a], [b]) => order.indexOf(a) - order.indexOf(b))
      .map(([name, count]) => `${count} ${name}`)
      .join(', ') || 'none';
  return [
    `${run.id}: ${status}${run.isWhatIf ? ', what-if' : ''}`,
    ...(status === 'completed'
      ? [
          `actions: ${named(proposals, kinds)}`,
          `exceptions: ${named(exceptions, exceptionNames)}`,
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
