/** Makes a person an operator, or ends it, by the group of `OIDC_OPERATOR_GROUP`. Operators made by hand stay as they are. */
import type { Logger } from 'pino';
import type { Config } from '../../config.ts';
import type { Db } from '../../db/connect.ts';
import { newId } from '../../db/ids.ts';
import { inTransaction } from '../../db/transaction.ts';
import { operateByGroups } from '../provider/identity.sql.ts';

export interface ApplyingOperators {
  db: Db;
  log: Pick<Logger, 'info'>;
  config: Pick<Config, 'OIDC_OPERATOR_GROUP'>;
}

/** Without the setting no group makes operators, and those that a group has made end. */
export async function applyOperatorGroup(
  { db, log, config: { OIDC_OPERATOR_GROUP: group } }: ApplyingOperators,
  { id, groups }: { id: string; groups: readonly string[] },
): Promise<void> {
  const isWanted = group !== undefined && groups.includes(group);
  const [changed] = await inTransaction(db, 'instance', (tx) =>
    tx.query<{ action: string }>(operateByGroups, [id, isWanted, newId()]),
  );
  if (changed !== undefined)
    log.info({ personId: id, action: changed.action }, 'the provider decided about an operator');
}
