/** A person as the interface shows it to the person. */

import type { Area } from '../../areas.ts';
import type { Config } from '../../config.ts';
import type { Db } from '../../db/connect.ts';
import { inTransaction } from '../../db/transaction.ts';
import type { Me, PersonSession } from './person.schema.ts';
import { describePerson, selectWorkspacesOfPerson } from './person.sql.ts';
import { isProved, type SignedInPerson, WORKSPACES_MAX, type WorkspaceOfPerson } from './person-session.ts';

export interface DescribedPerson {
  id: string;
  name: string;
  userName: string | null;
  identities: { issuer: string; createdAt: string }[];
  passkeys: {
    id: string;
    name: string;
    createdAt: string;
    lastUsedAt: string | null;
    credentialId: string;
  }[];
  sessions: { id: string; agent: string; createdAt: string; usedAt: string }[];
}

export async function readPerson(db: Db, personId: string): Promise<DescribedPerson> {
  const [row] = await inTransaction(db, 'instance', (tx) =>
    tx.query<{ person: DescribedPerson }>(describePerson, [personId]),
  );
  if (row === undefined) throw new Error('the person of a session is gone');
  return row.person;
}

export async function readMe(
  { db, config }: { db: Db; config: Pick<Config, 'PROOF_MINUTES'> },
  person: SignedInPerson,
): Promise<Me> {
  const described = await readPerson(db, person.id);
  const workspaces = await inTransaction(db, 'instance', (tx) =>
    tx.query<WorkspaceOfPerson>(selectWorkspacesOfPerson, [person.id, WORKSPACES_MAX]),
  );
  const proved = await isProved({ db, config }, person);
  return {
    ...showPersonSession(person, workspaces),
    proved,
    userName: described.userName,
    identities: described.identities.map(({ issuer, createdAt }) => ({
      issuer,
      createdAt: instant(createdAt),
    })),
    passkeys: described.passkeys.map(({ id, name, createdAt, lastUsedAt }) => ({
      id,
      name,
      createdAt: instant(createdAt),
      lastUsedAt: lastUsedAt === null ? null : instant(lastUsedAt),
    })),
    sessions: described.sessions.map(({ id, agent, createdAt, usedAt }) => ({
      id,
      agent,
      createdAt: instant(createdAt),
      usedAt: instant(usedAt),
      current: id === person.sessionId,
    })),
  };
}

export function showPersonSession(
  { id, name }: { id: string; name: string },
  workspaces: readonly WorkspaceOfPerson[],
): PersonSession {
  return {
    person: { id, name },
    workspaces: workspaces.map((one) => ({
      slug: one.slug,
      name: one.name,
      memberId: one.member_id,
      memberName: one.member_name,
      areas: one.areas as Area[],
    })),
  };
}

function instant(text: string): string {
  return new Date(text).toISOString();
}
