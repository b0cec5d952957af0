/**
 * Look-ups of callers keep their plans. PostgreSQL plans a statement anew for an array with one member, which most look-ups have: that took ten
 * times as long as the look-up, and more for members, who are looked up in more tables.
 */
import { Migration } from '@mikro-orm/migrations';

export class KeptLookUps extends Migration {
  override name = '20261209_2003_kept_look_ups';

  override up(): void {
    for (const name of ['authenticate_api_keys', 'authenticate_person_sessions'])
      this.addSql(`alter function ${name}(bytea[], text[]) set plan_cache_mode = force_generic_plan`);
  }
}
