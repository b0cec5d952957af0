/** SQL of the comparison of a chunk with what is stored. */

/**
 * Properties up to so many bytes are read with their row where they are not compressed; of all others nobody knows how large
 * they are, and a chunk may have thousands.
 */
const ROW_BYTES_MAX = 8000;

/**
 * Which of these GUIDs are stored, and how do they stand to the hash of what would be written?
 *
 * $1 workspace, $2 guid[] ascending, $3 hash[] beside it. One row: `same` lists the entities whose hash is
 * equal, since one long text is read several times faster than thousands of rows (compare-elements.ts, `readSame`): ordinal, id, count of
 * writes, state, number, and, of one that has further versions, its revision and version, joined by unit separators; texts as JSON, which
 * cannot hold one. `different` is a JSON array of the rows that must be compared field by field, with null for properties that may be
 * large. GUIDs that appear in neither are not stored.
 *
 * LATERAL with LIMIT 1 keeps it a probe of the unique index on (workspace_id, guid) for each: as a plain join, with
 * statistics from before the workspace grew, it became a hash join over all of it (127 ms instead of 9 for 2500
 * of 100 000 entities).
 */
const comparing = (locking: string) => `
  with input as (
    select guid, hash, ord from unnest($2::uuid[], $3::bytea[]) with ordinality as i (guid, hash, ord)
  ), found as materialized (
    select i.ord, substr(e.sync_hash, 1, 16) is not distinct from i.hash as same, e.id, e.version_id, e.revision_number, e.version,
           e.state, e.number, e.name, e.category, e.archived_at, e.picture, e.parent_location_id,
           case when substr(e.sync_hash, 1, 16) is distinct from i.hash then e.properties end as properties
    from input i
    cross join lateral (select * from entity where workspace_id = $1 and guid = i.guid limit 1 ${locking}) e
  )
  select
    (select string_agg(concat_ws(E'\\x1f', ord - 1, id, version, to_json(state), coalesce(to_json(number)::text, ''),
                                 case when version_id <> id or revision_number <> 1 then revision_number end,
                                 case when version_id <> id or revision_number <> 1 then version_id end), E'\\x1e')
     from found where same) as same,
    (select jsonb_agg(jsonb_build_array(
       ord - 1, id, version_id, revision_number, version, state, number, name, category, archived_at is not null,
       case when pg_column_compression(properties) is null and pg_column_size(properties) <= ${ROW_BYTES_MAX}
         then properties end, encode(picture, 'hex'),
       case when parent_location_id is not null then (
         select coalesce(p.guid, p.id) from entity p where p.workspace_id = $1 and p.id = found.parent_location_id) end))
     from found where not same)::text as different`;

export const compareWithStored = comparing('');

/**
 * Compares likewise, and locks rows in the order of the array, so that no two writers can wait for each other. Each
 * row is compared as it is when it is locked.
 */
export const compareAndLock = comparing('for no key update');

/**
 * Locks rows in the order of the array, as `compareAndLock` does, of entities that were compared before: nobody has written any of them since where as
 * many have that version as are asked for. Nothing of what they hold is read. $1 workspace, $2 guid[] ascending, $3 version[].
 */
export const lockAsCompared = `
  select count(*)::int as same
  from unnest($2::uuid[], $3::integer[]) as i (guid, version)
  cross join lateral (select version from entity where workspace_id = $1 and guid = i.guid limit 1 for no key update) e
  where e.version = i.version`;

/** How long the properties of these entities are as text, in their order. $1 workspace, $2 id[]. */
export const measureProperties = `
  select octet_length(e.properties::text) as bytes
  from unnest($2::uuid[]) with ordinality as i (id, place)
  cross join lateral (select properties from entity where workspace_id = $1 and id = i.id limit 1) e
  order by i.place`;

/** The properties of these entities, in their order. $1 workspace, $2 id[]. */
export const selectProperties = `
  select e.properties::text as properties
  from unnest($2::uuid[]) with ordinality as i (id, place)
  cross join lateral (select properties from entity where workspace_id = $1 and id = i.id limit 1) e
  order by i.place`;
/**
 * Locks the entities of these GUIDs in the order of the array, so that no two writers can wait for each other.
 * $1 workspace, $2 guid[] ascending.
 */
export const lockEntitiesByGuid = `
  select from unnest($2::uuid[]) as g (guid)
  cross join lateral (
    select from entity where workspace_id = $1 and guid = g.guid limit 1 for no key update) e`;
