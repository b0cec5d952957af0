/** Every table that MikroORM maps, for `connectDb`'s `entities`; the others are SQL only. */
import type { EntitySchema } from '@mikro-orm/postgresql';
import { CategoryRow } from './configuration/category.entity.ts';
import { LifecycleRow } from './configuration/lifecycle.entity.ts';
import { PropertyDefinitionRow } from './configuration/property-definition.entity.ts';
import { EntityRow } from './entities/entity.entity.ts';
import { WorkspaceRow } from './workspaces/workspace.entity.ts';

export const mappedEntities: EntitySchema[] = [
  CategoryRow,
  EntityRow,
  LifecycleRow,
  PropertyDefinitionRow,
  WorkspaceRow,
];
