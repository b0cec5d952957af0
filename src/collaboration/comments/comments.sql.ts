/**
 * Comments as they are stored. $1 is the workspace. A writer locks the comment that it changes and nothing else, so comments take part in
 * no lock order.
 */

const mentioned = `
  (select coalesce(json_agg(json_build_object('id', m.id, 'name', m.name, 'writtenAs', coalesce(n.name, m.name)) order by m.id), '[]'::json)
   from unnest(c.mentions, c.mentioned_as) as n (id, name)
   cross join lateral (select id, name from member where workspace_id = $1 and id = n.id offset 0) m)`;

/** Rows of comments `c` as `CommentRow`. */
const shown = (comments: string) => `
  select c.id, c.entity_id, c.batch_id, c.text, c.version, c.created_at, c.edited_at, c.deleted_at, c.author_id,
         a.type as author_type, a.name as author_name, ${mentioned} as mentions
  from ${comments} left join actor a on a.workspace_id = $1 and a.id = c.author_id`;

/** The thing that comments are about. */
export type Subject = 'entity' | 'batch';

/** A page in the order of writing. $2 the thing, $3 id to go on behind or null, $4 rows, $5 whether the newest come first. */
export const selectComments = (subject: Subject, newestFirst: boolean) => `
  ${shown(`(
    select * from comment
    where workspace_id = $1 and ${subject}_id >= $2 and ${subject}_id <= $2
      and ($3::uuid is null or id ${newestFirst ? '<' : '>'} $3)
    order by ${subject}_id ${newestFirst ? 'desc' : 'asc'}, id ${newestFirst ? 'desc' : 'asc'} limit $4) c`)}
  order by c.id ${newestFirst ? 'desc' : 'asc'}`;

/** $2 id. */
export const selectComment = shown('(select * from comment where workspace_id = $1 and id = $2) c');

/** $2 id. */
export const lockComment = 'select id from comment where workspace_id = $1 and id = $2 for update';

/** How many the thing has, counted up to $3. $2 the thing. */
export const countComments = (subject: Subject) => `
  select count(*)::int as present from (
    select from comment where workspace_id = $1 and ${subject}_id = $2 limit $3) as counted`;

/** $2 id, $3 entity or null, $4 batch or null, $5 author, $6 type and $7 name of the author, $8 text, $9 mentioned members, $10 their names in the text. */
export const insertComment = `
  with known as (
    insert into actor (workspace_id, id, type, name) values ($1, $5, $6, $7)
    on conflict (workspace_id, id) do nothing
  )
  insert into comment (workspace_id, id, entity_id, batch_id, author_id, text, mentions, mentioned_as)
  values ($1, $2, $3, $4, $5, $8, $9, $10)`;

/** Keeps the present text as an earlier one and replaces it. $2 id, $3 text, $4 mentioned members, $5 their names in the text. */
export const editComment = `
  with earlier as (
    insert into comment_version (workspace_id, comment_id, version, text, written_at)
    select workspace_id, id, version, text, coalesce(edited_at, created_at) from comment
    where workspace_id = $1 and id = $2
  )
  update comment set text = $3, mentions = $4, mentioned_as = $5, version = version + 1, edited_at = now()
  where workspace_id = $1 and id = $2`;

/** Removes the text and all earlier ones. $2 id. */
export const eraseComment = `
  with earlier as (delete from comment_version where workspace_id = $1 and comment_id = $2)
  update comment set text = '', mentions = '{}', mentioned_as = '{}', version = version + 1, deleted_at = now()
  where workspace_id = $1 and id = $2`;

/** The earlier texts, oldest first. $2 id, $3 version to go on behind or null, $4 rows. */
export const selectVersions = `
  select version, text, written_at from comment_version
  where workspace_id = $1 and comment_id = $2 and ($3::integer is null or version > $3) order by version limit $4`;

/** $2 batch. */
export const selectBatch = 'select id from sync_batch where workspace_id = $1 and id = $2';

/** Active members of those names, which are unique among them whatever their case. $2 names. */
export const selectNamed = `
  select id, name from member
  where workspace_id = $1 and ended_at is null and lower(name) = any (array(select lower(n) from unnest($2::text[]) n))`;

/** Active members. $2 text that names contain or null, $3 id to go on behind or null, $4 rows. */
export const selectPeople = `
  select id, name from member
  where workspace_id = $1 and ended_at is null and ($2::text is null or strpos(lower(name), lower($2)) > 0)
    and ($3::uuid is null or id > $3)
  order by id limit $4`;
