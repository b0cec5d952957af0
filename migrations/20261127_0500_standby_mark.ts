/**
 * How far a standby has followed: each web that sends reads to one writes a number here, and a read sees which of its numbers have
 * come. Nothing of it has to last.
 */
import { Migration } from '@mikro-orm/migrations';

export class StandbyMark extends Migration {
  override name = '20261127_0500_standby_mark';

  override up(): void {
    this.addSql(`
      create table standby_mark (
        web_id uuid primary key,
        mark bigint not null,
        written_at timestamptz not null default now()
      )`);
    this.addSql(`comment on table standby_mark is
      'Of each web that reads from a standby the last number that it has written: a standby that shows one has all from before it.'`);
    this.addSql(`grant select on standby_mark to partbook_app`);
    this.addSql(`grant select, insert, update, delete on standby_mark to partbook_system`);
  }
}
