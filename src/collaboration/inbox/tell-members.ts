/**
 * The handler of `inbox.tell`: turns events of the outbox into lines of the inboxes of those who follow them (src/events/read-lane.ts). What
 * a turn writes commits together with how far it has read, so nobody is told twice. A step is at most EVENTS_MAX events of one row and, of
 * each subject, FOLLOWERS_MAX members; further members of the same events are told in the next step. Lanes of other workspaces have their
 * turns in between.
 */
import type { Logger } from 'pino';
import type { Config } from '../../config.ts';
import type { Db } from '../../db/connect.ts';
import { newId } from '../../db/ids.ts';
import { jsonPortions } from '../../db/json-portions.ts';
import type { Tx } from '../../db/transaction.ts';
import {
  type OutboxRow,
  type Portion,
  type Position,
  readLane,
  type TurnRef,
} from '../../events/read-lane.ts';
import { unpackEvents } from '../../events/record-events.ts';
import type { Queues } from '../../queue/queues.ts';
import { selectActive } from '../../subscriptions/subscriptions.sql.ts';
import { chooseLines, type Follower, type KnownNews, keyOf, type Line } from './choose-lines.ts';
import { type FollowedView, mayFollowView, readFollowedViews, viewsShowing } from './followed-views.ts';
import {
  addLines,
  anyBelow,
  scheduleMails,
  selectEntityIds,
  selectFollowedAbove,
  selectFollowers,
  selectMembersOfActors,
  selectSubmitters,
  trimLines,
} from './inbox.sql.ts';
import { type LineKind, type News, newsOf } from './news.ts';

export interface Teller {
  config: Config;
  log: Logger;
  db: Db;
  queues: Queues;
}

type TellingLimits = Pick<Config, 'SMTP_URL' | 'INBOX_LINES_MAX' | 'INBOX_MAIL_SPACING_SECONDS'>;

const ROWS_MAX = 20;
const EVENTS_MAX = 100;
const STEPS_MAX = 20;
const FOLLOWERS_MAX = 200;
/** Maximum number of places above the entities of one step; followers of places further above are not notified. */
const ABOVE_MAX = 20_000;

export async function tellMembers({ config, log, db, queues }: Teller, ref: TurnRef): Promise<void> {
  const passed = await readLane({ db, log, reader: 'inbox', rowsMax: ROWS_MAX, giveUp }, ref, (tx, rows) =>
    tellPortion(tx, rows, config),
  );
  if (passed !== null && passed.turn !== null)
    await queues.announce('inbox.tell', { workspaceId: ref.workspaceId, turn: passed.turn });
}

/** Passes over the events of the first step. */
async function giveUp(_tx: Tx, rows: readonly OutboxRow[]): Promise<Position | null> {
  const [row, following] = rows;
  if (row === undefined) return null;
  const index = row.next + EVENTS_MAX;
  if (index < row.event_count) return { row, index };
  return following === undefined ? null : { row: following, index: following.next };
}

async function tellPortion(
  tx: Tx,
  rows: readonly OutboxRow[],
  limits: TellingLimits,
): Promise<Portion<null>> {
  const [any] = await tx.query<{ below: boolean; views: boolean }>(anyBelow, [tx.workspaceId]);
  const withBelow = any?.below === true;
  const views = any?.views === true ? await readFollowedViews(tx) : [];
  let steps = 0;
  for (const row of rows) {
    const events = unpackEvents(row.events);
    let after = row.after ?? null;
    for (let from = row.next; from < events.length; ) {
      if (steps === STEPS_MAX) return { next: { row, index: from, after }, slow: false, answer: null };
      steps += 1;
      const news = events.slice(from, from + EVENTS_MAX).flatMap((event) => newsOf(row, event) ?? []);
      after = await tellStep(tx, news, { after, withBelow, views, limits });
      if (after === null) from += EVENTS_MAX;
    }
  }
  return { next: null, slow: false, answer: null };
}

interface Step {
  /** The last member who has already been notified of these events. */
  after: string | null;
  withBelow: boolean;
  views: readonly FollowedView[];
  limits: TellingLimits;
}

/** Returns the last member who was told, or null if all were. */
async function tellStep(
  tx: Tx,
  news: readonly News[],
  { after, withBelow, views, limits }: Step,
): Promise<string | null> {
  if (news.length === 0) return null;
  const known = await complete(tx, news, { withBelow, views });
  const subjects = new Map(
    known.flatMap((one) =>
      [...one.subjects, ...one.above, ...one.views.map(({ subject }) => subject)].map((subject) => [
        keyOf(subject),
        subject,
      ]),
    ),
  );
  const rows = await tx.query<Follower>(selectFollowers, [
    tx.workspaceId,
    [...subjects.values()].map(({ type }) => type),
    [...subjects.values()].map(({ key }) => key),
    after,
    FOLLOWERS_MAX,
  ]);
  const followers = Map.groupBy(rows, keyOf);
  // A subject may have more followers than were read. The next step goes on behind the last one.
  const ends = [...followers.values()].flatMap((some) =>
    some.length === FOLLOWERS_MAX ? [some.at(-1)?.member_id ?? ''] : [],
  );
  const end = ends.length === 0 ? null : (ends.toSorted()[0] ?? null);
  const lines = chooseLines(
    known,
    followers,
    (memberId) => (after === null || memberId > after) && (end === null || memberId <= end),
  );
  await writeLines(tx, lines, limits);
  return end;
}

