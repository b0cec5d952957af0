/** Reads and replaces the template of printed orders. */
import { isDeepStrictEqual } from 'node:util';
import type { Actor } from '../../actor.ts';
import { recordChange } from '../../audit/record-change.ts';
import type { Tx } from '../../db/transaction.ts';
import { type OrderTemplate, plainTemplate } from './order-template.schema.ts';
import { saveTemplate, selectTemplate } from './order-template.sql.ts';

/** The version is 0 where the workspace has never set one. */
export async function readTemplate(tx: Tx): Promise<{ template: OrderTemplate; version: number }> {
  const [row] = await tx.query<{ template: OrderTemplate; version: number }>(selectTemplate, [
    tx.workspaceId,
  ]);
  if (row === undefined) return { template: plainTemplate, version: 0 };
  // A template of an earlier version lacks words that were added since.
  const words = { ...plainTemplate.words, ...row.template.words };
  return { template: { ...plainTemplate, ...row.template, words }, version: row.version };
}

/** The configuration is locked. A template that changes nothing leaves the version and the audit trail alone. */
export async function replaceTemplate(
  tx: Tx,
  actor: Actor,
  before: OrderTemplate,
  after: OrderTemplate,
): Promise<void> {
  if (isDeepStrictEqual(before, after)) return;
  await tx.query(saveTemplate, [tx.workspaceId, JSON.stringify(after)]);
  await recordChange(tx, {
    actor,
    action: 'update',
    subjectType: 'orderTemplate',
    subjectKey: 'orders',
    before,
    after,
  });
}
