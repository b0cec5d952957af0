/** Which lifecycle a new category follows where nobody names one: that of the default workspace for what it is. */
import type { Behaviour } from './behaviour.ts';
import type { Category, Role } from './category.schema.ts';

const ofBehaviour: Readonly<Record<Exclude<Behaviour, 'none'>, string>> = {
  purchaseOrder: 'order',
  purchaseOrderLine: 'supplyLine',
  salesOrder: 'order',
  salesOrderLine: 'salesLine',
  manufacturingOrder: 'order',
  manufacturingOrderLine: 'supplyLine',
  materialRequirement: 'requirement',
};

const ofRole: Readonly<Record<Role, string>> = {
  item: 'part',
  location: 'location',
  itemAndLocation: 'part',
  project: 'project',
  none: 'part',
};

/** Its key. The workspace may have none of that key. */
export function defaultLifecycle({ role, behaviour }: Pick<Category, 'role' | 'behaviour'>): string {
  return behaviour === 'none' ? ofRole[role] : ofBehaviour[behaviour];
}
