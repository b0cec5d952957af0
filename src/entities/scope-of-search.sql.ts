/** Categories that a search is confined to. $1 workspace, $2 keys, $3 states, $4 roles, each null for any. */
export const selectSearchScope = `
  select c.key from category c
  join lifecycle l on l.workspace_id = $1 and l.key = c.lifecycle
  where c.workspace_id = $1 and ($2::text[] is null or c.key = any($2)) and ($4::text[] is null or c.role = any($4))
    and ($3::text[] is null or exists (
      select from jsonb_array_elements(l.states) as s (state) where s.state ->> 'name' = any($3)))
  order by c.key`;
