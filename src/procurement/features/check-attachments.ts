/** The settings of feature automations, checked when a lifecycle that carries them is saved. */
import type { LifecycleTransition } from '../../configuration/lifecycles/lifecycle.schema.ts';
import { AppError, type FieldError } from '../../errors.ts';
import { FINDINGS_MAX, findingsOf } from '../../http/findings-of-issue.ts';
import { features } from './registry.ts';

/** Throws `validation_failed` with pointers into the lifecycle. */
export function checkAttachments(transitions: readonly LifecycleTransition[]): void {
  const errors = transitions.flatMap(({ featureAutomations }, at) =>
    featureAutomations.flatMap(({ feature: key, settings }, index): FieldError[] => {
      const feature = features[key];
      const result = feature.settingsSchema.safeParse(settings);
      if (result.success) return [];
      const base = ['transitions', at, 'featureAutomations', index, 'settings'];
      return result.error.issues
        .flatMap((issue) => findingsOf({ ...issue, path: [...base, ...issue.path] }))
        .map((finding) => ({ ...finding, message: `${feature.name}: ${finding.message}` }));
    }),
  );
  const [first] = errors;
  if (first === undefined) return;
  throw new AppError('validation_failed', {
    detail: `The settings of a feature automation are not valid. ${first.message}`,
    errors: errors.slice(0, FINDINGS_MAX),
  });
}
