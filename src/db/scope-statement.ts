/**
 * What a transaction begins with: the role that row-level security binds, the workspace that it shows, and every setting
 * that the work counts on. All of it lasts as long as the transaction and nothing of it is left to the connection,
 * because between here and PostgreSQL there may be a pooler that hands each transaction another one.
 */
import { prepared, type Statement } from './statement-burst.ts';

export interface TransactionScope {
  role: string;
  /** Null for none: the role sees all of them, or nothing that is of one. */
  workspaceId: string | null;
  lockTimeoutMs: number;
  /** Where no `begin` says so. */
  readOnly?: boolean;
}

export type ScopeStatement = (scope: TransactionScope) => Statement;

const settingForm = /^[a-z_]+$/;
const valueForm = /^[A-Za-z0-9_]+$/;

/** The statement for connections with these settings: one text, or two, so that it is prepared once. */
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
  const readOnlyText = `${text}, set_config('transaction_read_only', 'on', true)`;
  return ({ role, workspaceId, lockTimeoutMs, readOnly = false }) =>
    prepared(readOnly ? readOnlyText : text, [role, workspaceId ?? '', `${lockTimeoutMs}ms`]);
}
