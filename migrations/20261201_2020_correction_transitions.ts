/**
 * Lifecycles get the ways back that corrections need. A lifecycle gets one where it has the states and the way forward of a line, and no
 * way back yet.
 */
import { Migration } from '@mikro-orm/migrations';

const ways = [
  {
    id: 'correctReceipt',
    name: 'Correct receipt',
    from: 'Received',
    to: 'Ordered',
    behaviours: ['purchaseOrderLine', 'manufacturingOrderLine'],
  },
  {
    id: 'correctShipment',
    name: 'Correct shipment',
    from: 'Shipped',
    to: 'Reserved',
    behaviours: ['salesOrderLine'],
  },
];

export class CorrectionTransitions extends Migration {
  override name = '20261201_2020_correction_transitions';

  override up(): void {
    for (const { id, name, from, to, behaviours } of ways) {
      const way = JSON.stringify([{ id, name, from, to, featureAutomations: [] }]);
      this.addSql(`
        update lifecycle l set transitions = l.transitions || '${way}'::jsonb, version = l.version + 1, updated_at = now()
        where exists (
            select from category c
            where c.workspace_id = l.workspace_id and c.lifecycle = l.key
              and c.behaviour in (${behaviours.map((one) => `'${one}'`).join(', ')}))
          and exists (
            select from jsonb_array_elements(l.transitions) t where t ->> 'from' = '${to}' and t ->> 'to' = '${from}')
          and not exists (
            select from jsonb_array_elements(l.transitions) t
            where (t ->> 'from' = '${from}' and t ->> 'to' = '${to}') or t ->> 'id' = '${id}')
          and jsonb_array_length(l.transitions) < 1000`);
    }
  }
}
