/** Every table that MikroORM maps, for `connectDb`'s `entities`; the others are SQL only. */
import type { EntitySchema } from '@mikro-orm/postgresql';
import { AutomationRow } from './automation/automation.entity.ts';
import { CategoryRow } from './configuration/category.entity.ts';
import { LifecycleRow } from './configuration/lifecycle.entity.ts';
import { PropertyDefinitionRow } from './configuration/property-definition.entity.ts';
import { EntityRow } from './entities/entity.entity.ts';
import { WorkspaceRow } from './workspaces/workspace.entity.ts';

export const mappedEntities: EntitySchema[] = [
  AutomationRow,
  CategoryRow,
  EntityRow,
  LifecycleRow,
  PropertyDefinitionRow,
  WorkspaceRow,
];
