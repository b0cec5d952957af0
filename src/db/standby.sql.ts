/** How far a standby has followed, as a web finds out by numbers of its own. */

/**
 * Rows of webs that are no more go with the first mark of another: there are as many as webs in a day. Locks the web's own row.
 * $1 web, $2 number.
 */
export const writeMark = `
  with gone as (delete from standby_mark where written_at < now() - interval '1 day' and web_id <> $1::uuid)
  insert into standby_mark (web_id, mark) values ($1::uuid, $2)
  on conflict (web_id) do update set mark = excluded.mark, written_at = excluded.written_at`;

/**
 * The number that has come, where the workspace has come too and is worked on: of one that has just arrived there may be nothing
 * yet. No row where neither is. $1 web, $2 workspace.
 */
export const selectMark = `
  select m.mark::int as mark from standby_mark m
  where m.web_id = $1::uuid and exists (select from workspace where id = $2::uuid and state = 'active')`;
