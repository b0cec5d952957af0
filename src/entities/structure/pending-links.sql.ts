/** SQL of links that wait for their parent. `pending_link` is changed under the structure lock alone. */

const columns = 'parent_guid, child_id, quantity, line';

/** LATERAL with OFFSET 0 keeps the look-up of each child a probe of the primary key (see uses.sql.ts). */
const withChild = (links: string, order: string) => `
  select l.parent_guid, l.child_id, l.quantity, l.line, c.guid as child_guid, c.number as child_number,
         c.name as child_name, c.category as child_category, c.revision_number as child_revision
  from (${links}) as l
  cross join lateral (
    select guid, number, name, category, revision_number from entity
    where workspace_id = $1 and id = l.child_id offset 0) as c
  ${order}`;

/**
 * Pages in the order of one end and then the other, each a range of the one index that has this order: of the primary key, or of
 * pending_link_child_parent. Of one end alone it says "from here to here" in place of "equal", as uses.sql.ts does and why. The first
 * begins with the lowest of GUIDs, which a payload may name as well as any other, and a further one behind what was last.
 */
const pages = (here: string, there: string, until = '') => {
  const page = (from: '>=' | '>') =>
    withChild(
      `select ${columns} from pending_link
       where workspace_id = $1 and (${here}, ${there}) ${from} ($3, $4) ${until}
       order by ${here}, ${there} limit $2`,
      `order by l.${here}, l.${there}`,
    );
  return { first: page('>='), further: page('>') };
};

/** Lists the pending links of the workspace. $1 workspace, $2 rows, $3 and $4 parent GUID and child id to begin with or to go on after. */
export const selectPendingLinks = pages('parent_guid', 'child_id');

/** Lists the pending links that wait for a GUID. $1 workspace, $2 rows, $3 the GUID, $4 child id likewise. */
export const selectPendingLinksOfParent = pages('parent_guid', 'child_id', 'and parent_guid <= $3');

/** Lists the pending links of a child. $1 workspace, $2 rows, $3 the child's id, $4 parent GUID likewise. */
export const selectPendingLinksOfChild = pages('child_id', 'parent_guid', 'and child_id <= $3');

/** The one of a parent and a child, or none. $1 workspace, $2 parent GUID, $3 child id. */
export const selectPendingLink = withChild(
  `select ${columns} from pending_link where workspace_id = $1 and parent_guid = $2 and child_id = $3`,
  '',
);

/** Takes one back, and gives it as it was; no row where there is none. Parameters as above. */
export const deletePendingLink = `
  with gone as (
    delete from pending_link where workspace_id = $1 and parent_guid = $2 and child_id = $3 returning ${columns}
  ) ${withChild(`select ${columns} from gone`, '')}`;

/** $1 workspace, $2 parent GUID[], $3 child id[] beside it. */
export const deletePendingLinks = `
  delete from pending_link l using unnest($2::uuid[], $3::uuid[]) as g (parent_guid, child_id)
  where l.workspace_id = $1 and l.parent_guid = g.parent_guid and l.child_id = g.child_id`;
