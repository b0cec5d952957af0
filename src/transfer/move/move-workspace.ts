/**
 * Takes a workspace to another installation while it is written to. It is copied and followed until both sides have the same but
 * for moments; then it is stopped (callers get 503 with `Retry-After`), what is left is awaited, both sides are compared, and
 * it is worked on there. Killed at any line nothing is lost: done again it goes on, or it is cancelled, until it is worked on
 * there. At no moment both sides work on it.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { newId } from '../../db/ids.ts';
import { sqlState } from '../../db/transaction.ts';
import { digestHeads } from '../digest-heads.ts';
import { TransferError } from '../transfer-format.ts';
import { clearArriving, copyWorkspace } from './copy-workspace.ts';
import { catchUp, requireFollowing, unpublish, unsubscribe, until } from './follow-source.ts';
import {
  changeState,
  countRows,
  createPublication,
  createSubscription,
  forgetLanes,
  forgetWebhooks,
  holdLongWork,
  insertMark,
  insertSystemActor,
  keepAlone,
  markCopied,
  releaseLongWork,
  renumberWaiting,
  selectInside,
  selectMark,
  selectPublication,
  selectWalLevel,
  unlockExclusively,
} from './move.sql.ts';
import {
  betweenSides,
  hasSubscription,
  type MoveUrls,
  type Side,
  type Sides,
  stateThere,
  together,
} from './two-sides.ts';

export const steps = [
  'publish',
  'copy',
  'subscribe',
  'catch up',
  'hold long work',
  'stop',
  'drain',
  'prove',
  'switch',
  'unsubscribe',
  'unpublish',
  'leave',
  'moved',
] as const;
export type Step = (typeof steps)[number];

export interface MoveOptions {
  /** The address of the other installation, which callers are told who still ask at the first. */
  movedTo: string | null;
  /** Called before each step. From `unsubscribe` on it is worked on there. */
  onStep?: (step: Step) => void | Promise<void>;
}

export interface Moved {
  workspaceId: string;
  slug: string;
  /** Rows of the copy; 0 where that was made before. */
  copied: number;
  /** Between the stop and the switch; null where that was before. */
  pauseMs: number | null;
  ledger: { entries: number; positions: number; digest: string } | null;
}

/** If a running transaction takes longer, the stop is retried later. */
const ALONE_MS_MAX = 1500;
const STOPS_MAX = 20;
const BETWEEN_STOPS_MS = 2000;
const LONG_WORK_MS_MAX = 120_000;
const DRAIN_MS_MAX = 20_000;
const LOCK_NOT_AVAILABLE = '55P03';

/** Throws `TransferError` where it cannot be; the workspace is worked on here then, as before. */
export function moveWorkspace(urls: MoveUrls, slug: string, options: MoveOptions): Promise<Moved> {
  return betweenSides(urls, slug, async (sides) => {
    const { onStep = () => {} } = options;
    const { workspace } = sides;
    const there = await stateThere(sides);
    if (there === 'gone')
      throw new TransferError(
        'It was there before and has left: forget it there, with its name, before it comes back.',
      );
    const result: Moved = { workspaceId: workspace.id, slug, copied: 0, pauseMs: null, ledger: null };
    if (there !== 'active') {
      if (workspace.state === 'gone')
        throw new TransferError(`The workspace ${slug} has left already, for elsewhere.`);
      await bring(sides, onStep, result);
    }
    await onStep('unsubscribe');
    await unsubscribe(sides);
    await onStep('unpublish');
    await unpublish(sides);
    await onStep('leave');
    await sides.from.query(releaseLongWork, [workspace.id]);
    await sides.from.query(changeState, [workspace.id, 'moving', 'gone', options.movedTo]);
    await onStep('moved');
    return result;
  });
}

/** It stays where it is, and what was brought to the other side goes. Refused when it is worked on there. */
export function cancelMove(urls: MoveUrls, slug: string): Promise<{ workspaceId: string; slug: string }> {
  return betweenSides(urls, slug, async (sides) => {
    const { from, to, workspace } = sides;
    if ((await stateThere(sides)) === 'active')
      throw new TransferError('It is worked on there already: move it back.');
    await unsubscribe(sides);
    // From here on it cannot be switched to the other side.
    await clearArriving(sides);
    if (
      (await to.query(`select from workspace where id = $1 and state <> 'gone'`, [workspace.id])).length > 0
    )
      throw new TransferError('It is worked on there already: move it back.');
    await resume(sides);
    await unpublish(sides);
    await from.query(releaseLongWork, [workspace.id]);
    return { workspaceId: workspace.id, slug };
  });
}

async function bring(
  sides: Sides,
  onStep: (step: Step) => void | Promise<void>,
  result: Moved,
): Promise<void> {
  const { from, to, name, tables, workspace } = sides;
  const [level] = await from.query<{ setting: string }>(selectWalLevel);
  if (level?.setting !== 'logical')
    throw new TransferError(`wal_level is ${level?.setting} here: it has to be logical.`);
  await onStep('publish');
  if ((await from.query(selectPublication, [name])).length === 0)
    await from.query(createPublication(name, tables, workspace.id));
  await onStep('copy');
  result.copied = await copyWorkspace(sides);
  await onStep('subscribe');
  if (!(await hasSubscription(sides))) await to.query(createSubscription(name, sides.seenFrom));
  await onStep('catch up');
  await catchUp(sides);
  try {
    await onStep('hold long work');
    await awaitLongWork(sides);
    await stopAndSwitch(sides, onStep, result);
  } catch (error) {
    await stayHere(sides).catch(() => {});
    throw error;
  }
}

