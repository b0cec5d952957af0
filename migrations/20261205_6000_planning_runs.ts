/** Planning runs, with a row for each action and exception that they propose. */
import { Migration } from '@mikro-orm/migrations';
import { grantTenantTable } from '../src/db/tenant-table.ts';

export class PlanningRuns extends Migration {
  override name = '20261205_6000_planning_runs';

  override up(): void {
    this.addSql(`
      create table planning_run (
        workspace_id uuid not null,
        id uuid not null,
        status text not null default 'queued' check (status in ('queued', 'running', 'completed', 'cancelled', 'failed')),
        options json not null,
        is_what_if boolean not null,
        day date,
        items integer,
        links integer,
        counts json,
        is_truncated boolean not null default false,
        attempts integer not null default 0,
        failure json,
        actor_type text not null,
        actor_id uuid not null,
        actor_name text not null,
        created_at timestamptz not null default now(),
        started_at timestamptz,
        finished_at timestamptz,
        primary key (workspace_id, id),
        check ((finished_at is null) = (status in ('queued', 'running')))
      )`);
    this.addSql(
      `comment on column planning_run.day is 'The day that it was computed for (UTC); null until then.'`,
    );
    this.addSql(`comment on column planning_run.counts is
      'How many actions and exceptions of each kind were found, stored or not.'`);
    this.addSql(
      `create index planning_run_unfinished on planning_run (workspace_id, id) where finished_at is null`,
    );
    this.addSql(
      `create index planning_run_finished on planning_run (finished_at) where finished_at is not null`,
    );
    this.addSql(`
      create table planning_action (
        workspace_id uuid not null,
        run_id uuid not null,
        ordinal integer not null,
        item_id uuid not null,
        action text not null check (action in ('none', 'order', 'make', 'expedite', 'defer', 'increase', 'decrease', 'cancel')),
        exceptions text[] not null,
        line_id uuid,
        needed_on date,
        starts_on date,
        quantity numeric(15, 6) not null check (quantity >= 0),
        late_days integer not null default 0,
        supplier_part_id uuid,
        supplier_id uuid,
        location_id uuid,
        amount numeric(36, 6),
        currency text collate "C",
        basis text not null,
        status text not null default 'open' check (status in ('open', 'committed', 'dismissed')),
        order_id uuid,
        primary key (workspace_id, run_id, ordinal)
      )`);
    this.addSql(`comment on column planning_action.basis is
      'Stock, open lines, open needs and planning of the item as the run found them. A commit compares it with what is there.'`);
    this.addSql(`comment on column planning_action.line_id is 'The order line that the action changes.'`);
    for (const table of ['planning_run', 'planning_action'])
      for (const sql of grantTenantTable(table)) this.addSql(sql);
  }
}
