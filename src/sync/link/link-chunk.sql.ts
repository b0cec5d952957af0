/**
 * SQL that writes a chunk's links. The workspace's structure lock is held, so that no two writers of links
 * can close a cycle together; links are written in the order of parent and child.
 */
import { lineAfterQuantity, mergedLine } from '../../entities/links/entity-links.sql.ts';

/** Parents of these links, locked in the order of the array. $1 workspace, $2 parent guid[] ascending. */
export const lockParents = `
  select e.id, e.guid, e.state, e.category
  from unnest($2::uuid[]) as g (guid)
  cross join lateral (
    select id, guid, state, category from entity
    where workspace_id = $1 and guid = g.guid limit 1 for no key update) e`;

const parents = {
  id: 'cross join lateral (select i.parent as id) p',
  guid: 'join lateral (select id from entity where workspace_id = $1 and guid = i.parent limit 1) p on true',
};

const children = {
  id: 'cross join lateral (select i.child as id) c',
  guid: 'join lateral (select id from entity where workspace_id = $1 and guid = i.child limit 1) c on true',
};

/** How the ends of a link are named. */
interface NamedBy {
  parent: keyof typeof parents;
  child: keyof typeof children;
}

/**
 * Gives a parent for each link that is new or not as it is asked for. $1 workspace, $2 child id[] or guid[], $3 parent id[] or
 * guid[], $4 quantity[]. The fields of an old link stay (see `lineAfterQuantity`).
 */
const writeLinks = (by: NamedBy) => `
  insert into entity_link (workspace_id, parent_id, child_id, quantity)
  select $1, p.id, c.id, i.quantity
  from unnest($2::uuid[], $3::uuid[], $4::numeric[]) as i (child, parent, quantity)
  ${children[by.child]}
  ${parents[by.parent]}
  order by p.id, c.id
  on conflict (workspace_id, parent_id, child_id) do update
  set quantity = excluded.quantity, line = ${lineAfterQuantity('entity_link')}
  where entity_link.quantity is distinct from excluded.quantity
  returning parent_id`;

/**
 * Writes links likewise, some of them with further fields: $5 JSON of a `SaidLine` or null, text[]. No other
 * transaction writes links meanwhile.
 */
const writeLinksWithLines = (by: NamedBy) => `
  insert into entity_link (workspace_id, parent_id, child_id, quantity, line)
  select $1, p.id, c.id, i.quantity, ${mergedLine('l', 'i.quantity', 'i.said::jsonb')}
  from unnest($2::uuid[], $3::uuid[], $4::numeric[], $5::text[]) as i (child, parent, quantity, said)
  ${children[by.child]}
  ${parents[by.parent]}
  left join lateral (
    select quantity, line from entity_link
    where workspace_id = $1 and parent_id = p.id and child_id = c.id limit 1) l on true
  order by p.id, c.id
  on conflict (workspace_id, parent_id, child_id) do update set quantity = excluded.quantity, line = excluded.line
  where entity_link.quantity is distinct from excluded.quantity or entity_link.line is distinct from excluded.line
  returning parent_id`;

/**
 * Links that are taken to be none that are stored: no look whether one is, which is a third of what a link costs. Where one is all the same the
 * transaction ends with a unique violation. Parameters as above.
 */
const insertLinks = (by: NamedBy) => `
  insert into entity_link (workspace_id, parent_id, child_id, quantity)
  select $1, p.id, c.id, i.quantity
  from unnest($2::uuid[], $3::uuid[], $4::numeric[]) as i (child, parent, quantity)
  ${children[by.child]}
  ${parents[by.parent]}
  order by p.id, c.id`;

const insertLinksWithLines = (by: NamedBy) => `
  insert into entity_link (workspace_id, parent_id, child_id, quantity, line)
  select $1, p.id, c.id, i.quantity, ${mergedLine(null, 'i.quantity', 'i.said::jsonb')}
  from unnest($2::uuid[], $3::uuid[], $4::numeric[], $5::text[]) as i (child, parent, quantity, said)
  ${children[by.child]}
  ${parents[by.parent]}
  order by p.id, c.id`;

/** The parents of the links that were written, each once and in one text: rows, and arrays, would be read one by one. */
const givingParents = (writing: string) => `
  with written as (${writing})
  select string_agg(distinct parent_id::text, ',') as parents from written`;

/**
 * Links of parents whose rows are locked, by their ids, and by those of the children where the pass that wrote them has said them:
 * two look-ups less, which were half of what a link costs. Those that are new by the ids of both ends are all written, and so nothing is given: whoever
 * asks knows their parents.
 */
