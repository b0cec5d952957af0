/** The feature automations there are. */
import type { FeatureName } from '../../configuration/feature-names.ts';
import { cascadeTransition } from './cascade-transition.ts';
import { createMaterialRequirement } from './create-material-requirement.ts';
import type { Feature } from './feature.ts';
import { releaseSalesLine, reserveSalesLine, updateOnOrderStock } from './line-stock.ts';
import { notifyWebhook } from './notify-webhook.ts';
import { requireComponents } from './require-components.ts';

export const features: Readonly<Record<FeatureName, Feature>> = {
  createMaterialRequirement,
  updateOnOrderStock,
  requireComponents,
  reserveSalesLine,
  releaseSalesLine,
  cascadeTransition,
  notifyWebhook,
};
