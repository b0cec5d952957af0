/** Which revisions of the entities of a structure are meant (contract §3.4). */
import { z } from 'zod';

export const Configuration = z
  .enum(['current', 'asReleased', 'latestReleased'])
  .default('current')
  .describe(
    'Which revisions are shown. `current`: as they are now. `asReleased`: the newest released revision of the assembly, with the revisions of its children at the moment of release. `latestReleased`: the newest released revision of the assembly and of each child.',
  )
  .meta({ examples: ['asReleased'] });
export type Configuration = z.output<typeof Configuration>;

export const RevisionsUsing = z
  .enum(['current', 'released', 'all'])
  .default('current')
  .describe(
    'Which revisions of assemblies count. `current`: those of now. `released`: the newest released revision of each assembly, which is what was built and is in the field. `all`: both. Where released revisions contain each other, links that lead back count for no total quantity.',
  )
  .meta({ examples: ['released'] });
export type RevisionsUsing = z.output<typeof RevisionsUsing>;

const RevisionSource = z
  .enum(['current', 'asReleased', 'latestReleased', 'unknown'])
  .optional()
  .describe(
    'Which revision number, name and state belong to. `unknown`: the assembly was released before such revisions were recorded, or the revision is not released; the child is shown as it is now. Absent without `configuration`.',
  )
  .meta({ examples: ['asReleased'] });

/** Fields of a child in a configuration other than the current one. */
export const configuredFields = {
  revisionNumber: z
    .int()
    .min(1)
    .optional()
    .describe('Number of the revision that is shown, for `/revisions/{n}`. Absent without `configuration`.')
    .meta({ examples: [1] }),
  revisionSource: RevisionSource,
};
