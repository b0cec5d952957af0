/** The job that fills the indexes of filterable properties and the lines of searchable ones, and deletes the rows of dropped indexes. */

/** Workspaces with such work. $1 at most. */
export const selectWorkspacesToFill = `
  select workspace_id from value_index where is_dropped or not is_filled
  union
  select workspace_id from value_pending limit $1`;

/** $1 workspace. */
export const selectIsImporting = `
  select exists (select from sync_batch where workspace_id = $1 and status = 'processing') as importing`;

/**
 * Filterable properties without an index, as after an import of the workspace, and an empty key for a workspace whose searchable properties
 * have none. $1 at most.
 */
export const selectWithoutIndex = `
  (select d.workspace_id, d.key from property_definition d
   where d.filterable and not exists (
     select from value_index i where i.workspace_id = d.workspace_id and i.key = d.key and not i.is_dropped)
   limit $1)
  union
  (select workspace_id, '' as key from property_definition where searchable
   except select workspace_id, key from value_index where key = '' and not is_dropped
   limit $1)
  limit $1`;

/** The next index to work on; its row is locked, so that one process at a time does. $1 workspace. */
export const selectIndexToFill = `
  select number, key, kind, keys, filled_to, is_dropped from value_index
  where workspace_id = $1 and (is_dropped or not is_filled)
  order by is_dropped, number limit 1 for update skip locked`;

/** Locks entities in the order in which writers lock them. Each is fetched by its key: the order by GUID alone would invite a walk of all. */
const locked = (ids: string, columns: string) => `
  locked as materialized (
    select e.* from (
      select o.id, o.guid from unnest(${ids}) as wanted (id)
      cross join lateral (select id, guid from entity where workspace_id = $1 and id = wanted.id offset 0) as o
      order by o.guid, o.id) as sorted
    cross join lateral (
      select ${columns} from entity where workspace_id = $1 and id = sorted.id for share) as e
  )`;

/**
 * Indexes the next entities. Their rows are locked as a writer of entities would, by GUID, so that no value changes between the look and
 * the commit: the writer's trigger then finds the row that it replaces. Answers with the last id that was looked at, null behind the end.
 * $1 workspace, $2 index, $3 key, $4 id to go on after, $5 rows.
 */
export const fillIndex = (kind: 'number' | 'text') => `
  with piece as materialized (
    select id from entity where workspace_id = $1 and id > $4 order by id limit $5
  ), ${locked('array(select id from piece)', 'id, properties -> $3::text as value')}, written as (
    insert into ${kind === 'number' ? 'property_number' : 'property_text'} (workspace_id, value_index, value, entity_id)
    select $1, $2::int, v.value, v.id
    from (select id, ${kind === 'number' ? 'indexed_number' : 'indexed_word'}(value) as value from locked) as v
    where v.value is not null order by v.value
    on conflict do nothing
  )
  select (select id from piece order by id desc limit 1) as last,
         (select count(*)::int from piece) as looked`;

/** Writes lines of entities of a range with the columns id, number, name and properties; those that have no text lose theirs. */
const writeLines = (entities: string, keys: string) => `
  lined as materialized (
    select id, property_line_of(number, name, properties, ${keys}::text[]) as line from ${entities}
  ), emptied as (
    delete from property_line p using lined l where p.workspace_id = $1 and p.entity_id = l.id and l.line is null
  ), lines as (
    insert into property_line (workspace_id, entity_id, line)
    select $1, id, line from lined where line is not null order by id
    on conflict (workspace_id, entity_id) do update set line = excluded.line where property_line.line <> excluded.line
  )`;

/** Writes the lines of searchable properties for a range of entities, as `fillIndex` does for values. $1 workspace, $2 key[], $3 id to go on after, $4 rows. */
export const fillLines = `
  with piece as materialized (
    select id from entity where workspace_id = $1 and id > $3 order by id limit $4
  ), ${locked('array(select id from piece)', 'id, number, name, properties')}, ${writeLines('locked', '$2')}
  select (select id from piece order by id desc limit 1) as last,
         (select count(*)::int from piece) as looked`;

/** $1 workspace, $2 index, $3 the last id, $4 whether it is filled. */
export const noteFilled = `
  update value_index set filled_to = coalesce($3::uuid, filled_to), is_filled = $4 where workspace_id = $1 and number = $2`;

/** Answers with a row for each that was deleted. $1 workspace, $2 index, $3 rows. */
export const deleteValues = (kind: 'number' | 'text') => {
  const table = kind === 'number' ? 'property_number' : 'property_text';
  return `
    delete from ${table} v using (
      select value, entity_id from ${table} where workspace_id = $1 and value_index = $2
      order by value, entity_id limit $3) as piece
    where v.workspace_id = $1 and v.value_index = $2 and v.value = piece.value and v.entity_id = piece.entity_id
    returning 1`;
};

/** $1 workspace, $2 index. */
export const forgetIndex = `delete from value_index where workspace_id = $1 and number = $2`;

/** The oldest entities that were created many at a time; the row is locked. $1 workspace, $2 entities at most. */
export const selectPending = `
  select id, ids[1:$2] as ids, cardinality(ids) <= $2 as is_last from value_pending
  where workspace_id = $1 order by id limit 1 for update skip locked`;

/** Keeps the searchable properties as they are until the commit. Null for none. $1 workspace. */
export const lockSearchable = `
  select keys from value_index where workspace_id = $1 and kind = 'words' for share`;

/**
 * Indexes all values of entities. Rows are locked as in `fillIndex`. Unless `mayBeThere`, a value that is there already is a unique
 * violation: to look for it before each insertion costs a third of the CPU of the whole (5.3 instead of 4.1 µs for each value), and only
 * an entity that was changed before it was indexed has some. $1 workspace, $2 id[], $3 keys of searchable properties or null.
 */
export const indexPending = (mayBeThere: boolean) => `
  with ${locked('$2::uuid[]', 'id, number, name, properties')}, ${writeLines('locked', '$3')}, named as materialized (
    select i.number, i.kind, l.id, l.properties -> i.key as value
    from value_index i cross join locked l
    where i.workspace_id = $1 and not i.is_dropped and l.properties ? i.key
  ), numbers as (
    insert into property_number (workspace_id, value_index, value, entity_id)
    select $1, number, indexed_number(value), id from named
    where kind = 'number' and indexed_number(value) is not null order by number, indexed_number(value)
    ${mayBeThere ? 'on conflict do nothing' : ''}
  )
  insert into property_text (workspace_id, value_index, value, entity_id)
  select $1, number, indexed_word(value), id from named
  where kind = 'text' and indexed_word(value) is not null order by number, indexed_word(value)
  ${mayBeThere ? 'on conflict do nothing' : ''}`;

/** $1 workspace, $2 id, $3 entities. */
export const shortenPending = `
  update value_pending set ids = ids[$3 + 1:] where workspace_id = $1 and id = $2`;

/** $1 workspace, $2 id. */
export const deletePending = `delete from value_pending where workspace_id = $1 and id = $2`;
