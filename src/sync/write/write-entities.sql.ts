/**
 * SQL that writes a chunk's entities. Parameters are arrays, one element per entity; rows
 * that are stored are locked before (see compare-elements.sql.ts), so nothing here waits for another writer.
 */
import { expectedOnce } from '../../entities/revise-entities.sql.ts';

/**
 * New entities. INSERT … SELECT FROM unnest, because COPY is refused on tables with row-level security; it
 * costs about 15 % more. The lists are taken apart side by side, row by row; of functions in FROM each is stored as a table first, 0.3 µs an
 * entity. The first version has the id of its entity, so that no index needs it.
 * $1 workspace, $2 id[], $3 guid[], $4 number[], $5 name[], $6 category[], $7 state[], $8 properties[], $9 hash[],
 * $10 actor, $11 picture[] as `pictureOf` gives it; the lists are equally long.
 */
export const insertEntities = `
  insert into entity (workspace_id, id, version_id, guid, number, name, category, state, properties, sync_hash,
                      picture, revised_by)
  select $1, id, id, guid, number, name, category, state, properties::jsonb, hash, decode(nullif(picture, ''), 'hex'), $10
  from (
    select unnest($2::uuid[]) as id, unnest($3::uuid[]) as guid, unnest($4::text[]) as number, unnest($5::text[]) as name,
           unnest($6::text[]) as category, unnest($7::text[]) as state, unnest($8::text[]) as properties,
           unnest($9::bytea[]) as hash, unnest($11::text[]) as picture) as i`;

/**
 * Changes in place, by the places in the table, as `openRevisions` does. $1 workspace, $2 id[], $3 number[], $4 name[],
 * $5 properties[], $6 hash[], $7 picture[] as `pictureOf` gives it.
 */
export const updateEntitiesInPlace = `
  update entity e
  set number = i.number, name = i.name, properties = i.properties::jsonb, sync_hash = i.hash,
      picture = case when i.picture is null then e.picture else decode(nullif(i.picture, ''), 'hex') end,
      version = e.version + 1, updated_at = now()
  from (
    select r.ctid as place, g.number, g.name, g.properties, g.hash, g.picture
    from unnest($2::uuid[], $3::text[], $4::text[], $5::text[], $6::bytea[], $7::text[])
      as g (id, number, name, properties, hash, picture)
    cross join lateral (select ctid from entity where workspace_id = $1 and id = g.id limit 1) as r
    where ${expectedOnce}
    offset 0) as i
  where e.workspace_id = $1 and e.ctid = i.place`;
