/** Children follow: an order takes its lines along, an assembly its parts. */
import { z } from 'zod';
import { forgettingRows } from '../../db/forget-rows.ts';
import type { Tx } from '../../db/transaction.ts';
import { AppError } from '../../errors.ts';
import { lockPositions } from '../../stock/movements/record-requests.sql.ts';
import { followState } from '../records/follow-state.ts';
import {
  lockRows,
  selectFollowers,
  selectPositionsOfLines,
  selectRequirementsOfLines,
} from './cascade.sql.ts';
import { defineFeature } from './feature.ts';

/** Entities that one transition takes along from one parent. */
const CHILDREN_MAX = 10_000;

export const cascadeTransition = defineFeature({
  key: 'cascadeTransition',
  name: 'Cascade Transition',
  description:
    'Leads the lines of an order, and the children of an assembly or project, to a state as well, with all that their own transitions carry. A child whose lifecycle has no such way from where it stands stays there, unless the setting says otherwise.',
  contextTypeId: 1,
  settingsSchema: z.strictObject({
    toState: z
      .string()
      .min(1)
      .max(255)
      .optional()
      .describe('Name of the state for the children; the state that the parent enters where it is absent.')
      .meta({ title: 'State of the children', examples: ['Closed'] }),
    whenNoWay: z
      .enum(['skip', 'fail'])
      .default('skip')
      .describe(
        'What to do with a child that has no way to the state: leave it where it is, or refuse the transition.',
      )
      .meta({ title: 'A child that has no way there', examples: ['skip'] }),
  }),
  implemented: true,
  // All that follows, before another feature of the transition takes a counter or a position.
  prepare: async (tx, { happened }) => {
    const found = await followersOf(tx, happened.entity.id);
    const lines = found.filter(({ is_line }) => is_line);
    await tx.query(lockRows, [tx.workspaceId, found.map(({ id }) => id)]);
    await lockLinesBehind(
      tx,
      lines.map(({ id }) => id),
    );
  },
  run: async (tx, { happened, settings }) => {
    const { entity, by, note } = happened;
    const toState = settings.toState ?? happened.toState;
    const found = await followersOf(tx, entity.id);
    for (const { id, number, state } of found) {
      const followed = await forgettingRows(tx, () => followState(tx, by, { entity: id, toState, note }));
      if (followed || settings.whenNoWay === 'skip' || state === toState) continue;
      throw new AppError('feature_failed', `${number ?? id} has no way from "${state}" to "${toState}".`);
    }
  },
});

interface Follower {
  id: string;
  number: string | null;
  state: string;
  is_line: boolean;
}

async function followersOf(tx: Tx, parentId: string): Promise<Follower[]> {
  const found = await tx.query<Follower>(selectFollowers, [tx.workspaceId, parentId, CHILDREN_MAX + 1]);
  if (found.length <= CHILDREN_MAX) return found;
  throw new AppError('feature_failed', `More than ${CHILDREN_MAX} children would follow.`);
}

/** Everything that the lines will take, in lock order, before the first of them moves. */
async function lockLinesBehind(tx: Tx, lines: readonly string[]): Promise<void> {
  if (lines.length === 0) return;
  const requirements = await tx.query<{ id: string }>(selectRequirementsOfLines, [tx.workspaceId, lines]);
  const ids = requirements.map(({ id }) => id);
  await tx.query(lockRows, [tx.workspaceId, ids]);
  const positions = await tx.query<{ item_id: string; location_id: string }>(selectPositionsOfLines, [
    tx.workspaceId,
    lines,
    ids,
  ]);
  await tx.query(lockPositions, [
    tx.workspaceId,
    positions.map(({ item_id }) => item_id),
    positions.map(({ location_id }) => location_id),
  ]);
}