/** Finds the entities of the news, what is above them, the views that show them, and who caused them. */
async function complete(
  tx: Tx,
  news: readonly News[],
  { withBelow, views }: Pick<Step, 'withBelow' | 'views'>,
): Promise<KnownNews[]> {
  const refs = distinct(news.flatMap((one) => [one.entityRef, ...one.subjects.map(entityKey)]));
  const actorIds = distinct(news.map(({ actorId }) => actorId));
  const batchIds = distinct(
    news.map(({ kind, batchId }) => (kind === 'importProblem' || kind === 'commented' ? batchId : null)),
  );
  const submitted = await readIf<{ id: string; submitted_by: string }>(tx, selectSubmitters, batchIds);
  const submitterOf = new Map(submitted.map(({ id, submitted_by }) => [id, submitted_by]));
  const found = await readIf<{ ref: string; id: string | null }>(tx, selectEntityIds, refs);
  const idOf = new Map(found.map(({ ref, id }) => [ref, id]));
  const actors = await readIf<{ actor_id: string; member_id: string }>(
    tx,
    selectMembersOfActors,
    distinct([...actorIds, ...submitterOf.values()]),
  );
  const memberOf = new Map(actors.map(({ actor_id, member_id }) => [actor_id, member_id]));
  const ids = distinct([...idOf.values()]);
  const above = withBelow
    ? Map.groupBy(
        await tx.query<{ origin: string; id: string }>(selectFollowedAbove, [tx.workspaceId, ids, ABOVE_MAX]),
        ({ origin }) => origin,
      )
    : new Map<string, { id: string }[]>();
  const idOfNews = ({ entityRef }: News) => (entityRef === null ? null : (idOf.get(entityRef) ?? null));
  const showable = distinct(news.filter(({ kind }) => shownByViews.has(kind)).map(idOfNews));
  const showing = showable.length === 0 ? null : await viewsShowing(tx, views, showable);
  return news.map((one) => {
    const subjects = one.subjects.map(({ type, key }) => ({
      type,
      key: type === 'entity' ? (idOf.get(key) ?? key) : key,
    }));
    const entityId = idOfNews(one);
    const shownIn = shownByViews.has(one.kind) ? (showing?.get(entityId ?? '') ?? []) : [];
    const direct = new Set(subjects.map(({ key }) => key));
    const over = distinct(subjects.flatMap(({ key }) => above.get(key)?.map(({ id }) => id) ?? []));
    return {
      ...one,
      subjects,
      entityId,
      above: over.filter((id) => !direct.has(id)).map((key) => ({ type: 'entity', key })),
      views: shownIn.map((view) => ({
        subject: { type: 'view' as const, key: view.id },
        mayFollow: (memberId: string) => mayFollowView(view, memberId),
      })),
      ownMember: one.actorId === null ? null : (memberOf.get(one.actorId) ?? null),
      submitter: memberOf.get(submitterOf.get(one.batchId ?? '') ?? '') ?? null,
    };
  });
}

/** Kinds of news that say something new of what a view shows. */
const shownByViews: ReadonlySet<LineKind> = new Set(['created', 'changed', 'moved']);

async function readIf<Row>(tx: Tx, sql: string, ids: readonly string[]): Promise<Row[]> {
  return ids.length === 0 ? [] : tx.query<Row>(sql, [tx.workspaceId, ids]);
}

const entityKey = ({ type, key }: { type: string; key: string }) => (type === 'entity' ? key : null);

function distinct(values: readonly (string | null | undefined)[]): string[] {
  return [...new Set(values.filter((value) => value != null))];
}

/** Members who have left are told nothing. */
async function writeLines(
  tx: Tx,
  lines: readonly Line[],
  { SMTP_URL, INBOX_LINES_MAX, INBOX_MAIL_SPACING_SECONDS }: TellingLimits,
): Promise<void> {
  if (lines.length === 0) return;
  const members = distinct(lines.map(({ member_id }) => member_id));
  const active = new Set(
    (await tx.query<{ id: string }>(selectActive, [tx.workspaceId, members])).map(({ id }) => id),
  );
  const told = lines
    .filter(({ member_id }) => active.has(member_id))
    .map((line) => ({ id: newId(), ...line }));
  const grown = new Set<string>();
  for (const { json } of jsonPortions(told)) {
    const written = await tx.query<{ member_id: string; is_new: boolean }>(addLines, [tx.workspaceId, json]);
    for (const { member_id, is_new } of written) if (is_new) grown.add(member_id);
  }
  if (grown.size > 0) await tx.query(trimLines, [tx.workspaceId, [...grown], INBOX_LINES_MAX]);
  if (SMTP_URL !== undefined && active.size > 0)
    await tx.query(scheduleMails, [tx.workspaceId, [...active], INBOX_MAIL_SPACING_SECONDS]);
}
