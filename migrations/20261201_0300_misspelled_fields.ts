/** Fields of an import whose names are nearly right, each with the place of the element that carries the warning. */
import { Migration } from '@mikro-orm/migrations';

export class MisspelledFields extends Migration {
  override name = '20261201_0300_misspelled_fields';

  override up(): void {
    this.addSql('alter table sync_batch add column misspelled jsonb');
  }
}
