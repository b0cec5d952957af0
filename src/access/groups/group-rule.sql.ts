/** Statements on group rules. $1 is the workspace. */

export interface GroupRuleRow {
  group_name: string;
  areas: string[];
}

export const selectGroupRules =
  'select group_name, areas from group_rule where workspace_id = $1 order by group_name';

/** $2 groups. */
export const selectRulesOfGroups =
  'select group_name, areas from group_rule where workspace_id = $1 and group_name = any($2::text[]) order by group_name';

/** $1 member. The groups that the provider named at the person's last sign-in or check. */
export const selectGroupsOfMember = 'select groups_of_member($1) as groups';

/** Waits for other changes of the rules. */
export const lockGroupRules = `select pg_advisory_xact_lock(hashtextextended('group rules ' || $1::text, 0))`;

export const deleteGroupRules = 'delete from group_rule where workspace_id = $1';

/** $2 the rules as JSON. */
export const insertGroupRules = `
  insert into group_rule (workspace_id, group_name, areas)
  select $1, r."group", r.areas from jsonb_to_recordset($2::jsonb) as r("group" text, areas text[])`;

/**
 * $1 groups, $2 person, $3 rows. In the scope of the instance: the workspaces with a rule for one of the groups, and those whose groups
 * manage the person already; none that moves, or has moved, to another installation.
 */
export const selectWorkspacesOfGroups = `
  select g.workspace_id from (
    select workspace_id from group_rule
    where md5(group_name) = any(array(select md5(one) from unnest($1::text[]) as one)) and group_name = any($1::text[])
    union
    select p.workspace_id from membership p
    join member m on m.workspace_id = p.workspace_id and m.id = p.member_id and m.managed = 'groups'
    where p.person_id = $2) g
  join workspace w on w.id = g.workspace_id and w.state = 'active'
  order by g.workspace_id limit $3`;
