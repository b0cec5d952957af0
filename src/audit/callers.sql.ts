/** The actors whose entries count as those of one caller. */

const FIRST_ID = `'00000000-0000-0000-0000-000000000000'::uuid`;

/**
 * The caller `id`, and the automations that act for it. A member includes its keys, with the automations that act for these: `since` is the
 * first id that counts, because a key that was given to the member may have been used by others before. Two ranges and a probe, of
 * ACTORS_OF_CALLER_MAX rows at most. $1 workspace.
 */
export const callersOf = (id: string) => `
  select ${id} as id, ${FIRST_ID} as since
  union all select d.id, ${FIRST_ID} from actor d where d.workspace_id = $1 and d.acts_for = ${id}
  union all select k.id, coalesce(k.member_from, ${FIRST_ID}) from actor k where k.workspace_id = $1 and k.member_id = ${id}`;

/** Says whether an entry `row` of an actor counts as one of the caller. $1 workspace. */
export const isOfCaller = (row: { id: string; actorId: string }, caller: string) => `
  exists (select from (${callersOf(caller)}) as who where who.id = ${row.actorId} and ${row.id} >= who.since)`;

/**
 * $1 workspace, $2 caller, $3 how many are counted at most. Of a key that belongs to a member the member's are counted, and of a caller
 * that is unknown none.
 */
export const countCallersOf = `
  select count(*)::int as count from (
    select from (select coalesce(member_id, id) as id from actor where workspace_id = $1 and id = $2) as owner
    cross join lateral (${callersOf('owner.id')}) as who limit $3) as present`;
