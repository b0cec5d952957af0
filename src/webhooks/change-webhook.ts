/** Makes, replaces and deletes webhooks, and rotates their secrets; who listens is kept in step. */
import { isDeepStrictEqual } from 'node:util';
import type { Actor } from '../actor.ts';
import { recordChange } from '../audit/record-change.ts';
import type { Config } from '../config.ts';
import { lockConfiguration } from '../configuration/lock-configuration.ts';
import { newId } from '../db/ids.ts';
import type { Tx } from '../db/transaction.ts';
import { AppError } from '../errors.ts';
import { eventKindNames, setListening } from '../events/record-events.ts';
import type { Leasing } from './announce-deliveries.ts';
import { bringWaitingForward } from './bring-forward.ts';
import { faultInTarget } from './public-address.ts';
import { showWebhook, type WebhookRow } from './show-webhook.ts';
import { makeSecret, showSecret } from './sign-message.ts';
import { eventTypes, type NewWebhook } from './webhook.schema.ts';
import {
  countWebhooks,
  deleteWebhook as deleteStatement,
  insertWebhook,
  lockWebhook,
  rotateSecret as rotateStatement,
  selectWebhook,
  updateWebhook,
} from './webhook.sql.ts';

type Limits = Pick<Config, 'WEBHOOKS_MAX' | 'WEBHOOK_ALLOW_PRIVATE'> & Leasing;

/** Throws `target_refused`, `configuration_full`. The secret is shown now or never. */
export async function createWebhook(
  tx: Tx,
  actor: Actor,
  wanted: NewWebhook,
  limits: Limits,
): Promise<{ row: WebhookRow; secret: string }> {
  requireTarget(wanted.url, limits);
  await lockConfiguration(tx);
  const [present] = await tx.query<{ count: number }>(countWebhooks, [tx.workspaceId]);
  const limit = limits.WEBHOOKS_MAX;
  if ((present?.count ?? 0) >= limit) {
    throw new AppError('configuration_full', {
      detail: `The workspace has ${limit} webhooks, which is as many as it can have. Delete some.`,
      extensions: { limit },
    });
  }
  const secret = makeSecret();
  const row = await one(tx, insertWebhook, [...valuesOf(newId(), wanted), secret]);
  await finish(tx, actor, 'create', null, row);
  return { row, secret: showSecret(secret) };
}

/**
 * `check` sees the webhook under its lock and may refuse. What changes nothing leaves the version and the audit trail
 * alone. Throws `webhook_not_found`, `target_refused`.
 */
export async function replaceWebhook(
  tx: Tx,
  actor: Actor,
  id: string,
  wanted: NewWebhook,
  { limits, check }: { limits: Limits; check: (row: WebhookRow) => void },
): Promise<WebhookRow> {
  await lockConfiguration(tx);
  const before = await findWebhook(tx, id, true);
  check(before);
  requireTarget(wanted.url, limits);
  const { url, description, events, enabled } = wanted;
  if (isDeepStrictEqual({ ...before, url, description, events, enabled }, before)) return before;
  const reason = wanted.enabled ? null : before.disabled_reason;
  const row = await one(tx, updateWebhook, [...valuesOf(id, wanted), reason]);
  await finish(tx, actor, 'update', before, row);
  if (enabled && (!before.enabled || url !== before.url)) await bringWaitingForward(tx, id, limits);
  return row;
}

/** Disables one that has failed for too long, or that its receiver has given up. */
export async function disableWebhook(tx: Tx, actor: Actor, id: string, reason: string): Promise<void> {
  const before = await findWebhook(tx, id, true);
  if (!before.enabled) return;
  const row = await one(tx, updateWebhook, [...valuesOf(id, { ...before, enabled: false }), reason]);
  await finish(tx, actor, 'update', before, row);
}

export async function deleteWebhook(
  tx: Tx,
  actor: Actor,
  id: string,
  check: (row: WebhookRow) => void,
): Promise<void> {
  await lockConfiguration(tx);
  const before = await findWebhook(tx, id, true);
  check(before);
  await tx.query(deleteStatement, [tx.workspaceId, id]);
  await setListening(tx, id, []);
  await recordChange(tx, {
    actor,
    action: 'delete',
    subjectType: 'webhook',
    subjectKey: id,
    before: showWebhook(before),
    after: null,
  });
}

/** The old secret goes on signing beside the new one for that time. */
export async function rotateSecret(
  tx: Tx,
  actor: Actor,
  id: string,
  overlapHours: number,
): Promise<{ row: WebhookRow; secret: string }> {
  const before = await findWebhook(tx, id, true);
  const secret = makeSecret();
  const row = await one(tx, rotateStatement, [id, secret, overlapHours]);
  await finish(tx, actor, 'update', before, row);
  return { row, secret: showSecret(secret) };
}

/** Throws `webhook_not_found`. */
export async function findWebhook(tx: Tx, id: string, lock = false): Promise<WebhookRow> {
  const [row] = await tx.query<WebhookRow>(lock ? lockWebhook : selectWebhook, [tx.workspaceId, id]);
  if (row === undefined) {
    throw new AppError('webhook_not_found', `There is no webhook ${id} in this workspace.`);
  }
  return row;
}

function requireTarget(url: string, { WEBHOOK_ALLOW_PRIVATE: allowPrivate }: Limits): void {
  const fault = allowPrivate ? null : faultInTarget(url);
  if (fault === null) return;
  throw new AppError('target_refused', {
    detail: `The address is refused: ${fault}. Whoever runs the service can allow such addresses with WEBHOOK_ALLOW_PRIVATE=true.`,
    errors: [{ pointer: '/url', code: 'target_refused', message: fault }],
  });
}

function valuesOf(id: string, { url, description, events, enabled }: NewWebhook): unknown[] {
  return [id, url, description, JSON.stringify(events), enabled];
}

async function one(tx: Tx, sql: string, values: unknown[]): Promise<WebhookRow> {
  const [row] = await tx.query<WebhookRow>(sql, [tx.workspaceId, ...values]);
  return row as WebhookRow;
}

async function finish(
  tx: Tx,
  actor: Actor,
  action: 'create' | 'update',
  before: WebhookRow | null,
  row: WebhookRow,
): Promise<void> {
  const kinds = eventKindNames.filter((name) => row.events.includes(eventTypes[name]));
  await setListening(tx, row.id, row.enabled ? kinds : []);
  await recordChange(tx, {
    actor,
    action,
    subjectType: 'webhook',
    subjectKey: row.id,
    before: before === null ? null : showWebhook(before),
    after: showWebhook(row),
  });
}
