/** SQL that changes single links. The structure lock and the parent's row lock are held. */

/** $1 workspace, $2 entity. */
export const selectCategoryOf =
  'select id, number, category, archived_at from entity where workspace_id = $1 and id = $2';

/** $1 workspace, $2 parent id, $3 child id. */
export const selectLink = `
  select quantity, line from entity_link where workspace_id = $1 and parent_id = $2 and child_id = $3`;

/**
 * Computes the fields of a link after a change. `stored` is the row of the link, or null for a new link; `said` is a `SaidLine`.
 * The function also decides what happens to several lines when the new quantity is not their sum.
 */
export const mergedLine = (stored: string | null, quantity: string, said: string) =>
  stored === null
    ? `merge_link_line(null, null, ${quantity}, ${said})`
    : `merge_link_line(${stored}.quantity, ${stored}.line, ${quantity}, ${said})`;

/**
 * Computes the fields of a stored link that gets the quantity of the row to be inserted and no other change. Only the fields of a link with
 * several lines change.
 */
export const lineAfterQuantity = (table: string) =>
  `case when ${table}.line ? 'lines' then ${mergedLine(table, 'excluded.quantity', 'null')} else ${table}.line end`;

/** $1 quantity and $2 fields of a stored link, or null, $3 new quantity, $4 JSON of a `SaidLine`. */
export const mergeLine = 'select merge_link_line($1::numeric, $2::jsonb, $3::numeric, $4::jsonb) as line';

/** $1 workspace, $2 parent id, $3 child id, $4 quantity, $5 the whole line, JSON or null. */
export const upsertLink = `
  insert into entity_link (workspace_id, parent_id, child_id, quantity, line) values ($1, $2, $3, $4, $5::jsonb)
  on conflict (workspace_id, parent_id, child_id) do update set quantity = excluded.quantity, line = excluded.line`;

/** $1 workspace, $2 parent id, $3 child id. */
export const deleteLink = `
  delete from entity_link where workspace_id = $1 and parent_id = $2 and child_id = $3`;

/** Selects the child as a row of uses, and the version of its parent, at the same moment. $1 workspace, $2 parent id, $3 child id. */
export const selectUse = `
  select l.child_id as id, l.quantity, l.line, e.number, e.name, e.category, e.state, e.revision_number, e.archived_at is not null as is_archived,
         encode(e.picture, 'hex') as picture,
         exists (select from entity_link where workspace_id = $1 and parent_id = e.id offset 0) as has_children,
         true as has_parents, (select version from entity where workspace_id = $1 and id = $2) as parent_version
  from entity_link l join entity e on e.workspace_id = $1 and e.id = l.child_id
  where l.workspace_id = $1 and l.parent_id = $2 and l.child_id = $3`;

/** Deletes a pending link, because somebody has set the link by hand. $1 workspace, $2 parent id, $3 child id. */
export const dropPendingLink = `
  delete from pending_link
  where workspace_id = $1 and child_id = $3
    and parent_guid = (select guid from entity where workspace_id = $1 and id = $2)`;

/**
 * Selects the parents of one entity: by its links, and by pending links whose parent exists by now. A batch writes its entities first and
 * turns the links that waited for them into links at its end. Another writer of a link counts these as made in between, or the two
 * writers together would close a cycle. So no pending link ever has to be dropped: a new entity has no parents yet, so no cycle can
 * contain it, and an entity that is given its GUID later is refused it if a cycle would close (`waitingClosesCycle`). $1 workspace.
 */
export const parentsOf = (childId: string) => `
  select parent_id from entity_link where workspace_id = $1 and child_id = ${childId}
  union all
  select p.id from pending_link w
  cross join lateral (select id from entity where workspace_id = $1 and guid = w.parent_guid limit 1) p
  where w.workspace_id = $1 and w.child_id = ${childId}
  offset 0`;

