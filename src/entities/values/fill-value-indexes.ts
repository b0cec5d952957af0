/**
 * Fills the indexes of properties that have become filterable or searchable, and indexes entities that were created many at a time, beside
 * the writers: in short transactions, of one workspace after the other. `value_index` says how far it is, so that another run or process goes on there; a definition that is no longer filterable ends it.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import { lockConfiguration } from '../../configuration/lock-configuration.ts';
import { addIndex, arrangeSearch } from '../../configuration/properties/change-property-definition.ts';
import { PropertyDefinitionRow } from '../../configuration/properties/property-definition.entity.ts';
import type { Db } from '../../db/connect.ts';
import { inTransaction, type Tx } from '../../db/transaction.ts';
import { workInTurn } from '../../db/turns/work-in-turn.ts';
import { type PeriodicLoop, startPeriodic } from '../../process/start-periodic.ts';
import {
  deletePending,
  deleteValues,
  fillIndex,
  fillLines,
  forgetIndex,
  indexPending,
  lockSearchable,
  noteFilled,
  selectIndexToFill,
  selectIsImporting,
  selectPending,
  selectWithoutIndex,
  selectWorkspacesToFill,
  shortenPending,
} from './fill-value-indexes.sql.ts';

const PERIOD_MS = 1000;
/** Entities of which all values are indexed in one transaction. */
const CREATED_AT_ONCE = 500;
/** The job rests so many times as long as a piece took; longer beside an import of the workspace, which keeps the machine. */
const REST = 1;
const REST_BESIDE_IMPORT = 9;
const REST_MS_MAX = 500;
/** Entities in one transaction: a writer of one of them waits that long. */
const ENTITIES_AT_ONCE = 1000;
const ROWS_DELETED = 5000;
const WORKSPACES_MAX = 100;
const VALUE_IS_THERE = '23505';
const LOWEST_ID = '00000000-0000-0000-0000-000000000000';

export interface Filling {
  db: Db;
  log: Pick<Logger, 'warn' | 'error'>;
}

export function startFilling(filling: Filling): PeriodicLoop {
  return startPeriodic({
    periodMs: PERIOD_MS,
    first: 'at random',
    run: (signal) => fillValueIndexes(filling, signal),
    failure: { log: filling.log, message: 'indexes of properties have to wait' },
  });
}

/** Fills until nothing is left, a piece of each workspace at a time. */
export async function fillValueIndexes({ db, log }: Filling, signal?: AbortSignal): Promise<void> {
  await addMissing(db);
  await workInTurn({
    db,
    log,
    signal,
    find: (tx) => tx.query<{ workspace_id: string }>(selectWorkspacesToFill, [WORKSPACES_MAX]),
    work: async ({ workspace_id: workspaceId }) => {
      const began = performance.now();
      let attempts = 0;
      const work = (tx: Tx) => workOnOne(tx, attempts++ > 0);
      const done = await inTransaction(db, { workspaceId }, work, { retryOn: [VALUE_IS_THERE] });
      const rest = done.isImporting ? REST_BESIDE_IMPORT : REST;
      await delay(Math.min(REST_MS_MAX, (performance.now() - began) * rest), undefined, { signal }).catch(
        () => {},
      );
      return done.worked ? 1 : 0;
    },
    failure: 'indexes of properties could not be filled; trying again',
  });
}

/** A workspace that was imported or moved here brings its definitions without their indexes. */
async function addMissing(db: Db): Promise<void> {
  const missing = await inTransaction(db, 'instance', (tx) =>
    tx.query<{ workspace_id: string; key: string }>(selectWithoutIndex, [WORKSPACES_MAX]),
  );
  for (const { workspace_id: workspaceId, key } of missing) {
    await inTransaction(db, { workspaceId }, async (tx) => {
      await lockConfiguration(tx);
      if (key === '') return arrangeSearch(tx);
      const row = await tx.em.findOne(PropertyDefinitionRow, { workspaceId, key });
      if (row?.filterable === true) await addIndex(tx, row);
    });
  }
}

/** Indexes entities that were created many at a time; the first of the oldest. The first attempt expects none of their values to be there. */
async function indexCreated(tx: Tx, isRepeated: boolean): Promise<boolean> {
  const { workspaceId } = tx;
  const [pending] = await tx.query<{ id: string; ids: string[]; is_last: boolean }>(selectPending, [
    workspaceId,
    CREATED_AT_ONCE,
  ]);
  if (pending === undefined) return false;
  const { id, ids, is_last: isLast } = pending;
  const [searchable] = await tx.query<{ keys: string[] }>(lockSearchable, [workspaceId]);
  await tx.query(indexPending(isRepeated), [workspaceId, ids, searchable?.keys ?? null]);
  if (isLast) await tx.query(deletePending, [workspaceId, id]);
  else await tx.query(shortenPending, [workspaceId, id, CREATED_AT_ONCE]);
  return true;
}

interface IndexRow {
  number: number;
  key: string;
  kind: 'number' | 'text' | 'words';
  /** Keys of the searchable properties, for the kind words; null for others. */
  keys: string[] | null;
  filled_to: string | null;
  is_dropped: boolean;
}

/** `worked` says whether there was something to do that nobody else does. */
async function workOnOne(tx: Tx, isRepeated: boolean): Promise<{ worked: boolean; isImporting: boolean }> {
  const worked = (await indexCreated(tx, isRepeated)) || (await workOnIndex(tx));
  const [found] = await tx.query<{ importing: boolean }>(selectIsImporting, [tx.workspaceId]);
  return { worked, isImporting: found?.importing === true };
}

/** Returns whether there was something to do that nobody else does. */
async function workOnIndex(tx: Tx): Promise<boolean> {
  const { workspaceId } = tx;
  const [index] = await tx.query<IndexRow>(selectIndexToFill, [workspaceId]);
  if (index === undefined) return false;
  const { number, kind, keys } = index;
  if (index.is_dropped && kind !== 'words') {
    const deleted = await tx.query(deleteValues(kind), [workspaceId, number, ROWS_DELETED]);
    if (deleted.length < ROWS_DELETED) await tx.query(forgetIndex, [workspaceId, number]);
    return true;
  }
  const after = index.filled_to ?? LOWEST_ID;
  const [piece] = await tx.query<{ last: string | null; looked: number }>(
    kind === 'words' ? fillLines : fillIndex(kind),
    kind === 'words'
      ? [workspaceId, keys, after, ENTITIES_AT_ONCE]
      : [workspaceId, number, index.key, after, ENTITIES_AT_ONCE],
  );
  const isFilled = (piece?.looked ?? 0) < ENTITIES_AT_ONCE;
  // Without any searchable property the fill has deleted all lines.
  if (isFilled && keys?.length === 0) await tx.query(forgetIndex, [workspaceId, number]);
  else await tx.query(noteFilled, [workspaceId, number, piece?.last ?? null, isFilled]);
  return true;
}
