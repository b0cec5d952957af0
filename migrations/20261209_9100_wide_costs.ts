/** Sums of costs have more digits than a cost: a layer may cost ten to the 27th, and a position has any number of layers. */
import { Migration } from '@mikro-orm/migrations';

const columns = {
  cost_layer: ['cost'],
  cost_use: ['cost'],
  cost_step: ['value'],
  cost_revaluation: ['cost_before', 'cost_after'],
  cost_open: ['cost'],
};

export class WideCosts extends Migration {
  override name = '20261209_9100_wide_costs';

  override up(): void {
    for (const [table, names] of Object.entries(columns)) {
      const changes = names.map((name) => `alter column ${name} type numeric(60, 6)`);
      this.addSql(`alter table ${table} ${changes.join(', ')}`);
    }
  }
}
