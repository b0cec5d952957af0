/** Runs the feature automations of a transition, in their order. */
import type { FeatureName } from '../../configuration/feature-names.ts';
import type { Tx } from '../../db/transaction.ts';
import type { Transitioned } from '../../entities/transition-entity.ts';
import { AppError } from '../../errors.ts';
import { features } from './registry.ts';

/**
 * Runs the features of a transition. A refusal refuses the whole transition; `feature` in the problem names the
 * feature.
 */
export async function runFeatures(tx: Tx, happened: Transitioned): Promise<void> {
  const attached = happened.transition.featureAutomations;
  for (const step of ['prepare', 'run'] as const) {
    for (const { feature: key, settings: given } of attached) {
      const feature = features[key];
      const settings = feature.settingsSchema.safeParse(given);
      try {
        // Checked when the lifecycle was saved; a lifecycle may be older than the check.
        if (!settings.success) throw new AppError('feature_failed', 'Its settings are not valid any more.');
        await feature[step]?.(tx, { happened, settings: settings.data });
      } catch (error) {
        throw error instanceof AppError ? namedAfter(error, key) : error;
      }
    }
  }
}

function namedAfter(error: AppError, key: FeatureName): AppError {
  const { code, message, errors, extensions, headers } = error;
  // If one feature caused another, the innermost is named as the reason.
  const feature = extensions?.feature ?? key;
  return new AppError(code, {
    detail: extensions?.feature === undefined ? `${features[key].name}: ${message}` : message,
    extensions: { ...extensions, feature },
    cause: error,
    ...(errors === undefined ? {} : { errors }),
    ...(headers === undefined ? {} : { headers }),
  });
}
