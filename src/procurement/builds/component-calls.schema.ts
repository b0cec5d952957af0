/** Calls say this of the components of a manufacturing line: which are taken, from where, and what is taken in their place. */
import { z } from 'zod';
import { EntityRef } from '../../entities/resolve-entity.ts';
import { givenUnit, unitNeeds } from '../../stock/entries/given-quantity.ts';
import { ComponentLots } from '../../stock/entries/lot.schema.ts';
import { givenNote, givenQuantity } from '../records/schemas/text.schema.ts';

export const from = z
  .array(EntityRef)
  .min(1)
  .max(100)
  .nullish()
  .describe(
    'Locations whose available stock is taken, in this order, each with the locations that lie in it. By default that of the line, then those with the most. What is reserved for the components is taken first, wherever it is.',
  );
export const dryRun = z
  .boolean()
  .default(false)
  .describe('Report what would be taken, and what is short, without moving anything.')
  .meta({ examples: [false] });

export const substitutes = z
  .array(
    z
      .strictObject({
        itemEntityId: EntityRef.describe('A component of the line.'),
        substituteEntityId: EntityRef.describe('A substitute that the line of the structure names for it.'),
        quantity: givenQuantity(
          'How much of the substitute is taken; it covers its share by the `ratio` of the substitute. By default as much as the component lacks beyond what is reserved of it.',
        ).optional(),
        ...givenUnit,
      })
      .refine(({ quantity, unit }) => unit == null || quantity !== undefined, unitNeeds('quantity')),
  )
  .max(1000)
  .optional()
  .describe(
    'Substitutes that are taken in place of components, from what is available of them, in this order. What is reserved for the component is taken before, its free stock after. A substitute that is not named is never taken; one that was reserved before is taken with what is reserved.',
  );

const componentsWork = {
  quantity: givenQuantity(
    'Further units of output that the components are for; by default all that are open.',
  ).optional(),
  ...givenUnit,
  from,
  componentLots: ComponentLots,
  substitutes,
  note: givenNote,
  dryRun,
};

export const ComponentsWork = z
  .strictObject(componentsWork)
  .refine(({ quantity, unit }) => unit == null || quantity !== undefined, unitNeeds('quantity'))
  .prefault({})
  .meta({ id: 'ComponentsWork' });

export type SubstitutesGiven = z.output<typeof substitutes>;
