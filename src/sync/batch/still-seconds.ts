/** How long the batch that is first in line may take no step before people are told that it stands still. */
import type { Config } from '../../config.ts';

/** Three rounds of healing: a batch that nobody works on has been announced again twice by then. */
export function stillSeconds({ SYNC_HEAL_SECONDS }: Pick<Config, 'SYNC_HEAL_SECONDS'>): number {
  return 3 * SYNC_HEAL_SECONDS;
}
