/** How the other side follows what is written here while a workspace moves, and how it stops following. */
import { setTimeout as delay } from 'node:timers/promises';
import { sqlState } from '../../db/transaction.ts';
import { TransferError } from '../transfer-format.ts';
import {
  dropPublication,
  dropSlot,
  endReader,
  selectLag,
  selectSlot,
  selectSubscription,
} from './move.sql.ts';
import { hasSubscription, type Sides } from './two-sides.ts';

/** Bytes that the other side may lack when the stop begins. */
const LAG_BYTES_MAX = 1024 * 1024;
const CATCH_UP_MS_MAX = 3_600_000;
/** The wait for the reader of a slot, which ends soon. */
const SLOT_MS_MAX = 20_000;
const POLL_MS = 100;

export async function catchUp(sides: Sides): Promise<void> {
  const { from, name } = sides;
  await until(CATCH_UP_MS_MAX, 'The other side does not catch up.', async () => {
    await requireFollowing(sides);
    const [lag] = await from.query<{ bytes: number }>(selectLag, [name]);
    return (lag?.bytes ?? Number.POSITIVE_INFINITY) <= LAG_BYTES_MAX;
  });
}

export async function requireFollowing({ from, to, name }: Sides): Promise<void> {
  const [subscription] = await to.query<{ enabled: boolean }>(selectSubscription, [name]);
  const [slot] = await from.query<{ wal_status: string | null }>(selectSlot, [name]);
  if (slot === undefined || slot.wal_status === 'lost')
    throw new TransferError(
      'What was written meanwhile is no longer kept (max_slot_wal_keep_size). Cancel the move.',
    );
  if (subscription?.enabled !== true)
    throw new TransferError(
      'The other side could not write what came, and has stopped following: its log says why. Cancel the move.',
    );
}

export async function unsubscribe(sides: Sides): Promise<void> {
  const { to, name } = sides;
  if (!(await hasSubscription(sides))) return;
  await to.query(`alter subscription ${name} disable`);
  // Its slot is on the other side, and dropped from there.
  await to.query(`alter subscription ${name} set (slot_name = none)`);
  await to.query(`drop subscription ${name}`);
}

export async function unpublish({ from, name }: Sides): Promise<void> {
  await until(SLOT_MS_MAX, 'The slot is still being read.', async () => {
    await from.query(endReader, [name]);
    try {
      await from.query(dropSlot, [name]);
      return true;
    } catch (error) {
      // Whoever read from it is about to end.
      if (sqlState(error) !== '55006') throw error;
      return false;
    }
  });
  await from.query(dropPublication(name));
}

export async function until(
  msMax: number,
  otherwise: string,
  isSo: () => Promise<boolean>,
  pollMs = POLL_MS,
): Promise<void> {
  const deadline = performance.now() + msMax;
  while (!(await isSo())) {
    if (performance.now() > deadline) throw new TransferError(otherwise);
    await delay(pollMs);
  }
}
