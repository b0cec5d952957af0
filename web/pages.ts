/** The table of contents: every page of the app, by the capability that makes it. */
import { automationPages } from './automations/automations.pages.ts';
import { batchPages } from './batches/batches.pages.ts';
import { collaborationPages } from './collaboration/collaboration.pages.ts';
import { entityPages } from './entities/entities.pages.ts';
import { importPages } from './imports/imports.pages.ts';
import { mePages } from './me/me.pages.ts';
import type { Page } from './navigation/page.ts';
import { overviewPages } from './overview/overview.pages.ts';
import { planningPages } from './planning/planning.pages.ts';
import { procurementPages } from './procurement/procurement.pages.ts';
import { settingsPages } from './settings/settings.pages.ts';
import { stockPages } from './stock/stock.pages.ts';

export const pages: readonly Page[] = [
  ...overviewPages,
  ...entityPages,
  ...stockPages,
  ...batchPages,
  ...procurementPages,
  ...planningPages,
  ...importPages,
  ...automationPages,
  ...settingsPages,
  ...mePages,
  ...collaborationPages,
];
