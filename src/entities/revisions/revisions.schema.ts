/** The history of an entity as the API shows it: revisions, what differs between two, transitions. */

import { z } from 'zod';
import { actorTypes } from '../../actor.ts';
import { entityLimits } from '../../config.ts';
import {
  Entity,
  EntityId,
  EntityName,
  EntityNumber,
  EntityPicture,
  Moment,
  Properties,
  RevisionLabel,
  RevisionNumber,
  StateName,
  VersionId,
} from '../entities.schema.ts';
import { changedFields } from '../links/link-line.ts';
import { EntityRef } from '../resolve-entity.ts';
import { Configuration } from '../structure/configuration.schema.ts';
import { LinkLineFields } from '../structure/line.schema.ts';
import { Use } from '../structure/structure.schema.ts';

const HistoryActor = z
  .object({
    type: z
      .enum(actorTypes)
      .describe('Type of the caller.')
      .meta({ examples: ['apiKey'] }),
    id: z
      .uuid()
      .describe('Id of the API key or automation.')
      .meta({ examples: ['0199d0f0-0000-7000-8000-000000000002'] }),
    name: z
      .string()
      .describe('Its name.')
      .meta({ examples: ['CAD connector'] }),
  })
  .meta({ id: 'HistoryActor' });

export const Revision = z
  .object({
    revision: RevisionLabel,
    revisionNumber: RevisionNumber,
    versionId: VersionId,
    E_Guid: Entity.shape.E_Guid.describe('GUID of the entity in this revision; null if it had none.'),
    number: EntityNumber,
    name: EntityName,
    state: StateName.describe('Its state, or its state when the next revision superseded it.'),
    released: z
      .boolean()
      .describe('Whether that state is released.')
      .meta({ examples: [true] }),
    properties: Properties,
    picture: EntityPicture,
    createdAt: Moment.describe('When the revision was opened, UTC.'),
    createdBy: HistoryActor.describe('The caller that opened it.'),
  })
  .describe('A revision of an entity.')
  .meta({ id: 'Revision' });
export type Revision = z.infer<typeof Revision>;

export const RevisionWithUses = Revision.extend({
  uses: z.array(Use).describe('Its structure: children with quantity, the first thousand by child id.'),
  usesNextCursor: z
    .string()
    .nullable()
    .describe('Value for `?cursor=` of `/revisions/{n}/uses` if there are more children; otherwise null.')
    .meta({ examples: [null] }),
})
  .describe('A revision with its structure. Children are shown in their present state.')
  .meta({ id: 'RevisionWithUses' });

const revisionNumber = z.coerce.number().int().min(1).max(2_147_483_647);

export const RevisionParams = z.strictObject({
  id: EntityRef,
  n: revisionNumber.describe('Number of the revision, from 1.').meta({ examples: [1] }),
});

export const CompareQuery = z.strictObject({
  from: revisionNumber.describe('Number of the first revision.').meta({ examples: [1] }),
  to: revisionNumber.describe('Number of the second revision.').meta({ examples: [2] }),
  configuration: Configuration,
});

const value = z.union([z.string(), z.number(), z.boolean()]).nullable();
const quantity = z
  .number()
  .describe('Quantity of the link.')
  .meta({ examples: [4] });
const lineValue = z
  .union([z.string(), z.array(z.string())])
  .nullable()
  .meta({ examples: ['10'] });
const childRevision = (which: string) =>
  RevisionLabel.nullable().describe(
    `Label of the revision with which the ${which} was released; null if it is not known.`,
  );
const child = { entityId: EntityId, number: EntityNumber, name: EntityName };

