/** Reads what an item is made of, one level deep. LATERAL with OFFSET 0 keeps every step a probe of an index. */

import type { LinkLine } from '../../entities/links/link-line.ts';
import { linksInBaseUnits, revisionLinksInBaseUnits } from '../../entities/units/base-quantity.sql.ts';
import { baseUnitOf } from '../../entities/units/item-units.sql.ts';

export interface ChildRow {
  parent_id: string;
  id: string;
  number: string | null;
  name: string;
  picture: string | null;
  revision: number;
  unit: string | null;
  quantity: string;
  line: LinkLine | null;
}

const asChildren = (links: string) => `
  select l.parent_id, l.child_id as id, e.number, e.name, encode(e.picture, 'hex') as picture, e.revision_number as revision,
         ${baseUnitOf('l.child_id')} as unit, l.quantity, l.line from (${links}) l
  cross join lateral (
    select e.number, e.name, e.picture, e.revision_number, c.role from entity e join category c on c.workspace_id = $1 and c.key = e.category
    where e.workspace_id = $1 and e.id = l.child_id offset 0) e
  where e.role in ('item', 'itemAndLocation')
  order by l.parent_id, l.child_id
  limit $3`;

/** Items that parents consist of at present. $1 workspace, $2 parent[], $3 rows. */
export const selectChildren = asChildren(`
  select i.id as parent_id, l.child_id, l.quantity, l.line from unnest($2::uuid[]) as i (id)
  cross join lateral (
    select child_id, quantity, line from ${linksInBaseUnits} k where workspace_id = $1 and parent_id = i.id offset 0) l`);

/** Items that one revision of a parent consists of. $1 workspace, $2 parent, $3 rows, $4 revision number. */
export const selectChildrenOfRevision = asChildren(`
  select l.parent_id, l.child_id, l.quantity, l.line from ${linksInBaseUnits} l
  where l.workspace_id = $1 and l.parent_id = $2::uuid
    and exists (select from entity where workspace_id = $1 and id = $2::uuid and revision_number = $4::int offset 0)
  union all
  select l.entity_id, l.child_id, l.quantity, l.line from ${revisionLinksInBaseUnits} l
  where l.workspace_id = $1 and l.entity_id = $2::uuid and l.revision_number = $4::int`);

/** Fixes the revision of the item of a line, once. $1 workspace, $2 line. */
export const fixItemRevision = `
  update stock_line n set item_revision = e.revision_number from entity e
  where n.workspace_id = $1 and n.id = $2 and n.type = 'manufacturingOrder' and n.item_revision is null
    and e.workspace_id = $1 and e.id = n.item_id`;