const known = (writing: (by: NamedBy) => string) => ({
  guid: givingParents(writing({ parent: 'id', child: 'guid' })),
  id: givingParents(writing({ parent: 'id', child: 'id' })),
});
const fresh = (inserting: (by: NamedBy) => string) => ({
  guid: givingParents(`${inserting({ parent: 'id', child: 'guid' })} returning parent_id`),
  id: inserting({ parent: 'id', child: 'id' }),
});
/** Statements for links that may be stored, and for links that are taken to be new. */
export const linkWriters = {
  known: { plain: known(writeLinks), withLines: known(writeLinksWithLines) },
  new: { plain: fresh(insertLinks), withLines: fresh(insertLinksWithLines) },
};

/**
 * Links of parents that are all there, locked and not released, with what follows from them: the tag of each parent whose structure
 * changes (`touchParents`, also why by places). Parameters as those of the statement.
 */
const linkAndTouch = (writing: string) => `
  with written as (${writing})
  update entity set version = version + 1, updated_at = now()
  where workspace_id = $1 and ctid = any (array(
    select r.ctid from (select distinct parent_id as id from written) as i
    cross join lateral (select ctid from entity where workspace_id = $1 and id = i.id limit 1) as r))`;

/** Statements by ids, where the batch knows those of both ends. */
export const linkPlanned = {
  guid: linkAndTouch(writeLinks({ parent: 'guid', child: 'guid' })),
  id: linkAndTouch(writeLinks({ parent: 'id', child: 'id' })),
};
export const linkPlannedWithLines = {
  guid: linkAndTouch(writeLinksWithLines({ parent: 'guid', child: 'guid' })),
  id: linkAndTouch(writeLinksWithLines({ parent: 'id', child: 'id' })),
};

/** Links whose parent is not there wait for it. Parameters as above, parents by GUID. */
export const upsertPendingLinks = `
  insert into pending_link (workspace_id, parent_guid, child_id, quantity)
  select $1, i.parent, c.id, i.quantity
  from unnest($2::uuid[], $3::uuid[], $4::numeric[]) as i (child, parent, quantity)
  join lateral (select id from entity where workspace_id = $1 and guid = i.child limit 1) c on true
  where not exists (select from entity where workspace_id = $1 and guid = i.parent)
  order by i.parent, c.id
  on conflict (workspace_id, parent_guid, child_id) do update
  set quantity = excluded.quantity, line = ${lineAfterQuantity('pending_link')}
  where pending_link.quantity is distinct from excluded.quantity`;

/** Writes pending links with further fields; parameters likewise. */
export const upsertPendingLinksWithLines = `
  insert into pending_link (workspace_id, parent_guid, child_id, quantity, line)
  select $1, i.parent, c.id, i.quantity, ${mergedLine('w', 'i.quantity', 'i.said::jsonb')}
  from unnest($2::uuid[], $3::uuid[], $4::numeric[], $5::text[]) as i (child, parent, quantity, said)
  join lateral (select id from entity where workspace_id = $1 and guid = i.child limit 1) c on true
  left join lateral (
    select quantity, line from pending_link
    where workspace_id = $1 and parent_guid = i.parent and child_id = c.id limit 1) w on true
  where not exists (select from entity where workspace_id = $1 and guid = i.parent)
  order by i.parent, c.id
  on conflict (workspace_id, parent_guid, child_id) do update set quantity = excluded.quantity, line = excluded.line
  where pending_link.quantity is distinct from excluded.quantity or pending_link.line is distinct from excluded.line`;

/**
 * The structure is part of an entity: its tag changes too, as with an edit by hand. The hash stays, which is of the
 * data alone. By their places in the table: joined by id, in a small database where nothing is known of the workspace, each was
 * looked for in the rows of all of it (250 µs a parent beside 12 000 entities, 8 now). $1 workspace, $2 id[], whose rows are locked.
 */
export const touchParents = `
  update entity set version = version + 1, updated_at = now()
  where workspace_id = $1 and ctid = any (array(
    select r.ctid from unnest($2::uuid[]) as i (id)
    cross join lateral (select ctid from entity where workspace_id = $1 and id = i.id limit 1) as r))`;

/**
 * Selects those of these GUIDs for which links wait: a probe for each if any link of the workspace waits, or all
 * waiting links if few are expected, in an order that only the index of parents has. $1 workspace, $2 guid[].
 */
export const waitedFor = `
  select distinct g.guid as parent_guid from unnest($2::uuid[]) as g (guid)
  cross join lateral (
    select from pending_link where workspace_id = $1 and parent_guid = any (array[g.guid])
    order by parent_guid limit 1) as w
  where (select exists (select from pending_link where workspace_id = $1))`;

/** Whether any link waits for a parent. $1 workspace. */
export const anyWaitingLink = `select exists (select from pending_link where workspace_id = $1) as any`;

/** $1 workspace, $2 guid[]. */
export const selectArchived = `
  select g.guid from unnest($2::uuid[]) as g (guid)
  cross join lateral (
    select from entity where workspace_id = $1 and guid = g.guid and archived_at is not null limit 1) e`;
