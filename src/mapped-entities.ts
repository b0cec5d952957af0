/** Every table that MikroORM maps, for `connectMapped`; the others are SQL only. */
import type { EntitySchema } from '@mikro-orm/postgresql';
import { AutomationRow } from './automation/automation.entity.ts';
import { CategoryRow } from './configuration/categories/category.entity.ts';
import { LifecycleRow } from './configuration/lifecycles/lifecycle.entity.ts';
import { PropertyDefinitionRow } from './configuration/properties/property-definition.entity.ts';
import { EntityRow } from './entities/entity.entity.ts';
import { LedgerRow, PositionRow } from './stock/entries/ledger.entity.ts';
import { WorkspaceRow } from './workspaces/workspace.entity.ts';

export const mappedEntities: EntitySchema[] = [
  AutomationRow,
  CategoryRow,
  EntityRow,
  LedgerRow,
  LifecycleRow,
  PositionRow,
  PropertyDefinitionRow,
  WorkspaceRow,
];
