/** A structure of three levels above one part, with kept revisions of each assembly. $1 is the workspace, $2 the number of assemblies. */

const idOf = (n: string) => `('019b0000-0000-7000-8000-' || lpad(to_hex(${n}), 12, '0'))::uuid`;

export const partOfRevisions = '019b0001-0000-7000-8000-000000000000';

/** The parent of assembly `n`: the first tenth has none, others have one of the tenth of their number. */
const links = (columns: string, rows: string) => `
  select ${columns}, ${idOf('n / 10')} as parent, ${idOf('n')} as child ${rows} and n >= $2::int / 100 and n / 10 < n
  union all
  select ${columns}, ${idOf('n')}, '${partOfRevisions}'::uuid ${rows} and n >= $2::int / 2`;

/** In order; those with $3, the number of kept revisions of each. */
export const fillRevisions = [
  `insert into entity (workspace_id, id, version_id, number, name, category, state, properties, revision_number, revised_by)
   select $1::uuid, ${idOf('n')}, gen_random_uuid(), 'ASM-' || n, 'Assembly ' || n, 'assembly', 'In Work', '{"Mass": 1.25}'::jsonb, $3::int + 1, $1::uuid
   from generate_series(0, $2::int - 1) as n
   union all
   select $1::uuid, '${partOfRevisions}'::uuid, gen_random_uuid(), 'PRT-1', 'Screw', 'part', 'Released', '{}'::jsonb, 1, $1::uuid`,
  `insert into entity_revision (workspace_id, entity_id, revision_number, version_id, number, name, category, state, properties, created_at, created_by)
   select $1::uuid, ${idOf('n')}, r, gen_random_uuid(), 'ASM-' || n, 'Assembly ' || n, 'assembly', 'Released', '{"Mass": 1.25}'::jsonb, now(), $1::uuid
   from generate_series(0, $2::int - 1) as n cross join generate_series(1, $3::int) as r`,
  `insert into entity_link (workspace_id, parent_id, child_id, quantity)
   select $1::uuid, parent, child, 2 from (${links('1', 'from generate_series(0, $2::int - 1) as n where true')}) as l`,
  `insert into entity_revision_link (workspace_id, entity_id, revision_number, child_id, quantity)
   select $1::uuid, parent, r, child, 2 from (${links('r', 'from generate_series(0, $2::int - 1) as n cross join generate_series(1, $3::int) as r where true')}) as l`,
];
