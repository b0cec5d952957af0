/** The states Inactive and Obsolete of existing lifecycles warn about what is still in use, as those of new workspaces do. */
import { Migration } from '@mikro-orm/migrations';

export class StatesInUse extends Migration {
  override name = '20261201_5010_states_in_use';

  override up(): void {
    this.addSql(`
      update lifecycle set version = version + 1, updated_at = now(), states = (
        select jsonb_agg(
          case when state ->> 'name' in ('Inactive', 'Obsolete') and not state ? 'whenInUse'
            then state || '{"whenInUse": "warn"}' else state end order by place)
        from jsonb_array_elements(states) with ordinality as s (state, place))
      where states @> '[{"name": "Inactive"}]' or states @> '[{"name": "Obsolete"}]'`);
  }
}
