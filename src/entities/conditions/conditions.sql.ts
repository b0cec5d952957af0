/** SQL of conditions on properties. */

/** $1 workspace, $2 keys. */
export const selectIndexes = `
  select key, number, kind from value_index
  where workspace_id = $1 and key = any($2::text[]) and is_filled and not is_dropped`;

/** The patterns of words, as `q` compares them. $1 keys, $2 texts. */
export const selectPatterns = `
  select h.key, p.pattern from unnest($1::text[], $2::text[]) as h (key, text)
  cross join lateral unnest(search_patterns(h.text)) as p (pattern)`;

/** SQL: whether the `properties` of a row meet the conditions, given by a jsonpath, keys and patterns (each null for any). */
export const meetsConditions = (path: string, keys: string, patterns: string) => `
  (${path}::jsonpath is null or properties @@ ${path}::jsonpath)
  and (${keys}::text[] is null or not exists (
    select from unnest(${keys}::text[], ${patterns}::text[]) as h (key, pattern)
    where (fold_text(' ' || (properties ->> h.key)) like h.pattern) is not true))`;

/** Selects the entities that meet conditions, also on their own name and number. $1 workspace, $2 id[], $3 jsonpath, $4 keys, $5 patterns. */
export const selectMeeting = `
  select id from (
    select id, properties || jsonb_build_object('', jsonb_strip_nulls(jsonb_build_object('name', name, 'number', number)))
      as properties
    from entity where workspace_id = $1 and id = any($2::uuid[])) e
  where ${meetsConditions('$3', '$4', '$5')}`;
