/** The customers of sales orders, beside the references of both sides. */
import { Migration } from '@mikro-orm/migrations';

export class Customers extends Migration {
  override name = '20261206_5200_customers';

  override up(): void {
    this.addSql(`alter table order_reference add column customer text`);
    this.addSql(`comment on column order_reference.customer is 'The customer of a sales order.'`);
  }
}
