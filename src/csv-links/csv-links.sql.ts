/** CSV links as they are stored. All take the workspace as $1. A list is one index range of the primary key: ids are UUIDv7. */

const shown = `
  l.id, l.name, l.list, l.prefix, l.created_at, l.created_by, coalesce(a.name, '') as created_by_name, l.expires_at,
  l.last_used_at, l.revoked_at`;
const withMaker = 'left join actor a on a.workspace_id = l.workspace_id and a.id = l.created_by';

export interface CsvLinkRow {
  id: string;
  name: string;
  list: unknown;
  prefix: string;
  created_at: Date | string;
  created_by: string;
  created_by_name: string;
  expires_at: Date | string | null;
  last_used_at: Date | string | null;
  revoked_at: Date | string | null;
}

/** Newest first. $2 the id to go on below or null, $3 rows. */
export const selectCsvLinks = `
  select ${shown}, l.list::text as weight from csv_link l ${withMaker}
  where l.workspace_id = $1 and ($2::uuid is null or l.id < $2)
  order by l.id desc limit $3`;

/** $2 id. */
export const selectCsvLink = `
  select ${shown} from csv_link l ${withMaker} where l.workspace_id = $1 and l.id = $2`;

/** $2 id. Until the transaction ends nobody else changes it. */
export const lockCsvLink = `select from csv_link where workspace_id = $1 and id = $2 for update`;

export const countCsvLinks = `
  select count(*)::int as present from csv_link where workspace_id = $1 and revoked_at is null`;

/** $2 id, $3 name, $4 what it shows, $5 prefix, $6 hash, $7 who makes it, $8 expiry. */
export const insertCsvLink = `
  insert into csv_link (workspace_id, id, name, list, prefix, token_hash, created_by, expires_at)
  values ($1, $2, $3, $4, $5, $6, $7, $8)`;

/** $2 id. */
export const revokeCsvLinkStatement = `
  update csv_link set revoked_at = coalesce(revoked_at, now()) where workspace_id = $1 and id = $2`;

/** $2 how many stay. The revoked links of longest ago go; the audit trail keeps all that was done to them. */
export const trimRevokedCsvLinks = `
  delete from csv_link where workspace_id = $1 and id in (
    select id from csv_link where workspace_id = $1 and revoked_at is not null
    order by revoked_at desc, id desc offset $2
  )`;
