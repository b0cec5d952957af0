/** Chunks that share the segments of a bucket: each takes a range of its slots (src/sync/elements/payload-codec.ts). */
import { Migration } from '@mikro-orm/migrations';

export class SyncChunkSlots extends Migration {
  override name = '20261122_0100_sync_chunk_slots';

  override up(): void {
    this.addSql(`
      alter table sync_chunk
        add column bucket integer,
        add column slot_from smallint not null default 0,
        add column slot_to smallint not null default 64`);
    this.addSql(`comment on column sync_chunk.bucket is
      'The chunk of sync_payload that its elements lie in; its own ordinal where null.'`);
  }
}
