/** From the page of an order, a line, a requirement or a project as an entity to the one where it is worked on; nothing of others. */
import { useQuery } from '@tanstack/react-query';
import { ask } from '../client/ask.ts';
import type { Category, Entity } from '../client/operations.ts';
import { Link } from '../navigation/link.tsx';
import { isOrder } from '../navigation/opened-at.ts';
import { paths } from '../navigation/paths.ts';

const lines: ReadonlySet<Category['behaviour'] | undefined> = new Set([
  'purchaseOrderLine',
  'salesOrderLine',
  'manufacturingOrderLine',
]);

export function WorkLink({ entity, category }: { entity: Entity; category: Category | undefined }) {
  const behaviour = category?.behaviour;
  const line = useQuery({ ...ask('getStockLine', { id: entity.id }), enabled: lines.has(behaviour) });
  if (category?.role === 'project') return <Link href={paths.project(entity.id)}>What is short</Link>;
  if (isOrder(behaviour)) return <Link href={paths.order(entity.id)}>Lines and deliveries</Link>;
  if (behaviour === 'materialRequirement')
    return <Link href={paths.requirement(entity.id)}>What covers it</Link>;
  if (line.data === undefined) return null;
  return <Link href={paths.order(line.data.orderId)}>Order {line.data.orderNumber}</Link>;
}