export const RevisionComparison = z
  .object({
    from: RevisionNumber.describe('Number of the first revision.'),
    to: RevisionNumber.describe('Number of the second revision.'),
    fields: z
      .array(
        z.object({
          field: z
            .enum(['E_Guid', 'number', 'name', 'state', 'picture'])
            .describe('The field.')
            .meta({ examples: ['name'] }),
          from: z
            .string()
            .nullable()
            .describe('Value in the first.')
            .meta({ examples: ['Block'] }),
          to: z
            .string()
            .nullable()
            .describe('Value in the second.')
            .meta({ examples: ['Bearing block'] }),
        }),
      )
      .describe('Fields that differ.')
      .meta({ examples: [[{ field: 'name', from: 'Block', to: 'Bearing block' }]] }),
    properties: z
      .array(
        z.object({
          property: z
            .string()
            .describe('Key of the property.')
            .meta({ examples: ['Mass'] }),
          from: value.describe('Value in the first; null if it had none.').meta({ examples: [1.25] }),
          to: value.describe('Value in the second; null if it had none.').meta({ examples: [1.5] }),
        }),
      )
      .describe('Properties that differ, in order of their keys.')
      .meta({ examples: [[{ property: 'Mass', from: 1.25, to: 1.5 }]] }),
    structure: z
      .object({
        added: z
          .array(z.object({ ...child, quantity, ...LinkLineFields }))
          .describe('Children only in the second.')
          .meta({ examples: [[]] }),
        removed: z
          .array(z.object({ ...child, quantity, ...LinkLineFields }))
          .describe('Children only in the first.')
          .meta({ examples: [[]] }),
        quantity: z
          .array(z.object({ ...child, from: quantity, to: quantity }))
          .describe('Children whose quantity differs.')
          .meta({ examples: [[]] }),
        lines: z
          .array(
            z.object({
              ...child,
              changes: z
                .array(
                  z.object({
                    line: z
                      .string()
                      .optional()
                      .describe(
                        'Where the child stands in several lines: the find number of the line, empty for the line without one.',
                      )
                      .meta({ examples: ['20'] }),
                    field: z
                      .enum(changedFields)
                      .describe('The field of the link.')
                      .meta({ examples: ['findNumber'] }),
                    from: lineValue.describe('Value in the first; null if it had none.'),
                    to: lineValue.describe('Value in the second; null if it had none.'),
                  }),
                )
                .describe('Fields that differ.'),
            }),
          )
          .describe(
            'Children of which fields beside the quantity differ. Numbers and truth values are shown as texts.',
          )
          .meta({ examples: [[]] }),
        revisions: z
          .array(z.object({ ...child, from: childRevision('first'), to: childRevision('second') }))
          .describe(
            'With `configuration=asReleased`: children in both whose revision differs. Otherwise empty.',
          )
          .meta({ examples: [[]] }),
        truncated: z
          .boolean()
          .describe('Whether there are more differences than listed (10 000).')
          .meta({ examples: [false] }),
      })
      .describe('Differences in the structure, in order of the child ids.'),
  })
  .describe('Differences between two revisions.')
  .meta({ id: 'RevisionComparison' });
export type RevisionComparison = z.infer<typeof RevisionComparison>;

export const NewTransition = z
  .strictObject({
    toState: z
      .string()
      .min(1)
      .max(255)
      .describe('Name of the target state.')
      .meta({ examples: ['In Review'] }),
    note: z
      .string()
      .max(entityLimits.noteCharsMax)
      .nullish()
      .describe(`Why, for the history; at most ${entityLimits.noteCharsMax} characters.`)
      .meta({ examples: ['Ready for a second look'] }),
  })
  .meta({ id: 'NewTransition' });

const amountOf = (what: string, example: number) =>
  z
    .number()
    .describe(what)
    .meta({ examples: [example] });

const unreleasedWarning = z.object({
  code: z
    .literal('unreleased_children')
    .describe('The assembly was released with children that are not released.')
    .meta({ examples: ['unreleased_children'] }),
  message: z
    .string()
    .describe('The first of them, for people.')
    .meta({ examples: ['A child is not released: PRT-000042 (In Work).'] }),
  count: z
    .int()
    .describe('Number of children that are not released.')
    .meta({ examples: [1] }),
  children: z
    .array(z.object({ entityId: EntityId, number: EntityNumber, name: EntityName, state: StateName }))
    .describe('Up to 20 of them.'),
});

export const TransitionedEntity = Entity.extend({
  warnings: z
    .array(
      z.union([
        unreleasedWarning,
        z.object({
          code: z
            .literal('in_use')
            .describe('The entity is still in use.')
            .meta({ examples: ['in_use'] }),
          message: z
            .string()
            .describe('What is in use, for people.')
            .meta({ examples: ['PRT-000042 has 12 on hand, 1 open order line.'] }),
          usedBy: z
            .object({
              onHand: amountOf('On hand of an item.', 12),
              stockedItems: amountOf('Items on hand at a location.', 0),
              orderedItems: amountOf('Items on order to a location.', 0),
              openLines: amountOf('Open order lines of an item.', 1),
              openRequirements: amountOf('Open requirements of an item.', 0),
            })
            .describe('What uses it; 0 where the entity has no such role.'),
        }),
      ]),
    )
    .describe('Warnings; empty where nothing is worth one.'),
})
  .describe('The entity after a transition.')
  .meta({ id: 'TransitionedEntity' });

export const Transition = z
  .object({
    id: z
      .uuid()
      .describe('Id of the entry.')
      .meta({ examples: ['0199d0f0-0000-7000-8000-0000000000b1'] }),
    fromState: StateName.describe('Name of the previous state.'),
    toState: StateName.describe('Name of the new state.'),
    note: z
      .string()
      .nullable()
      .describe('Reason; null if none was given.')
      .meta({ examples: ['Ready for a second look'] }),
    revision: RevisionLabel.describe('Label of the current revision after it.'),
    revisionNumber: RevisionNumber.describe('Number of the current revision after it.'),
    versionId: VersionId.describe('Id of the current revision after it.'),
    recordedAt: Moment.describe('When it happened, UTC.'),
    actor: HistoryActor.describe('The caller that requested it.'),
  })
  .describe('A lifecycle transition in the history.')
  .meta({ id: 'Transition' });
export type Transition = z.infer<typeof Transition>;
