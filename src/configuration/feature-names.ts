/**
 * The built-in actions that a lifecycle transition may carry: the one list of their names. What each does
 * and which settings it takes is the automation capability's; a lifecycle only names them.
 */
export const featureNames = [
  'createMaterialRequirement',
  'updateOnOrderStock',
  'requireComponents',
  'reserveSalesLine',
  'releaseSalesLine',
  'cascadeTransition',
  'notifyWebhook',
] as const;

export type FeatureName = (typeof featureNames)[number];
