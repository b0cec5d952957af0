/** The schema of what a dry run reports (contract §2.6). */
import { z } from 'zod';
import { changedFields } from '../../entities/links/link-line.ts';

const planned = z
  .union([z.string(), z.number(), z.boolean()])
  .nullable()
  .meta({ description: 'A value; null for none.', examples: ['M6 x 20'] });

export const PlannedChange = z
  .object({
    field: z
      .string()
      .meta({ description: '`number`, `name` or `properties.KEY`.', examples: ['properties.Mass'] }),
    from: planned,
    to: planned,
  })
  .meta({ id: 'PlannedChange', description: 'A change of an entity that a dry run reports.' });

const quantity = z
  .number()
  .nullable()
  .meta({ description: 'Quantity; null for no link.', examples: [2] });

const linkValue = z
  .union([z.string(), z.array(z.string())])
  .nullable()
  .meta({ description: 'A value; null for none.', examples: [['R1', 'R2']] });

export const LinkFieldChange = z
  .object({
    line: z
      .string()
      .optional()
      .meta({
        description:
          'Where the child stands in several lines of the parent: the find number of the line, empty for the line without one.',
        examples: ['20'],
      }),
    field: z
      .enum(changedFields)
      .meta({ description: 'The field of the link.', examples: ['referenceDesignators'] }),
    from: linkValue,
    to: linkValue,
  })
  .meta({
    id: 'LinkFieldChange',
    description: 'A change of a link beside its quantity that a dry run reports.',
  });

export const LinkChange = z
  .object({
    parentGuid: z.string().meta({ description: "The parent's GUID." }),
    childId: z.uuid().optional().meta({
      description:
        'For a removed link, on the result of the parent: id of the child. For all others the child is the element.',
    }),
    childGuid: z
      .string()
      .nullable()
      .optional()
      .meta({ description: 'With `childId`: its GUID; null if it has none.' }),
    from: quantity,
    to: quantity,
    changes: z.array(LinkFieldChange).optional().meta({
      description:
        'Other changes of the link; absent if there are none. Changes beyond 16 KiB of one result are counted.',
    }),
    changesOmitted: z
      .int()
      .min(1)
      .optional()
      .meta({ description: 'Number of these changes that are not shown.', examples: [2] }),
  })
  .meta({ id: 'LinkChange', description: 'A change of the structure that a dry run reports.' });
