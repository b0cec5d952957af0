/** `partbook plan actions`, `commit` and `dismiss`: actions of planning runs, and what becomes of them. */
import type { Command } from 'commander';
import { amountText } from '../../../typescript/amount-text.ts';
import type { PlanningAction, PlanningRun } from '../../../typescript/generated/types.ts';
import { listItems, listPages } from '../../../typescript/list-items.ts';
import { planningActions } from '../../../typescript/planning-words.ts';
import { countOf } from '../../count-of.ts';
import { UsageError } from '../../exit-codes.ts';
import { supplierMeant } from '../../meant-names.ts';
import { plain, shown } from '../../output.ts';
import { entityId, openSession, type Session } from '../../session.ts';
import { type LimitFlags, limited, listFirst, wholeNumber } from '../../take-items.ts';

interface ActionFlags extends LimitFlags {
  run?: string;
  kind?: string;
  exception?: string;
  exceptions?: boolean;
  supplier?: string;
  project?: string;
  item?: string;
  status?: string;
}

interface CommitFlags {
  run?: string;
  allNew?: boolean;
  project?: string;
  supplier?: string;
  at?: string;
  now?: boolean;
  note?: string;
}

/** Actions that one call commits. */
const COMMITTED_MAX = 500;

export function addActions(runs: Command): void {
  addList(runs);
  addCommit(runs);
  addDismiss(runs);
}

function addList(runs: Command): void {
  const actions = runs
    .command('actions [run]')
    .description('list the actions of a planning run, or of the newest one, by the date on which to act')
    .option(
      '--kind <kind>',
      `only of this kind: ${planningActions.filter((kind) => kind !== 'none').join(', ')}`,
    )
    .option('--exceptions', 'only what has an exception')
    .option('--exception <name>', 'only what has this exception, such as late')
    .option('--supplier <name>', 'only orders from this supplier: its name, or a part that no other has')
    .option(
      '--project <project>',
      'only what serves a need of this project, directly or through what is made of it (number, guid:… or id)',
    )
    .option('--item <item>', 'only of this item (number, guid:… or id)')
    .option('--status <status>', 'only with this status: open, committed, dismissed');
  limited(actions, 200).action(async (given: string | undefined, flags: ActionFlags) => {
    const session = openSession(actions);
    const { partbook, output, signal } = session;
    const { id } = await runMeant(session, given);
    const { kind, exception, exceptions, item, status } = flags;
    const query = {
      // The service refuses a word that it does not know, and lists those that it does.
      ...(kind === undefined ? {} : { action: kind as PlanningAction['action'] }),
      ...(exception === undefined ? {} : { exception: exception as PlanningAction['exceptions'][number] }),
      ...(exceptions === true ? { has: 'exception' as const } : {}),
      ...(await narrowing(session, flags)),
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
        quantity: plannedText,
        start: (one) => one.startsOn,
        needed: (one) => one.neededOn,
        'supplier, line': supplierOrLine,
        amount: ({ amount, currency }) => (amount === null ? null : amountText(amount, currency)),
        exceptions: ({ exceptions: names }) => (names.length === 0 ? null : names.join(', ')),
        status: (one) => one.status,
      },
      'The plan has no such actions.',
    );
  });
}

async function narrowing(session: Session, { supplier, project }: Pick<ActionFlags, 'supplier' | 'project'>) {
  return {
    ...(supplier === undefined ? {} : { supplierId: await supplierIdOf(session, supplier) }),
    ...(project === undefined ? {} : { project: await entityId(session, project, { role: 'project' }) }),
  };
}

/** A line that is increased or decreased is to have so much. */
function plannedText({ action, quantity }: PlanningAction): string | number {
  return action === 'increase' || action === 'decrease' ? `to ${quantity}` : quantity;
}

/** The line with its part or the date from which it moves, the supplier, or the substitute. A service of an earlier version knows no parts and no substitutes. */
function supplierOrLine({
  action,
  lineNumber,
  lineDate,
  partOn,
  supplier,
  substitute,
}: PlanningAction): string | null {
  if (substitute != null) return `${substitute.quantity} ${substitute.itemNumber ?? 'without number'}`;
  if (lineNumber === null) return supplier;
  if (partOn != null) return `${lineNumber}, part of ${partOn}`;
  return lineDate != null && (action === 'expedite' || action === 'defer')
    ? `${lineNumber}, now ${lineDate}`
    : lineNumber;
}

function addCommit(runs: Command): void {
  const commit = runs
    .command('commit [number...]')
    .description(
      'carry out these actions of a planning run, all or none: orders by supplier, and changes of lines',
    )
    .option('--run <run>', 'of this run; otherwise of the newest')
    .option('--all-new', 'all open actions that order or make')
    .option('--project <project>', 'with --all-new: only those that serve a need of this project')
    .option('--supplier <name>', 'with --all-new: only orders from this supplier')
    .option('--at <location>', 'where items are received whose planning names no location')
    .option('--now', 'order at once instead of drafting')
    .option('--note <text>', 'a note for the ledger and the lines');
  commit.action(async (numbers: string[], flags: CommitFlags) => {
    const { run, allNew, project, supplier, at, now, note } = flags;
    const isNarrowed = project !== undefined || supplier !== undefined;
    if (numbers.length === 0 && allNew !== true)
      throw new UsageError(
        'Name the numbers of the actions, or say --all-new. partbook plan actions lists them.',
      );
    if (numbers.length > 0 && allNew === true) throw new UsageError('Either numbers or --all-new.');
    if (isNarrowed && allNew !== true) throw new UsageError('--project and --supplier narrow --all-new.');
    const session = openSession(commit);
    const { id } = await runMeant(session, run);
    const body = {
      ...(numbers.length === 0 ? {} : { actions: numbersOf(numbers) }),
      ...(isNarrowed ? { actions: await newActions(session, id, flags) } : {}),
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

/** Returns the numbers of all open actions that order or make and that the flags ask for. */
async function newActions(session: Session, id: string, flags: CommitFlags): Promise<number[]> {
  const query = { status: 'open' as const, has: 'proposal' as const, ...(await narrowing(session, flags)) };
  const found: number[] = [];
  for await (const { number, action } of listItems(
    session.partbook,
    'GET /planning/runs/{id}/actions',
    { id, query },
    session,
  )) {
    if (action === 'order' || action === 'make') found.push(number);
    if (found.length > COMMITTED_MAX)
      throw new UsageError(`There are more than ${COMMITTED_MAX} of them. Commit them by their numbers.`);
  }
  if (found.length === 0) throw new UsageError('The plan has no such open actions.');
  return found;
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
export async function runMeant(session: Session, id: string | undefined): Promise<PlanningRun> {
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