/**
 * Whether the way up from the parent reaches the child, so that the link would close a cycle. Upwards, because
 * a part is used in fewer assemblies than an assembly has parts; each entity is visited once. LATERAL with
 * OFFSET 0 keeps every step a probe of entity_link_child and of pending_link_child_parent. $1 workspace, $2 parent id,
 * $3 child id.
 */
export const closesCycle = `
  with recursive above (id) as (
    select $2::uuid
    union
    select l.parent_id from above a cross join lateral (${parentsOf('a.id')}) as l
  )
  select exists (select from above where id = $3) as closes`;

/**
 * Whether the way up from an entity reaches a child that waits for this GUID, so that the entity, given it, would close
 * a cycle. $1 workspace, $2 entity id, $3 guid.
 */
export const waitingClosesCycle = `
  with recursive above (id) as (
    select $2::uuid
    union
    select l.parent_id from above a cross join lateral (${parentsOf('a.id')}) as l
  )
  select exists (
    select from pending_link w
    where w.workspace_id = $1 and w.parent_guid = $3 and w.child_id in (select id from above)) as closes`;

/**
 * Selects one level further up: the parents of these entities, each with one of its children. The links are bounded
 * before they are sorted. $1 workspace, $2 entity ids, $3 maximum of links.
 */
export const stepUp = `
  select distinct on (parent_id) parent_id as id, child
  from (
    select l.parent_id, a.id as child
    from unnest($2::uuid[]) as a (id) cross join lateral (${parentsOf('a.id')}) as l limit $3) as links
  order by parent_id`;

/** Finds one of these entities that waits for this GUID. $1 workspace, $2 guid, $3 entity ids. */
export const selectWaitingAmong = `
  select child_id as id from pending_link
  where workspace_id = $1 and parent_guid = $2 and child_id = any($3::uuid[]) limit 1`;

/** $1 workspace, $2 ids. */
export const selectLabels = `
  select id, coalesce(number, name) as label from entity where workspace_id = $1 and id = any($2::uuid[])`;

/** The structure is part of the entity: its tag changes too. $1 workspace, $2 id. Gives the new version. */
export const touchEntity = `
  update entity set version = version + 1, updated_at = now(), sync_hash = null
  where workspace_id = $1 and id = $2 returning version`;

/**
 * Turns some of the links that wait for these GUIDs into links, in the order of GUID and child behind a key. Dead rows of earlier portions
 * lie before that key and are not read again. Returns their parents, once each, and the last key; no row if none is left. No cycle can
 * close: writers of links since the parents appeared have counted these as made (see parentsOf). Rows are deleted by their place in the
 * table, which nobody changes meanwhile: with a join by the key, each could be searched among all rows of a child or of the workspace. $1 workspace, $2 parent guid[], $3 and $4 the key, $5 rows.
 */
export const resolvePortion = `
  with portion as materialized (
    select w.ctid as place, w.parent_guid, w.child_id, w.quantity, w.line, p.id as parent_id
    from pending_link w
    cross join lateral (select id from entity where workspace_id = $1 and guid = w.parent_guid limit 1) p
    where w.workspace_id = $1 and w.parent_guid = any($2::uuid[]) and (w.parent_guid, w.child_id) > ($3::uuid, $4::uuid)
    order by w.parent_guid, w.child_id limit $5
  ), gone as (
    delete from pending_link where workspace_id = $1 and ctid = any (array(select place from portion))
  ), linked as (
    insert into entity_link (workspace_id, parent_id, child_id, quantity, line)
    select $1, parent_id, child_id, quantity, line from portion order by parent_id, child_id
    on conflict (workspace_id, parent_id, child_id) do nothing
    returning parent_id
  )
  select array(select distinct parent_id::text from linked) as parents,
         (select count(*)::int from portion) as taken, last.parent_guid, last.child_id
  from (select parent_guid, child_id from portion order by parent_guid desc, child_id desc limit 1) as last`;
