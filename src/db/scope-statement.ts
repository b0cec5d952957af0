/**
 * Begins a transaction: the role that row-level security binds, the workspace that it shows, and every setting that
 * the work relies on. All of it lasts as long as the transaction and nothing is left on the connection, because a
 * pooler may give each transaction another one.
 */
import { prepared, type Statement } from './wire/statement.ts';

export interface TransactionScope {
  role: string;
  /** The workspace; null for none: the role then sees all of them, or nothing of any. */
  workspaceId: string | null;
  lockTimeoutMs: number;
  /** Whether the transaction only reads, if no `begin` says so. */
  readOnly?: boolean;
  /** All of its statements are prepared, and probe indexes: their plans are kept, whatever is known of the tables. */
  keepsPlans?: boolean;
  /** It may write in the workspace: it is let in where that is active, and whoever takes it away waits for its end. */
  enters?: boolean;
}

export type ScopeStatement = (scope: TransactionScope) => Statement;

const settingForm = /^[a-z_]+$/;
const valueForm = /^[A-Za-z0-9_]+$/;

/**
 * PostgreSQL plans a statement anew for each call where it expects less work of these parameters than of any, which of an array
 * with one member it always does. A plan that is kept while tables grow must have no choice but indexes, which no transaction has (connect.ts).
 */
const keptPlans = [
  ['plan_cache_mode', 'force_generic_plan'],
  ['enable_hashjoin', 'off'],
  ['enable_mergejoin', 'off'],
].map(([name, value]) => `set_config('${name}', '${value}', true)`);

/** The statement for connections with these settings: one of six texts, so that it is prepared once. */
export function scopeStatement(settings: Record<string, string>): ScopeStatement {
  const further = Object.entries(settings).map(([name, value]) => {
    if (!settingForm.test(name) || !valueForm.test(value))
      throw new Error(`Not a setting: ${name} = ${value}`);
    return `set_config('${name}', '${value}', true)`;
  });
  const given = ['role', 'partbook.workspace_id', 'lock_timeout'].map(
    (name, at) => `set_config('${name}', $${at + 1}, true)`,
  );
  const text = `select ${[...given, ...further].join(', ')}`;
  const keepingText = `${text}, ${keptPlans.join(', ')}`;
  const readOnly = `, set_config('transaction_read_only', 'on', true)`;
  // By the role that the first value has set: values of a row are made in their order.
  const entering = ', enter_workspace($2::uuid)';
  return ({ role, workspaceId, lockTimeoutMs, readOnly: isReadOnly, keepsPlans, enters }) => {
    const base = keepsPlans === true ? keepingText : text;
    return prepared(isReadOnly === true ? base + readOnly : enters === true ? base + entering : base, [
      role,
      workspaceId ?? '',
      `${lockTimeoutMs}ms`,
    ]);
  };
}