/** Leaves everything as it is if it is unknown which side works on it: the next move or cancellation finds out. */
async function stayHere(sides: Sides): Promise<void> {
  if ((await stateThere(sides)) !== 'moving') return;
  await resume(sides);
  await sides.from.query(releaseLongWork, [sides.workspace.id]);
}

async function stopAndSwitch(
  sides: Sides,
  onStep: (step: Step) => void | Promise<void>,
  result: Moved,
): Promise<void> {
  const { from, to, workspace } = sides;
  await onStep('stop');
  const stoppedAt = await stop(sides);
  // No caller is accepted until the other side works on the workspace, whatever was read before the stop.
  try {
    await onStep('drain');
    const mark = newId();
    await together(from, async () => {
      await from.query(insertSystemActor, [workspace.id]);
      await from.query(insertMark, [workspace.id, mark, workspace.slug]);
    });
    await drain(sides, mark);
    await onStep('prove');
    result.ledger = await prove(sides);
    await onStep('switch');
    await takeOver(to, sides);
    result.pauseMs = Math.round(performance.now() - stoppedAt);
  } finally {
    await from.query(unlockExclusively, [workspace.id]);
  }
}

/** Long steps begin no more, and those under way are awaited; calls go on meanwhile. */
async function awaitLongWork({ from, workspace }: Sides): Promise<void> {
  await from.query(holdLongWork, [workspace.id]);
  const inside = async () =>
    new Set((await from.query<{ name: string }>(selectInside, [workspace.id])).map(({ name }) => name));
  const before = await inside();
  await until(LONG_WORK_MS_MAX, 'A transaction in the workspace does not end.', async () => {
    const now = await inside();
    return ![...before].some((name) => now.has(name));
  });
}

/** Resolves when nobody writes in it any more, to the moment at which it was stopped; with the lock held. */
async function stop({ from, workspace }: Sides): Promise<number> {
  await from.query(`set lock_timeout = ${ALONE_MS_MAX}`);
  for (let tries = 1; ; tries++) {
    const stoppedAt = performance.now();
    await from.query(changeState, [workspace.id, 'active', 'moving', null]);
    try {
      await from.query(keepAlone, [workspace.id]);
      return stoppedAt;
    } catch (error) {
      if (sqlState(error) !== LOCK_NOT_AVAILABLE) throw error;
      await resume({ from, workspace });
      if (tries >= STOPS_MAX)
        throw new TransferError('Transactions in the workspace take too long for it to be stopped.', {
          cause: error,
        });
      await delay(BETWEEN_STOPS_MS);
    }
  }
}

async function drain(sides: Sides, mark: string): Promise<void> {
  const { to, workspace } = sides;
  let looks = 0;
  const isThere = async () => {
    if (++looks % 50 === 0) await requireFollowing(sides);
    return (await to.query(selectMark, [workspace.id, mark])).length > 0;
  };
  await until(DRAIN_MS_MAX, 'What was written last does not arrive on the other side.', isThere, 5);
}

/** Both sides have the same rows in number, and the same ledger. */
async function prove({ from, to, tables, workspace }: Sides): Promise<NonNullable<Moved['ledger']>> {
  const at = new Date().toISOString();
  const [here, there] = await Promise.all(
    [from, to].map(async (side) => {
      const rows = await side.query<{ table: string; rows: number }>(countRows(tables), [workspace.id]);
      return {
        rows: rows.map(({ table, rows: n }) => `${table} ${n}`),
        ledger: await digestHeads(side, workspace.id, at),
      };
    }),
  );
  if (here === undefined || there === undefined) throw new Error('Two sides have two answers');
  const others = new Set(there.rows);
  const differing = here.rows.filter((one) => !others.has(one));
  if (differing.length > 0)
    throw new TransferError(`The other side has other numbers of rows: ${differing.join(', ')}.`);
  if (here.ledger.digest !== there.ledger.digest || here.ledger.entries !== there.ledger.entries)
    throw new TransferError('The other side has another ledger.');
  return here.ledger;
}

/** From its commit on it is worked on there. */
async function takeOver(to: Side, { name, workspace }: Sides): Promise<void> {
  await together(to, async () => {
    const taken = await to.query(changeState, [workspace.id, 'moving', 'active', null]);
    if (taken.length === 0) throw new TransferError('The move was cancelled.');
    await to.query(`alter subscription ${name} disable`);
    await to.query(releaseLongWork, [workspace.id]);
    for (const sql of [renumberWaiting, forgetLanes, forgetWebhooks, markCopied])
      await to.query(sql, [workspace.id]);
  });
}

async function resume({ from, workspace }: Pick<Sides, 'from' | 'workspace'>): Promise<void> {
  await from.query(changeState, [workspace.id, 'moving', 'active', null]);
}
