/** The person in front of an operator's page: whose session the browser has, and whether the person is an operator. */
import type { Request } from 'express';
import { hashKey } from '../access/key-text.ts';
import { personTokenOf } from '../access/person-cookie.ts';
import { cookieCounts } from '../access/session-cookie.ts';
import type { Config } from '../config.ts';
import type { Db } from '../db/connect.ts';
import { inTransaction } from '../db/transaction.ts';
import { findOperator } from './operator-session.sql.ts';

export interface PersonHere {
  id: string;
  name: string;
  isOperator: boolean;
  /** Whether the person signed in, or gave a proof, in the last minutes. */
  isProved: boolean;
  tokenHash: Buffer;
}

/** Returns null where nobody is signed in, or a page of another site asks. */
export async function findPersonHere(
  { db, config }: { db: Db; config: Pick<Config, 'PROOF_MINUTES'> },
  { method, headers, host, secure }: Request,
): Promise<PersonHere | null> {
  const token = personTokenOf({ headers, secure });
  if (token === null || !cookieCounts({ method, headers, host, secure })) return null;
  const tokenHash = hashKey(token);
  const [row] = await inTransaction(
    db,
    'instance',
    (tx) =>
      tx.query<{ person_id: string; name: string; is_operator: boolean; is_proved: boolean }>(findOperator, [
        tokenHash,
        config.PROOF_MINUTES * 60,
      ]),
    { readOnly: true },
  );
  if (row === undefined) return null;
  const { person_id: id, name, is_operator: isOperator, is_proved: isProved } = row;
  return { id, name, isOperator, isProved, tokenHash };
}
