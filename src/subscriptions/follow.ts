/** Begins and ends subscriptions of members, and keeps in step which events the inbox listens to. */
import type { Actor } from '../actor.ts';
import { newId } from '../db/ids.ts';
import type { Tx } from '../db/transaction.ts';
import { AppError } from '../errors.ts';
import { INBOX_LISTENER, replaceListening } from '../events/outbox.sql.ts';
import { numberOfEvent, type RecordedKind } from '../events/record-events.ts';
import {
  beginListening,
  countSubscriptions,
  endOldestAutomatic,
  endSubscription,
  insertAutomatic,
  lockListening,
  replaceSubscription,
  selectActive,
  selectKinds,
  shareListening,
} from './subscriptions.sql.ts';

const SUBSCRIPTIONS_MAX = 1000;

const subjectTypes = ['entity', 'import', 'importProfile', 'view'] as const;
export type SubjectType = (typeof subjectTypes)[number];

/** `key` is the id of the entity, import or view, or the name of the import profile. */
export interface FollowedSubject {
  type: SubjectType;
  key: string;
}

export interface FollowOptions {
  below: boolean;
  stock: boolean;
  muted: boolean;
}

const ofComments: readonly RecordedKind[] = ['commentWritten'];
const ofImports: readonly RecordedKind[] = ['importCompleted', 'importNotClean'];
const ofEntities: readonly RecordedKind[] = ['lifecycleTransition', 'entityUpdated', 'orderChanged'];
const ofViews: readonly RecordedKind[] = ['entityCreated', 'entityUpdated', 'lifecycleTransition'];

const kindsOf: Readonly<Record<SubjectType, readonly RecordedKind[]>> = {
  entity: [...ofEntities, ...ofComments],
  import: [...ofImports, ...ofComments],
  importProfile: [...ofImports, ...ofComments],
  view: ofViews,
};

/**
 * Lets members follow something that they took part in, unless they follow or mute it already. Actors other than members, and members who
 * have left, follow nothing. A member who follows as much as it can no longer follows the oldest thing that it followed automatically.
 */
export async function followAutomatically(
  tx: Tx,
  memberIds: readonly string[],
  subject: FollowedSubject,
): Promise<void> {
  if (memberIds.length === 0) return;
  const active = await tx.query<{ id: string }>(selectActive, [tx.workspaceId, [...new Set(memberIds)]]);
  let hasBegun = false;
  for (const { id: memberId } of active) {
    const params = [tx.workspaceId, newId(), memberId, subject.type, subject.key];
    const begun = await tx.query(insertAutomatic, params);
    if (begun.length === 0) continue;
    hasBegun = true;
    if ((await countOf(tx, memberId)) > SUBSCRIPTIONS_MAX)
      await tx.query(endOldestAutomatic, [tx.workspaceId, memberId]);
  }
  if (hasBegun) await listenFor(tx, kindsOf[subject.type]);
}

/** Returns the member if the actor is one. Programs with keys take part in nothing. */
export function partakerOf(actor: Actor): string[] {
  return actor.type === 'member' ? [actor.id] : [];
}

/** Begins or changes a subscription. Members that call at the same time may exceed the limit by one each. Throws `configuration_full`. */
export async function follow(
  tx: Tx,
  memberId: string,
  { type, key }: FollowedSubject,
  { below, stock, muted }: FollowOptions,
): Promise<void> {
  const params = [tx.workspaceId, newId(), memberId, type, key, below, stock, muted];
  await tx.query(replaceSubscription, params);
  if ((await countOf(tx, memberId)) > SUBSCRIPTIONS_MAX)
    throw new AppError('configuration_full', {
      detail: `You follow ${SUBSCRIPTIONS_MAX} things, which is as many as a member can follow. Unfollow some.`,
      extensions: { limit: SUBSCRIPTIONS_MAX },
    });
  await listenFor(tx, [...kindsOf[type], ...(stock ? (['stockMoved'] as const) : [])]);
}

/** Returns whether there was such a subscription. */
export async function unfollow(tx: Tx, memberId: string, id: string): Promise<boolean> {
  const ended = await tx.query(endSubscription, [tx.workspaceId, memberId, id]);
  if (ended.length === 0) return false;
  await tx.query(lockListening, [tx.workspaceId]);
  await keepListening(tx);
  return true;
}

interface Kinds {
  entity: boolean;
  stock: boolean;
  import: boolean;
  profile: boolean;
  view: boolean;
  member: boolean;
}

async function keepListening(tx: Tx): Promise<void> {
  const [kinds] = await tx.query<Kinds>(selectKinds, [tx.workspaceId]);
  const heard: RecordedKind[] = [
    ...(kinds?.entity ? kindsOf.entity : []),
    ...(kinds?.stock ? (['stockMoved'] as const) : []),
    ...(kinds?.import ? kindsOf.import : []),
    ...(kinds?.profile ? kindsOf.importProfile : []),
    ...(kinds?.view ? kindsOf.view : []),
    // The submitter of an import is told how it ends, whatever it follows.
    ...(kinds?.member ? (['importNotClean'] as const) : []),
  ];
  const numbers = [...new Set(heard.map(numberOfEvent))];
  await tx.query(replaceListening, [tx.workspaceId, INBOX_LISTENER, numbers]);
}

async function listenFor(tx: Tx, kinds: readonly RecordedKind[]): Promise<void> {
  await tx.query(shareListening, [tx.workspaceId]);
  await tx.query(beginListening, [tx.workspaceId, kinds.map(numberOfEvent)]);
}

async function countOf(tx: Tx, memberId: string): Promise<number> {
  const params = [tx.workspaceId, memberId, SUBSCRIPTIONS_MAX + 1];
  const [counted] = await tx.query<{ present: number }>(countSubscriptions, params);
  return counted?.present ?? 0;
}
