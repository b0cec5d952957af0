/** SQL of conditions on properties. */

/** $1 workspace, $2 keys. */
export const selectIndexes = `
  select key, number, kind from value_index
  where workspace_id = $1 and key = any($2::text[]) and is_filled and not is_dropped`;

/** The patterns of words, as `q` compares them. $1 keys, $2 texts. */
export const selectPatterns = `
  select h.key, p.pattern from unnest($1::text[], $2::text[]) as h (key, text)
  cross join lateral unnest(search_patterns(h.text)) as p (pattern)`;

/** Puts a space before the key of a field of the entity itself: no key of a property begins with one. */
export const ownKey = (key: string) => ` ${key}`;

const ownValues = `jsonb_strip_nulls(jsonb_build_object(${['number', 'name', 'category', 'state']
  .map((key) => `'${ownKey(key)}', ${key}`)
  .join(', ')}))`;

/**
 * SQL that says whether a row of entity meets the conditions, which are a jsonpath, keys and patterns (each null for any). The document of
 * its own fields is only made for conditions on them.
 */
export const meetsConditions = (path: string, keys: string, patterns: string) => `
  (${path}::jsonpath is null
    or (case when strpos(${path}::jsonpath::text, '$."${ownKey('')}') > 0 then properties || ${ownValues} else properties end)
      @@ ${path}::jsonpath)
  and (${keys}::text[] is null or not exists (
    select from unnest(${keys}::text[], ${patterns}::text[]) as h (key, pattern)
    where (fold_text(' ' || ((case when starts_with(h.key, '${ownKey('')}') then ${ownValues} else properties end) ->> h.key))
      like h.pattern) is not true))`;

/** Selects the entities that meet conditions. $1 workspace, $2 id[], $3 jsonpath, $4 keys, $5 patterns. */
export const selectMeeting = `
  select id from (
    select id, number, name, category, state, properties from entity where workspace_id = $1 and id = any($2::uuid[])) e
  where ${meetsConditions('$3', '$4', '$5')}`;

/**
 * Selects all names by which references can name entities: ids and GUIDs, with those of entities that were merged into them. `ref` is the
 * name that is looked up. $1 workspace, $2 id[], $3 GUID[], $4 rows.
 */
export const selectNamesOfEntities = `
  with named as (
    select i.id::text as ref, i.id from unnest($2::uuid[]) as i (id)
    union all
    select 'guid:' || guid, id from entity where workspace_id = $1 and guid = any($3::uuid[])
    union all
    select 'guid:' || guid, entity_id from entity_alias where workspace_id = $1 and guid = any($3::uuid[])
  ), staying as materialized (
    select n.ref, n.id from named n
    union
    select n.ref, a.entity_id from named n
    cross join lateral (select entity_id from entity_alias where workspace_id = $1 and id = n.id offset 0) a
  )
  select s.ref, f.name from staying s cross join lateral (
    select s.id::text as name
    union all
    select 'guid:' || e.guid from (select guid from entity where workspace_id = $1 and id = s.id offset 0) e where e.guid is not null
    union all
    select c.name from (
      select id, guid from entity_alias where workspace_id = $1 and entity_id = s.id limit $4) m
    cross join lateral (values (m.id::text), ('guid:' || m.guid)) as c (name) where c.name is not null
    offset 0) f
  limit $4`;
