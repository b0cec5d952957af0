/** Rows of members and invitations as the interface shows them. */
import { createHash } from 'node:crypto';
import type { Area } from '../../areas.ts';
import type { Tx } from '../../db/transaction.ts';
import type { Invitation, Member } from './member.schema.ts';
import { type InvitationRow, type MemberRow, selectSeen } from './member.sql.ts';

interface Seen {
  member_id: string;
  seen_at: Date | string | null;
}

/** Adds when the members were last here: the membership says so, and nothing about the person's other workspaces. */
export async function showMembers(tx: Tx, rows: readonly MemberRow[]): Promise<Map<string, Member>> {
  const seen = await tx.query<Seen>(selectSeen, [tx.workspaceId, rows.map(({ id }) => id)]);
  const seenAt = new Map(seen.map((one) => [one.member_id, one.seen_at]));
  return new Map(
    rows.map((row) => {
      const last = seenAt.get(row.id) ?? null;
      return [
        row.id,
        {
          id: row.id,
          name: row.name,
          areas: row.areas as Area[],
          managed: row.managed,
          createdAt: timeOf(row.created_at),
          endedAt: row.ended_at === null ? null : timeOf(row.ended_at),
          lastSeenAt: last === null ? null : timeOf(last),
        },
      ];
    }),
  );
}

export async function showMember(tx: Tx, row: MemberRow): Promise<Member> {
  return (await showMembers(tx, [row])).get(row.id) as Member;
}

/** Fields that the audit trail keeps. */
export function auditedMember({ id, name, areas, managed, endedAt }: Member) {
  return { id, name, areas, managed, endedAt };
}

/** Returns the entity tag of what people change: a sign-in must not fail the If-Match of somebody who edits. */
export function memberTag({ name, areas, managed, endedAt }: Member): string {
  return createHash('sha256')
    .update(JSON.stringify([name, areas, managed, endedAt]))
    .digest('base64url')
    .slice(0, 22);
}

export function showInvitation(row: InvitationRow): Invitation {
  return {
    id: row.id,
    name: row.name,
    areas: row.areas as Area[],
    memberId: row.member_id,
    createdAt: timeOf(row.created_at),
    expiresAt: timeOf(row.expires_at),
  };
}

function timeOf(value: Date | string): string {
  return new Date(value).toISOString();
}
