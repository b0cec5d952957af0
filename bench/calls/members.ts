/** Members of the benchmark's workspace, with the cookies of some of them, and as many keys to compare them with. */
import { randomUUID } from 'node:crypto';
import { createApiKey } from '../../src/access/create-api-key.ts';
import { hashKey } from '../../src/access/key-text.ts';
import { openPersonSession } from '../../src/access/persons/person.sql.ts';
import { makeToken } from '../../src/access/session-cookie.ts';
import { areas } from '../../src/areas.ts';
import type { Db } from '../../src/db/connect.ts';
import { newId } from '../../src/db/ids.ts';
import { inTransaction } from '../../src/db/transaction.ts';

const MEMBERS = 10_000;
/** Members who call, and keys with which others call: those who show the same thing in one moment are looked up once. */
const CALLERS = 100;

/** Makes 10 000 members, each with a session, and returns the tokens of those who call. */
export async function makeMembers(db: Db, workspaceId: string): Promise<string[]> {
  const people = Array.from({ length: MEMBERS }, () => ({
    person: randomUUID(),
    member: newId(),
    token: makeToken(),
  }));
  const persons = people.map(({ person }) => person);
  const members = people.map(({ member }) => member);
  await inTransaction(db, 'instance', async (tx) => {
    await tx.query(`select add_person(id, 'Somebody') from unnest($1::uuid[]) as id`, [persons]);
    for (const { person, token } of people)
      tx.query(openPersonSession, [hashKey(token), newId(), person, 'bench', 12, 30, 50]).catch(() => {});
    await tx.query('select 1');
  });
  await inTransaction(db, { workspaceId }, async (tx) => {
    await tx.query(
      `with acting as (
         insert into actor (workspace_id, id, type, name)
         select $1, id, 'member', 'Member ' || id from unnest($2::uuid[]) as id
       ), joined as (
         insert into member (workspace_id, id, name, areas, managed)
         select $1, id, 'Member ' || id, $4, 'hand' from unnest($2::uuid[]) as id returning id
       )
       insert into membership (workspace_id, member_id, person_id)
       select $1, m.id, m.person from unnest($2::uuid[], $3::uuid[]) as m (id, person) join joined j on j.id = m.id`,
      [workspaceId, members, persons, [...areas]],
    );
  });
  return people.slice(0, CALLERS).map(({ token }) => token);
}

/** Makes as many keys as members call. */
export async function makeKeys(db: Db, workspaceId: string): Promise<string[]> {
  return inTransaction(db, { workspaceId }, async (tx) => {
    const keys: string[] = [];
    for (let made = 0; made < CALLERS; made++) {
      const wanted = { name: `Key ${made}`, permission: 'admin', expiresAt: null, workspaceId } as const;
      keys.push((await createApiKey(tx, wanted)).key);
    }
    return keys;
  });
}
