/** A member changes itself: the name by which ledger, history and audit name it. */
import { z } from 'zod';
import type { Tx } from '../../db/transaction.ts';
import { AppError } from '../../errors.ts';
import { type AnyRoute, defineRoute, type WorkspaceCall } from '../../http/route.ts';
import { type ApiKeyRow, selectApiKey } from '../api-key.sql.ts';
import { PersonName } from '../persons/person.schema.ts';
import { renameMember } from './change-member.ts';
import { Member } from './member.schema.ts';
import { memberTag } from './show-member.ts';

const OwnName = z
  .strictObject({
    name: PersonName.meta({
      description: 'Your new name. No other active member has it.',
      examples: ['Anna Lind'],
    }),
  })
  .meta({ id: 'OwnName' });

const rename = defineRoute({
  method: 'patch',
  path: '/api/wid/{slug}/me',
  operationId: 'renameMe',
  tag: 'Members',
  summary: 'Change your own name',
  description:
    'Ledger, history and audit show your new name everywhere, also for what you did before, and name your keys after you. Takes your session, or a key of your own that does more than read.',
  access: 'read',
  transaction: 'write',
  body: OwnName,
  answers: { 200: { description: 'The member that you are.', schema: Member } },
  errors: ['member_name_taken'],
  handle: async (call, tx) => {
    const after = await renameMember(tx, call, await memberOf(tx, call), call.body.name);
    return { status: 200, body: after, etag: memberTag(after) };
  },
});

/** Returns the member that calls, itself or with a key of its own. Throws `forbidden` for other keys, and for keys that only read. */
async function memberOf(
  tx: Tx,
  { actor, areas, workspace }: Pick<WorkspaceCall, 'actor' | 'areas' | 'workspace'>,
): Promise<string> {
  if (actor.type === 'member') return actor.id;
  const [key] = await tx.query<ApiKeyRow>(selectApiKey, [workspace.id, actor.id]);
  if (key?.member_id != null) {
    if (areas.some((area) => area !== 'read')) return key.member_id;
    throw new AppError(
      'forbidden',
      'This key only reads. Change your name in the app, or with a key that has another area too.',
    );
  }
  throw new AppError(
    'forbidden',
    'This takes the session of a member, or a key of its own. An administrator renames other keys.',
  );
}

export const ownMemberRoutes: readonly AnyRoute[] = [rename];
