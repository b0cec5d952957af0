/** SQL of walks over the structure: the tree below an entity, and the assemblies above it. */

/**
 * The children of these entities, packed: for each parent that has any, `child quantity` joined by commas in
 * order of the child ids, with a star behind it where the link says more than its quantity. Never more than $3 links, however wide the structure is: with so many there may be
 * more, and the answer is no level of a tree. $1 workspace, $2 parent id[], $3 links at most.
 */
export const selectChildren = `
  select parent_id, count(*)::int as links,
         string_agg(child_id || ' ' || quantity || case when has_line then '*' else '' end, ',' order by child_id)
           as children
  from (
    select l.* from unnest($2::uuid[]) as p (id)
    cross join lateral (
      select parent_id, child_id, quantity, line is not null as has_line from entity_link
      where workspace_id = $1 and parent_id = p.id offset 0) as l
    limit $3) as link
  group by parent_id`;

/**
 * The parents of these entities, packed in the same way, without the star and in order of the parent ids. The range in place of an
 * equality leaves the planner no index but the one of children, which has them in this order (see uses.sql.ts). Never more than $3
 * links: with so many there may be more. $1 workspace, $2 child id[], $3 links at most.
 */
export const selectParents = `
  select child_id, count(*)::int as links,
         string_agg(parent_id || ' ' || quantity, ',' order by parent_id) as parents
  from (
    select l.* from unnest($2::uuid[]) as c (id)
    cross join lateral (
      select child_id, parent_id, quantity from entity_link
      where workspace_id = $1 and (child_id, parent_id) > (c.id, '00000000-0000-0000-0000-000000000000')
        and child_id <= c.id
      order by child_id, parent_id offset 0) as l
    limit $3) as link
  group by child_id order by child_id`;

const named = (more: string) => `
  select e.id, e.number, e.name, e.category, e.state, e.revision_number, e.archived_at is not null as is_archived,
         encode(e.picture, 'hex') as picture ${more}
  from unnest($2::uuid[]) as i (id)
  cross join lateral (
    select id, number, name, category, state, revision_number, archived_at, picture from entity
    where workspace_id = $1 and id = i.id offset 0) as e`;

/** Reads what a tree shows of assemblies. $1 workspace, $2 id[]. */
export const selectAssemblies = named('');

/**
 * Selects the fields that the tree shows. Without OFFSET 0 the planner hashes all links of the workspace to find
 * out about children (2.5 M links: 1.4 s for a thousand entities). $1 workspace, $2 id[].
 */
export const selectTreeEntities = named(
  ', exists (select from entity_link where workspace_id = $1 and parent_id = e.id offset 0) as has_children',
);

/**
 * Reads the fields of links beside their quantity, in order, until they have more bytes than $4; later ones are left out (`is_left`).
 * `arrays` and `columns` name the links `i`; `line` selects the line of one.
 */
export const linesOfLinks = (arrays: string, columns: string, line: string) => `
  select place::int as place, case when bytes_before <= $4 then line end as line, bytes_before > $4 as is_left from (
    select i.place, l.line,
           sum(octet_length(l.line::text)) over (order by i.place) - octet_length(l.line::text) as bytes_before
    from unnest(${arrays}) with ordinality as i (${columns})
    cross join lateral (${line} offset 0) as l) as read
  order by place`;

/** $1 workspace, $2 parent id[], $3 child id[], $4 bytes. */
export const selectLines = linesOfLinks(
  '$2::uuid[], $3::uuid[]',
  'parent_id, child_id, place',
  `select line from entity_link
      where workspace_id = $1 and parent_id = i.parent_id and child_id = i.child_id and line is not null`,
);
