/**
 * SQL that writes a chunk's links. The workspace's structure lock is held, so that no two writers of links
 * can close a cycle together; links are written in the order of parent and child.
 */
import { mergedLine } from '../../entities/entity-links.sql.ts';

/** Parents of these links, locked in the order of the array. $1 workspace, $2 parent guid[] ascending. */
export const lockParents = `
  select e.id, e.guid, e.state, e.category
  from unnest($2::uuid[]) as g (guid)
  cross join lateral (
    select id, guid, state, category from entity
    where workspace_id = $1 and guid = g.guid limit 1 for no key update) e`;

/**
 * Gives a parent for each link that is new or not as it is asked for. $1 workspace, $2 child guid[], $3 parent guid[],
 * $4 quantity[]. What an old link says beside its quantity stays.
 */
export const upsertLinks = `
  insert into entity_link (workspace_id, parent_id, child_id, quantity)
  select $1, p.id, c.id, i.quantity
  from unnest($2::uuid[], $3::uuid[], $4::numeric[]) as i (child, parent, quantity)
  join lateral (select id from entity where workspace_id = $1 and guid = i.child limit 1) c on true
  join lateral (select id from entity where workspace_id = $1 and guid = i.parent limit 1) p on true
  order by p.id, c.id
  on conflict (workspace_id, parent_id, child_id) do update set quantity = excluded.quantity
  where entity_link.quantity is distinct from excluded.quantity
  returning parent_id`;

/** The same where more is said of some: $5 JSON of a `SaidLine` or null, text[]. Nobody else writes links meanwhile. */
export const upsertLinksWithLines = `
  insert into entity_link (workspace_id, parent_id, child_id, quantity, line)
  select $1, p.id, c.id, i.quantity, ${mergedLine('l.line', 'i.said::jsonb')}
  from unnest($2::uuid[], $3::uuid[], $4::numeric[], $5::text[]) as i (child, parent, quantity, said)
  join lateral (select id from entity where workspace_id = $1 and guid = i.child limit 1) c on true
  join lateral (select id from entity where workspace_id = $1 and guid = i.parent limit 1) p on true
  left join lateral (
    select line from entity_link where workspace_id = $1 and parent_id = p.id and child_id = c.id limit 1) l on true
  order by p.id, c.id
  on conflict (workspace_id, parent_id, child_id) do update set quantity = excluded.quantity, line = excluded.line
  where entity_link.quantity is distinct from excluded.quantity or entity_link.line is distinct from excluded.line
  returning parent_id`;

/**
 * Links of parents that are all there, locked and not released, with what follows from them: the tag of each parent whose structure
 * changes (`touchParents`). Parameters as those of the statement.
 */
const linkAndTouch = (linking: string) => `
  with linked as (${linking})
  update entity e set version = e.version + 1, updated_at = now()
  from (select distinct parent_id as id from linked) i
  where e.workspace_id = $1 and e.id = i.id`;

export const linkPlanned = linkAndTouch(upsertLinks);
export const linkPlannedWithLines = linkAndTouch(upsertLinksWithLines);

/** Links whose parent is not there wait for it. Parameters as above. */
export const upsertPendingLinks = `
  insert into pending_link (workspace_id, parent_guid, child_id, quantity)
  select $1, i.parent, c.id, i.quantity
  from unnest($2::uuid[], $3::uuid[], $4::numeric[]) as i (child, parent, quantity)
  join lateral (select id from entity where workspace_id = $1 and guid = i.child limit 1) c on true
  where not exists (select from entity where workspace_id = $1 and guid = i.parent)
  order by i.parent, c.id
  on conflict (workspace_id, parent_guid, child_id) do update set quantity = excluded.quantity
  where pending_link.quantity is distinct from excluded.quantity`;

/** The same where more is said of some; parameters as there. */
export const upsertPendingLinksWithLines = `
  insert into pending_link (workspace_id, parent_guid, child_id, quantity, line)
  select $1, i.parent, c.id, i.quantity, ${mergedLine('w.line', 'i.said::jsonb')}
  from unnest($2::uuid[], $3::uuid[], $4::numeric[], $5::text[]) as i (child, parent, quantity, said)
  join lateral (select id from entity where workspace_id = $1 and guid = i.child limit 1) c on true
  left join lateral (
    select line from pending_link
    where workspace_id = $1 and parent_guid = i.parent and child_id = c.id limit 1) w on true
  where not exists (select from entity where workspace_id = $1 and guid = i.parent)
  order by i.parent, c.id
  on conflict (workspace_id, parent_guid, child_id) do update set quantity = excluded.quantity, line = excluded.line
  where pending_link.quantity is distinct from excluded.quantity or pending_link.line is distinct from excluded.line`;

/**
 * The structure is part of an entity: its tag changes too, as with an edit by hand. The hash stays, which is of the
 * data alone. $1 workspace, $2 id[], whose rows are locked.
 */
export const touchParents = `
  update entity e set version = e.version + 1, updated_at = now()
  from unnest($2::uuid[]) as i (id)
  where e.workspace_id = $1 and e.id = i.id`;

/** Those of these GUIDs for which links wait. $1 workspace, $2 guid[]. */
export const waitedFor = `
  select distinct parent_guid from pending_link where workspace_id = $1 and parent_guid = any($2::uuid[])`;

/** Whether any link waits for a parent. $1 workspace. */
export const anyWaitingLink = `select exists (select from pending_link where workspace_id = $1) as any`;
