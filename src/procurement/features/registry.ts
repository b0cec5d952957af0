/** The feature automations there are. */
import type { FeatureName } from '../../configuration/feature-names.ts';
import { cascadeTransition } from './cascade-transition.ts';
import { createMaterialRequirement } from './create-material-requirement.ts';
import type { Feature } from './feature.ts';
import { notifyWebhook } from './notify-webhook.ts';
import { releaseSalesLine } from './release-sales-line.ts';
import { requireComponents } from './require-components.ts';
import { reserveSalesLine } from './reserve-sales-line.ts';
import { updateOnOrderStock } from './update-on-order-stock.ts';

// biome-ignore lint/suspicious/noExplicitAny: each feature's settings are checked where it is declared
export const features: Readonly<Record<FeatureName, Feature<any>>> = {
  createMaterialRequirement,
  updateOnOrderStock,
  requireComponents,
  reserveSalesLine,
  releaseSalesLine,
  cascadeTransition,
  notifyWebhook,
};
