/**
 * SQL that writes a chunk's entities. Parameters are arrays, one element per entity, ordered by GUID; rows
 * are locked before (see compare-elements.sql.ts), so nothing here waits for another writer.
 */

/**
 * New entities. INSERT … SELECT FROM unnest, because COPY is refused on tables with row-level security; it
 * costs about 15 % more. $1 workspace, $2 id[], $3 version[], $4 guid[], $5 number[], $6 name[], $7 category[],
 * $8 state[], $9 properties[], $10 hash[], $11 actor.
 */
export const insertEntities = `
  insert into entity (workspace_id, id, version_id, guid, number, name, category, state, properties, sync_hash,
                      revised_by)
  select $1, id, version_id, guid, number, name, category, state, properties::jsonb, hash, $11
  from unnest($2::uuid[], $3::uuid[], $4::uuid[], $5::text[], $6::text[], $7::text[], $8::text[], $9::text[],
              $10::bytea[])
    as i (id, version_id, guid, number, name, category, state, properties, hash)`;

/**
 * Changes in place. $1 workspace, $2 id[], $3 number[], $4 name[], $5 properties[], $6 hash[].
 */
export const updateEntitiesInPlace = `
  update entity e
  set number = i.number, name = i.name, properties = i.properties::jsonb, sync_hash = i.hash,
      version = e.version + 1, updated_at = now()
  from unnest($2::uuid[], $3::text[], $4::text[], $5::text[], $6::bytea[])
    as i (id, number, name, properties, hash)
  where e.workspace_id = $1 and e.id = i.id`;
