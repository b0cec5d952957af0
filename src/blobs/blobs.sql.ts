/**
 * SQL of content-addressed storage. Locks are taken in this order: entities, then `blob`, then `blob_usage`. A transaction that refers to
 * a blob holds its row with `for key share`, so that retention does not delete it meanwhile.
 */

/** $1 workspace, $2 sha256, $3 media type, $4 bytes, $5 stored bytes, $6 width, $7 height. */
export const insertBlob = `
  insert into blob (workspace_id, sha256, media_type, bytes, stored_bytes, width, height, unchecked_since)
  values ($1, $2, $3, $4, $5, $6, $7, now())
  on conflict (workspace_id, sha256) do update set unchecked_since = now()
  returning xmax = 0 as "isNew"`;

/** $1 workspace, $2 sha256, $3 form, $4 media type, $5 content. */
export const insertContent = `
  insert into blob_content (workspace_id, sha256, form, media_type, content) values ($1, $2, $3, $4, $5)`;

/** $1 workspace, $2 bytes. */
export const addUsage = `
  insert into blob_usage as u (workspace_id, stored_bytes) values ($1, $2)
  on conflict (workspace_id) do update set stored_bytes = u.stored_bytes + excluded.stored_bytes
  returning stored_bytes::float8 as "storedBytes"`;

/** Keeps these blobs until the transaction ends. $1 workspace, $2 sha256[]. */
export const holdBlobs = `
  select encode(sha256, 'hex') as sha256 from blob
  where workspace_id = $1 and sha256 = any($2::bytea[]) order by blob.sha256 for key share`;

/** Lets retention look at blobs that have lost a reference. $1 workspace, $2 sha256[]. */
export const markUnchecked = `
  update blob b set unchecked_since = now()
  from (select sha256 from blob where workspace_id = $1 and sha256 = any($2::bytea[]) order by sha256 for no key update) as l
  where b.workspace_id = $1 and b.sha256 = l.sha256`;

/** Reads the first piece of a content. $1 workspace, $2 sha256, $3 form, $4 bytes of a piece. */
export const selectContent = `
  select media_type as "mediaType", octet_length(content) as bytes, substring(content from 1 for $4::int) as piece
  from blob_content where workspace_id = $1 and sha256 = $2 and form = $3`;

/** $1 workspace, $2 sha256, $3 form, $4 bytes of a piece, $5 bytes before it. */
export const selectPiece = `
  select substring(content from $5::int + 1 for $4::int) as piece
  from blob_content where workspace_id = $1 and sha256 = $2 and form = $3`;

/** Finds blobs that may be unused, and locks them. $1 days, $2 rows. */
export const lockUnchecked = `
  select workspace_id as "workspaceId", encode(sha256, 'hex') as sha256 from blob
  where unchecked_since < now() - make_interval(days => $1)
  order by unchecked_since limit $2 for update skip locked`;

/**
 * Deletes those of the locked blobs that nothing refers to, and marks the others as used. It is a statement of its own: its snapshot is
 * taken when the locks are held, so it sees references of transactions that have ended meanwhile. $1 workspace[], $2 sha256[].
 */
export const settleUnchecked = `
  with checked as materialized (
    select b.workspace_id, b.sha256, b.stored_bytes,
           exists (select from entity e where e.workspace_id = b.workspace_id and e.picture = b.sha256)
           or exists (select from entity_revision r where r.workspace_id = b.workspace_id and r.picture = b.sha256) as used
    from unnest($1::uuid[], $2::bytea[]) as g (workspace_id, sha256)
    join blob b on b.workspace_id = g.workspace_id and b.sha256 = g.sha256
  ), kept as (
    update blob b set unchecked_since = null from checked c
    where c.used and b.workspace_id = c.workspace_id and b.sha256 = c.sha256
  ), contents as (
    delete from blob_content b using checked c
    where not c.used and b.workspace_id = c.workspace_id and b.sha256 = c.sha256
  ), removed as (
    delete from blob b using checked c where not c.used and b.workspace_id = c.workspace_id and b.sha256 = c.sha256
  )
  update blob_usage u set stored_bytes = u.stored_bytes - s.bytes
  from (select workspace_id, sum(stored_bytes) as bytes from checked where not used group by workspace_id) as s
  where u.workspace_id = s.workspace_id`;
