/** What lifecycles are checked by beyond their drawing: the seam for the capability that runs what they carry. */
import type { LifecycleTransition } from './lifecycle.schema.ts';

/** Throws `validation_failed` where the settings of an attached feature automation are not what it takes. */
export type CheckAttachments = (transitions: readonly LifecycleTransition[]) => void;
