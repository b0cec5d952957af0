/**
 * Following what happens in workspaces: one look a second for all streams of a process, however many follow how many
 * workspaces. A look that takes long is followed by a pause that is longer still.
 */

import { UNREAD_MAX } from '../collaboration/inbox/inbox.schema.ts';
import type { Db } from '../db/connect.ts';
import { inTransaction } from '../db/transaction.ts';
import type { FollowedBatch } from '../sync/batch/follow-batches.ts';
import { readFollowed } from '../sync/batch/read-batches.ts';
import type { SyncBatch } from '../sync/batch/sync.schema.ts';
import { selectInboxes, selectLatestBatches, selectLatestPlans, selectLatestRuns } from './changes.sql.ts';
import {
  type Change,
  changesSince,
  isUnderWay,
  type LatestRun,
  NEWEST_BATCHES,
  NEWEST_PLANS,
  NEWEST_RUNS,
  type Seen,
  seenIn,
  UNFINISHED_MAX,
} from './compare-looks.ts';
import type { ChangedPlan } from './overview.schema.ts';

export interface FollowedWorkspace {
  id: string;
  slug: string;
}

/** Told of what has changed since the last look; null: nothing more is to be had now. */
export type Tell = (changes: readonly Change[] | null) => void;

const PERIOD_MS = 1000;
/** At most a fifth of the time one connection is busy with it. */
const PAUSE_PER_LOOK = 4;

interface Followed {
  workspace: FollowedWorkspace;
  tells: Set<Tell>;
  /** State at the last look; null before the first, which reports nothing. */
  seen: Seen | null;
  /** Members whose inboxes are followed, each with the state of its inbox at the last look; null before the first. */
  inboxes: Map<string, { tells: Set<Tell>; seen: string | null }>;
}

interface BatchRow {
  workspace_id: string;
  id: string;
  status: SyncBatch['status'];
}

interface PlanRow extends ChangedPlan {
  workspace_id: string;
}

interface InboxRow {
  workspace_id: string;
  member_id: string;
  unread: number;
  latest: string | null;
}

interface RunRow extends LatestRun {
  workspace_id: string;
}

export class WorkspaceFollower {
  readonly #db: Db;
  readonly #followed = new Map<string, Followed>();
  #timer: NodeJS.Timeout | null = null;
  #isLooking = false;
  #isClosed = false;
  #tookMs = 0;

  constructor(db: Db) {
    this.#db = db;
  }

  /** Looks so far. */
  looks = 0;

  /** Workspaces that anybody follows. */
  get size(): number {
    return this.#followed.size;
  }

