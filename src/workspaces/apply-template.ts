/** Fills a new workspace with a template. */

import { CategoryRow } from '../configuration/categories/category.entity.ts';
import { LifecycleRow } from '../configuration/lifecycles/lifecycle.entity.ts';
import { PropertyDefinitionRow } from '../configuration/properties/property-definition.entity.ts';
import type { InstanceTx } from '../db/transaction.ts';
import type { Template } from './default-template.ts';

/**
 * Takes the workspace by id, because the transaction that makes a workspace is the instance's. The trail of
 * the new workspace begins with its making; what the template brings is not listed one by one.
 */
export async function applyTemplate(tx: InstanceTx, workspaceId: string, template: Template): Promise<void> {
  for (const lifecycle of template.lifecycles) tx.em.create(LifecycleRow, { workspaceId, ...lifecycle });
  for (const category of template.categories) tx.em.create(CategoryRow, { workspaceId, ...category });
  for (const definition of template.propertyDefinitions) {
    tx.em.create(PropertyDefinitionRow, { workspaceId, ...definition });
  }
  await tx.em.flush();
}
