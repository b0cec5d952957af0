/** Digests of the ledger and the heads that they cover. */

import type { HeadRow } from '../entries/ledger-entry.ts';

/** The moment that a digest is of: before the snapshot, so that whatever was committed by then is in it. */
export const selectLast = `
  select date_trunc('milliseconds', now()) as now, last.*
  from (select) as always
  left join lateral (
    select ordinal, at, entries, positions, encode(digest, 'hex') as digest from ledger_digest
    where workspace_id = $1 order by ordinal desc limit 1
  ) last on true`;

export interface LastDigestRow {
  now: string;
  ordinal: number | null;
  at: string | null;
  entries: string | null;
  positions: number | null;
  digest: string | null;
}

export interface KeptHeadRow extends HeadRow {
  /** Sequence and hash that the last digest covers; null where the position has come since. */
  before: string | null;
  hash_before: string | null;
}

/**
 * A page of positions in order of their keys, each with the head that the last digest covers; and keeps the new head
 * of those that have moved since. One statement, so that 200 000 positions are a hundred round trips and no more.
 * What was covered last is looked up by a probe for each position, however many digests there are. $1 workspace,
 * $2 item and $3 location behind, $4 rows, $5 ordinal.
 */
export const keepHeads = `
  with page as materialized (
    select p.item_id, p.location_id, p.sequence, p.hash, h.sequence as before, h.hash as hash_before
    from (
      select item_id, location_id, sequence, hash from stock_position
      where workspace_id = $1 and (item_id, location_id) > ($2::uuid, $3::uuid)
      order by item_id, location_id limit $4
    ) p
    left join lateral (
      select sequence, hash from ledger_digest_head
      where workspace_id = $1 and item_id = p.item_id and location_id = p.location_id
      order by ordinal desc limit 1
    ) h on true
  ), kept as (
    insert into ledger_digest_head (workspace_id, item_id, location_id, ordinal, sequence, hash)
    select $1, item_id, location_id, $5, sequence, hash from page
    where before is null or before <> sequence or hash_before <> hash
  )
  select item_id as "itemId", location_id as "locationId", sequence, encode(hash, 'hex') as hash,
         before, encode(hash_before, 'hex') as hash_before
  from page order by item_id, location_id`;

/** $1 workspace, $2 ordinal, $3 at, $4 entries, $5 positions, $6 digest. */
export const insertDigest = `
  insert into ledger_digest (workspace_id, ordinal, at, entries, positions, digest) values ($1, $2, $3, $4, $5, $6)`;

/** $1 workspace, $2 digest. */
export const selectDigest = `
  select ordinal from ledger_digest where workspace_id = $1 and digest = $2`;

/**
 * Heads as they were kept, those of later digests left out: of each position the last one counts. In pages of rows
 * and not of positions, which needs no sorting. $1 workspace, $2 item, $3 location and $4 ordinal behind, $5 the
 * digest's ordinal, $6 rows.
 */
export const selectHeadsBehind = `
  select item_id as "itemId", location_id as "locationId", ordinal, sequence, encode(hash, 'hex') as hash
  from ledger_digest_head
  where workspace_id = $1 and (item_id, location_id, ordinal) > ($2::uuid, $3::uuid, $4::integer) and ordinal <= $5
  order by item_id, location_id, ordinal limit $6`;

/** Workspaces with stock and without a digest of the last hours; OFFSET 0, or all positions of each may be joined. $1 hours, $2 the id behind which to go on, $3 rows. */
export const selectDueWorkspaces = `
  select w.id, w.slug from workspace w
  where w.id > $2 and w.state = 'active'
    and exists (select from stock_position where workspace_id = w.id offset 0)
    and not exists (
      select from ledger_digest d where d.workspace_id = w.id and d.at > now() - make_interval(hours => $1)
        and d.ordinal = (select max(ordinal) from ledger_digest where workspace_id = w.id))
  order by w.id limit $3`;