  /** Tells of changes from now on until what it returns is called; of those of an inbox if a member follows. */
  follow(workspace: FollowedWorkspace, tell: Tell, memberId: string | null = null): () => void {
    if (this.#isClosed) {
      tell(null);
      return () => {};
    }
    const followed = this.#followed.get(workspace.id) ?? {
      workspace,
      tells: new Set(),
      seen: null,
      inboxes: new Map(),
    };
    this.#followed.set(workspace.id, followed);
    followed.tells.add(tell);
    if (memberId !== null) {
      const inbox = followed.inboxes.get(memberId) ?? { tells: new Set(), seen: null };
      followed.inboxes.set(memberId, inbox);
      inbox.tells.add(tell);
    }
    this.#schedule(0);
    return () => {
      followed.tells.delete(tell);
      const inbox = followed.inboxes.get(memberId ?? '');
      inbox?.tells.delete(tell);
      if (inbox?.tells.size === 0) followed.inboxes.delete(memberId ?? '');
      if (followed.tells.size === 0 && this.#followed.get(workspace.id) === followed) {
        this.#followed.delete(workspace.id);
      }
    };
  }

  close(): void {
    this.#isClosed = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
    for (const followed of [...this.#followed.values()]) end(followed);
    this.#followed.clear();
  }

  #schedule(waitMs = PERIOD_MS): void {
    if (this.#timer !== null || this.#isLooking || this.#isClosed || this.#followed.size === 0) return;
    this.#timer = setTimeout(() => void this.#look(), Math.max(waitMs, PAUSE_PER_LOOK * this.#tookMs));
  }

  async #look(): Promise<void> {
    this.#timer = null;
    this.#isLooking = true;
    const looked = [...this.#followed.values()];
    const startedAt = performance.now();
    try {
      const { batches, runs, plans, inboxes } = await readLatest(this.#db, looked);
      for (const followed of looked) {
        const { id } = followed.workspace;
        const latest = {
          batches: batches.get(id) ?? [],
          runs: runs.get(id) ?? [],
          plans: plans.get(id) ?? [],
        };
        const changes = changesSince(followed.seen, latest);
        followed.seen = seenIn(latest);
        if (changes.length > 0) for (const tell of [...followed.tells]) tell(changes);
        tellOfInboxes(followed, inboxes.get(followed.workspace.id) ?? []);
      }
    } catch {
      // PostgreSQL is away, or busy: the clients come back, and are told then.
      for (const followed of looked) {
        this.#followed.delete(followed.workspace.id);
        end(followed);
      }
    } finally {
      this.looks++;
      this.#tookMs = performance.now() - startedAt;
      this.#isLooking = false;
      this.#schedule();
    }
  }
}

function end({ tells }: Followed): void {
  for (const tell of [...tells]) tell(null);
}

/** Reads for each workspace the batches whose state matters, and the newest runs of automations and of planning. */
async function readLatest(
  db: Db,
  looked: readonly Followed[],
): Promise<{
  batches: ReadonlyMap<string, SyncBatch[]>;
  runs: ReadonlyMap<string, RunRow[]>;
  plans: ReadonlyMap<string, PlanRow[]>;
  inboxes: ReadonlyMap<string, InboxRow[]>;
}> {
  const ids = looked.map(({ workspace }) => workspace.id);
  const followers = looked.flatMap(({ workspace, inboxes }) =>
    [...inboxes.keys()].map((memberId) => ({ workspaceId: workspace.id, memberId })),
  );
  const { latest, runs, plans, inboxes } = await inTransaction(
    db,
    'instance',
    async (tx) => ({
      latest: await tx.query<BatchRow>(selectLatestBatches, [ids, NEWEST_BATCHES, UNFINISHED_MAX]),
      runs: await tx.query<RunRow>(selectLatestRuns, [ids, NEWEST_RUNS]),
      plans: await tx.query<PlanRow>(selectLatestPlans, [ids, NEWEST_PLANS, UNFINISHED_MAX]),
      inboxes:
        followers.length === 0
          ? []
          : await tx.query<InboxRow>(selectInboxes, [
              followers.map(({ workspaceId }) => workspaceId),
              followers.map(({ memberId }) => memberId),
              UNREAD_MAX + 1,
            ]),
    }),
    { readOnly: true },
  );
  const latestOf = Map.groupBy(latest, (row) => row.workspace_id);
  const refs: FollowedBatch[] = [];
  for (const { workspace, seen } of looked) {
    const wanted = new Set((latestOf.get(workspace.id) ?? []).map(({ id }) => id));
    // What was under way at the last look has ended since, wherever it stands by now.
    for (const [id, state] of seen?.batches ?? []) if (isUnderWay(state)) wanted.add(id);
    for (const batchId of wanted) refs.push({ workspaceId: workspace.id, batchId, slug: workspace.slug });
  }
  const envelopes = refs.length === 0 ? new Map<string, SyncBatch>() : await readFollowed(db, refs);
  const batches = Map.groupBy(
    refs.flatMap(({ workspaceId, batchId }) => {
      const batch = envelopes.get(batchId);
      return batch === undefined ? [] : [{ workspaceId, batch }];
    }),
    ({ workspaceId }) => workspaceId,
  );
  return {
    batches: new Map([...batches].map(([id, some]) => [id, some.map(({ batch }) => batch)])),
    runs: Map.groupBy(runs, (row) => row.workspace_id),
    plans: Map.groupBy(plans, (row) => row.workspace_id),
    inboxes: Map.groupBy(inboxes, (row) => row.workspace_id),
  };
}

/** Tells the members whose inboxes differ from the last look. */
function tellOfInboxes({ inboxes }: Followed, rows: readonly InboxRow[]): void {
  for (const { member_id, unread, latest } of rows) {
    const inbox = inboxes.get(member_id);
    const state = `${unread} ${latest}`;
    if (inbox === undefined || inbox.seen === state) continue;
    const isFirst = inbox.seen === null;
    inbox.seen = state;
    const data = { unread: Math.min(unread, UNREAD_MAX), isAtLeast: unread > UNREAD_MAX };
    if (!isFirst) for (const tell of [...inbox.tells]) tell([{ event: 'inbox', data }]);
  }
}
