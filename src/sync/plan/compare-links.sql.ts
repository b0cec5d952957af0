/** SQL of the comparison of a chunk's parent links with the stored structure. */
import { mergedLine, parentsOf } from '../../entities/links/entity-links.sql.ts';

/** No entity has it. */
const NOTHING = '00000000-0000-0000-0000-000000000000';

/** Compares a stored link, a row with `quantity` and `line`, with what is said of it. */
const differs = (stored: string) =>
  `(i.said is not null and ${stored}.line is distinct from ${mergedLine(stored, 'i.quantity', 'i.said::jsonb')})`;

/** Selects the fields as they are stored and as they will be, which results show. */
const linesOf = (stored: string) => `
         case when i.said is not null then ${stored}.line::text end as stored_line,
         case when i.said is not null then ${mergedLine(stored, 'i.quantity', 'i.said::jsonb')}::text end as line_after,
         ${differs(stored)} as line_differs`;

/**
 * The links that differ from what is stored, and those whose parent is not stored (a link is one child, one
 * parent, one quantity summed over the payload). $1 workspace, $2 child guid[], $3 parent guid[], $4 quantity[]; where
 * more is said of some links $5 JSON of a `SaidLine` or null, text[].
 *
 * LEFT JOIN LATERAL with LIMIT 1 keeps each of the three look-ups an index probe: as plain joins the planner
 * turns them into hash joins over the whole tables once those are small or never analysed.
 */
const compareByGuid = (hasLines: boolean) => `
  select (i.ord - 1)::integer as ord, c.id is not null as child_stored, p.state as parent_state,
         p.category as parent_category, s.quantity as stored_quantity${hasLines ? `,${linesOf('s')}` : ''}
  from unnest($2::uuid[], $3::uuid[], $4::numeric[]${hasLines ? ', $5::text[]' : ''}) with ordinality
    as i (child, parent, quantity, ${hasLines ? 'said, ' : ''}ord)
  left join lateral (
    select id from entity where workspace_id = $1 and guid = i.child limit 1) c on true
  left join lateral (
    select id, state, category from entity where workspace_id = $1 and guid = i.parent limit 1) p on true
  left join lateral (
    select quantity${hasLines ? ', line' : ''} from entity_link
    where workspace_id = $1 and parent_id = p.id and child_id = c.id limit 1) l on true
  left join lateral (
    select quantity${hasLines ? ', line' : ''} from pending_link
    where p.id is null and workspace_id = $1 and parent_guid = i.parent and child_id = c.id limit 1) w on true
  cross join lateral (
    select coalesce(l.quantity, w.quantity) as quantity${hasLines ? ', coalesce(l.line, w.line) as line' : ''}) s
  where l.quantity is distinct from i.quantity${hasLines ? ` or ${differs('l')}` : ''}
  order by i.ord`;

/**
 * Compares links of children whose ids are known: $2 child id[], $3 guid[] of the parents, each once, $4
 * quantity[], $5 the position of the link's parent among these, from 1; $6 text[] as above. A probe for each link
 * and each parent is enough for most links; further fields are looked up only where a link differs. The ids of the
 * parents are one array without nulls, because an array with nulls would be scanned from its beginning for every
 * link.
 */
const compareById = (hasLines: boolean) => `
  with parent as materialized (
    select array_agg(coalesce(p.id, '${NOTHING}') order by g.place) as ids
    from unnest($3::uuid[]) with ordinality as g (guid, place)
    left join lateral (select id from entity where workspace_id = $1 and guid = g.guid limit 1) p on true
  )
  select i.ord, true as child_stored, p.state as parent_state, p.category as parent_category,
         s.quantity as stored_quantity${hasLines ? `,${linesOf('s')}` : ''}
  from (
    select (i.ord - 1)::integer as ord, i.child, i.parent, i.parent_id, l.quantity as stored_quantity${
      hasLines ? ', i.quantity, i.said, l.line as stored_line' : ''
    }
    from (
      select child, ((select ids from parent))[place] as parent_id, ($3::uuid[])[place] as parent, quantity, ord${
        hasLines ? ', said' : ''
      }
      from unnest($2::uuid[], $4::numeric[], $5::integer[]${hasLines ? ', $6::text[]' : ''}) with ordinality
        as u (child, quantity, place, ${hasLines ? 'said, ' : ''}ord)
      offset 0) as i
    left join lateral (
      select quantity${hasLines ? ', line' : ''} from entity_link
      where workspace_id = $1 and parent_id = i.parent_id and child_id = i.child limit 1) l on true
    where l.quantity is distinct from i.quantity${hasLines ? ` or ${differs('l')}` : ''}
    offset 0) as i
  left join lateral (
    select id, state, category from entity where workspace_id = $1 and id = i.parent_id limit 1) p on true
  left join lateral (
    select quantity${hasLines ? ', line' : ''} from pending_link
    where p.id is null and workspace_id = $1 and parent_guid = i.parent and child_id = i.child limit 1) w on true
  cross join lateral (
    select coalesce(i.stored_quantity, w.quantity) as quantity${
      hasLines ? ', coalesce(i.stored_line, w.line) as line' : ''
    }) s
  order by i.ord`;

export const compareWithStoredLinks = {
  guid: { plain: compareByGuid(false), withLines: compareByGuid(true) },
  id: { plain: compareById(false), withLines: compareById(true) },
};

/** Finds which of these entities are stored. $1 workspace, $2 guid[]. */
export const selectParents = `
  select g.guid, p.state, p.category
  from unnest($2::uuid[]) as g (guid)
  cross join lateral (
    select state, category from entity where workspace_id = $1 and guid = g.guid limit 1) p`;

/**
 * The structure above the entities with these GUIDs: every link on a way up to a root, its ends by GUID, or by id
 * where an entity has none. Links that wait for an entity that is there are among them: they are as good as made.
 * $1 workspace, $2 the GUIDs, 16 bytes each: as text a million of them would be too much for a thread.
 */
export const linksAbove = `
  with recursive above (id) as (
    select e.id from generate_series(0, length($2::bytea) / 16 - 1) as place
    cross join lateral (
      select id from entity
      where workspace_id = $1 and guid = encode(substr($2::bytea, 16 * place + 1, 16), 'hex')::uuid limit 1) as e
    union
    select l.parent_id from above a cross join lateral (${parentsOf('a.id')}) as l
  )
  select coalesce(p.guid, p.id) as parent, coalesce(c.guid, c.id) as child
  from above a
  cross join lateral (${parentsOf('a.id')}) as l
  join entity p on p.workspace_id = $1 and p.id = l.parent_id
  join entity c on c.workspace_id = $1 and c.id = a.id`;

/** Links that wait for a parent, their ends by GUID. $1 workspace, $2 the parents' guid[], or null for all. */
export const waitingLinks = `
  select w.parent_guid as parent, coalesce(c.guid, c.id) as child
  from pending_link w join entity c on c.workspace_id = $1 and c.id = w.child_id
  where w.workspace_id = $1 and ($2::uuid[] is null or w.parent_guid = any($2))`;

/**
 * Selects the names that people use for these entities: the GUID, or the id if there is none (see `linksAbove`). $1
 * workspace, $2 guid[].
 */
export const selectNames = `
  select g.guid, e.label
  from unnest($2::uuid[]) as g (guid)
  cross join lateral (
    select coalesce(number, name) as label from entity where workspace_id = $1 and guid = g.guid
    union all
    select coalesce(number, name) from entity where workspace_id = $1 and id = g.guid
    limit 1) as e`;
