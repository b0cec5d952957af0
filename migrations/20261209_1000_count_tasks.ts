/** Count tasks: locations that a member is asked to count. */
import { Migration } from '@mikro-orm/migrations';
import { grantTenantTable } from '../src/db/tenant-table.ts';

export class CountTasks extends Migration {
  override name = '20261209_1000_count_tasks';

  override up(): void {
    this.addSql(`
      create table count_task (
        workspace_id uuid not null,
        id uuid not null,
        location_id uuid not null,
        below boolean not null,
        assigned_to uuid,
        due_on date,
        note text,
        status text not null default 'open' check (status in ('open', 'done', 'cancelled')),
        created_by uuid not null,
        created_at timestamptz not null default now(),
        ended_by uuid,
        ended_at timestamptz,
        primary key (workspace_id, id),
        check ((ended_at is null) = (status = 'open'))
      )`);
    this.addSql(
      `comment on column count_task.assigned_to is 'The member who counts; null if nobody is named.'`,
    );
    this.addSql(`create index count_task_open on count_task (workspace_id, id) where status = 'open'`);
    this.addSql(`
      create index count_task_assigned on count_task (workspace_id, assigned_to, id)
      where status = 'open' and assigned_to is not null`);
    this.addSql(`create index count_task_ended on count_task (ended_at) where status <> 'open'`);
    for (const sql of grantTenantTable('count_task')) this.addSql(sql);
  }
}
