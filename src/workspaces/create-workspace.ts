/** Makes a workspace that can be worked in at once: configured, with a key to enter it. */
import { createApiKey } from '../access/create-api-key.ts';
import type { Actor } from '../actor.ts';
import { recordChange } from '../audit/record-change.ts';
import { type Config, slugsOf } from '../config.ts';
import { CategoryRow } from '../configuration/categories/category.entity.ts';
import { LifecycleRow } from '../configuration/lifecycles/lifecycle.entity.ts';
import { PropertyDefinitionRow } from '../configuration/properties/property-definition.entity.ts';
import { columnsOf } from '../configuration/properties/property-definition-kind.ts';
import { writeStockSettings } from '../configuration/stock-settings/change-stock-settings.ts';
import { newId } from '../db/ids.ts';
import { type InstanceTx, violatedConstraint } from '../db/transaction.ts';
import { AppError } from '../errors.ts';
import { defaultTemplate, type Template } from './default-template.ts';
import { WorkspaceRow } from './workspace.entity.ts';
import type { CreatedWorkspace, NewWorkspace } from './workspace.schema.ts';

/**
 * In a transaction of the instance, since no workspace's policies let a new one in. `actor` is who has it
 * made and opens its audit trail. Throws `slug_taken`; two at once for one slug meet in the unique index.
 */
export async function createWorkspace(
  tx: InstanceTx,
  actor: Actor,
  given: NewWorkspace,
): Promise<CreatedWorkspace> {
  const workspace = { id: newId(), slug: given.slug, name: given.name };
  await insertWorkspace(tx, workspace);
  await applyTemplate(tx, workspace.id, defaultTemplate);
  await recordChange(tx, {
    actor,
    action: 'create',
    subjectType: 'workspace',
    subjectKey: workspace.slug,
    before: null,
    after: { ...workspace, template: given.template },
    workspaceId: workspace.id,
  });
  const { id, key } = await createApiKey(tx, {
    workspaceId: workspace.id,
    actor,
    name: 'First key',
    permission: 'admin',
    expiresAt: null,
  });
  return { workspace, apiKey: { id, key, permission: 'admin' } };
}

/** Another installation behind the same address may have the slug. Throws `validation_failed`. */
export function requireOwnSlug(config: Config, slug: string): void {
  if (slugsOf(config)(slug)) return;
  throw new AppError('validation_failed', {
    detail: `This installation gives no workspace the slug "${slug}" (WORKSPACE_SLUGS).`,
    errors: [
      { pointer: '/slug', code: 'slug_of_another', message: 'This installation does not give this slug.' },
    ],
  });
}

async function insertWorkspace(
  tx: InstanceTx,
  workspace: { id: string; slug: string; name: string },
): Promise<void> {
  try {
    await tx.em.insert(WorkspaceRow, { ...workspace, createdAt: new Date() });
  } catch (error) {
    if (violatedConstraint(error) !== 'workspace_slug_key') throw error;
    throw new AppError('slug_taken', `There is a workspace "${workspace.slug}" already.`);
  }
}

/**
 * Takes the workspace by id, because the transaction that makes a workspace is the instance's. The trail of
 * the new workspace begins with its making; what the template brings is not listed one by one.
 */
async function applyTemplate(tx: InstanceTx, workspaceId: string, template: Template): Promise<void> {
  for (const lifecycle of template.lifecycles) tx.em.create(LifecycleRow, { workspaceId, ...lifecycle });
  for (const category of template.categories) tx.em.create(CategoryRow, { workspaceId, ...category });
  for (const definition of template.propertyDefinitions) {
    tx.em.create(PropertyDefinitionRow, { workspaceId, ...columnsOf(definition) });
  }
  await tx.em.flush();
  await writeStockSettings(tx, workspaceId, template.stock);
}
