/** `/group-rules`: which areas the groups of the identity provider give in a workspace. */
import { type Area, orderedAreas } from '../../areas.ts';
import { recordChange } from '../../audit/record-change.ts';
import type { Tx } from '../../db/transaction.ts';
import { invalidInput } from '../../http/bodies/validate-input.ts';
import { requireMatch, tagOfContent } from '../../http/entity-tag.ts';
import { type AnyRoute, defineRoute, type WorkspaceCall } from '../../http/route.ts';
import { requireToHandOn } from '../members/change-member.ts';
import { requireProof } from '../proof/require-proof.ts';
import { areasOfGroups } from './apply-groups.ts';
import { GroupRules, GroupTrial, GroupTrialResult } from './group-rule.schema.ts';
import {
  deleteGroupRules,
  type GroupRuleRow,
  insertGroupRules,
  lockGroupRules,
  selectGroupRules,
  selectGroupsOfMember,
} from './group-rule.sql.ts';

const tag = 'Members';
const path = '/api/wid/{slug}/group-rules';

const read = defineRoute({
  method: 'get',
  path,
  operationId: 'getGroupRules',
  tag,
  summary: 'Read the group rules',
  description: 'They apply to persons who sign in by the identity provider of the installation.',
  access: 'admin',
  transaction: 'read',
  answers: { 200: { description: 'The rules, by group.', schema: GroupRules } },
  handle: async (_, tx) => shown(await readRules(tx)),
});

const replace = defineRoute({
  method: 'put',
  path,
  operationId: 'replaceGroupRules',
  tag,
  summary: 'Replace the group rules',
  description:
    'They take effect at the next sign-in by the provider, and for persons who are signed in within `OIDC_CHECK_MINUTES` (15). A person in a group with a rule becomes a member; a member by groups whose groups have no rule ends. Members managed by hand stay as they are. Nobody can give areas that they do not have. A rule makes every person of its group a member and shows their names here, so a new rule is accepted for groups of your own, as the provider named them at your last sign-in, and for groups that the operator allows (`OIDC_GROUPS`).',
  access: 'admin',
  transaction: 'write',
  body: GroupRules,
  answers: { 200: { description: 'The changed rules.', schema: GroupRules } },
  errors: ['proof_needed'],
  before: requireProof,
  handle: async (call, tx) => {
    await tx.query(lockGroupRules, [tx.workspaceId]);
    const before = await readRules(tx);
    requireMatch(call, tagOfContent(before));
    requireOnce(call.body);
    await requireNamed(tx, call, before);
    const known = new Map(before.items.map(({ group, areas }) => [group, areas]));
    const items = call.body.items.map(({ group, areas }) => ({ group, areas: orderedAreas(areas) }));
    for (const { group, areas } of items)
      requireToHandOn(
        call,
        areas.filter((area) => known.get(group)?.includes(area) !== true),
      );
    await tx.query(deleteGroupRules, [tx.workspaceId]);
    await tx.query(insertGroupRules, [tx.workspaceId, JSON.stringify(items)]);
    const after = await readRules(tx);
    if (tagOfContent(after) !== tagOfContent(before))
      await recordChange(tx, {
        actor: call.actor,
        action: 'update',
        subjectType: 'groupRules',
        subjectKey: 'all',
        before,
        after,
      });
    return shown(after);
  },
});

const attempt = defineRoute({
  method: 'post',
  path: `${path}/try`,
  operationId: 'tryGroupRules',
  tag,
  summary: 'Try what groups would give',
  description: 'Changes nothing.',
  access: 'admin',
  transaction: 'read',
  body: GroupTrial,
  answers: { 200: { description: 'What a person with these groups could do.', schema: GroupTrialResult } },
  handle: async ({ body }, tx) => {
    const { areas, matching } = await areasOfGroups(tx, body.groups);
    return { status: 200, body: { isMember: areas.length > 0, areas, matching } };
  },
});

async function readRules(tx: Tx): Promise<GroupRules> {
  const rows = await tx.query<GroupRuleRow>(selectGroupRules, [tx.workspaceId]);
  return { items: rows.map((row) => ({ group: row.group_name, areas: row.areas as Area[] })) };
}

function shown(rules: GroupRules) {
  return { status: 200 as const, body: rules, etag: tagOfContent(rules) };
}

function requireOnce({ items }: GroupRules): void {
  const seen = new Set<string>();
  const errors = items.flatMap(({ group }, index) => {
    if (!seen.has(group)) {
      seen.add(group);
      return [];
    }
    return [
      { pointer: `/items/${index}/group`, code: 'duplicate', message: `"${group}" has a rule already.` },
    ];
  });
  if (errors.length > 0) throw invalidInput(errors);
}

/** Refuses new rules for groups that neither the administrator's own sign-in nor the operator has named. Without a provider, nobody has groups of its own. */
async function requireNamed(
  tx: Tx,
  { ctx, actor, body }: Pick<WorkspaceCall<unknown, unknown, GroupRules>, 'ctx' | 'actor' | 'body'>,
  before: GroupRules,
): Promise<void> {
  const [own] =
    actor.type === 'member'
      ? await tx.query<{ groups: string[] }>(selectGroupsOfMember, [actor.id])
      : [{ groups: [] }];
  const named = new Set([...before.items.map(({ group }) => group), ...(own?.groups ?? [])]);
  const isAllowed = (group: string) =>
    named.has(group) ||
    ctx.config.OIDC_GROUPS.some((one) =>
      one.endsWith('*') ? group.startsWith(one.slice(0, -1)) : group === one,
    );
  const errors = body.items.flatMap(({ group }, index) =>
    isAllowed(group)
      ? []
      : [
          {
            pointer: `/items/${index}/group`,
            code: 'group_not_named',
            message:
              ctx.provider === null
                ? `No sign-in has named the group "${group}", because no provider is set up. Ask the operator to add the group to OIDC_GROUPS.`
                : `"${group}" is no group of yours at the provider. Sign in by the provider with an account of that group, or ask the operator to add it to OIDC_GROUPS.`,
          },
        ],
  );
  if (errors.length > 0) throw invalidInput(errors);
}

export const groupRuleRoutes: readonly AnyRoute[] = [read, replace, attempt];
