/** Property definitions: which properties entities of the workspace may carry, and of which type. */
import { z } from 'zod';
import { readOnly } from '../../http/read-only.ts';
import { Key, Name } from '../text.schema.ts';
import { type PropertyType, propertyTypes } from './property-value.ts';

const fields = {
  name: Name.describe('Name shown to people, 1 to 255 characters.').meta({ examples: ['Mass (kg)'] }),
  type: z
    .enum(Object.keys(propertyTypes) as PropertyType[])
    .describe(
      'Type of the values: text as it is, numeric as a number, date as YYYY-MM-DD, boolean as true or false. Fixed after an entity has had a value.',
    )
    .meta({ examples: ['numeric'] }),
};

const key = Key.describe(
  'Key, 1 to 255 characters, case-sensitive, fixed; `properties` of entities use it.',
).meta({
  examples: ['Mass'],
});

/** The body of a POST. */
export const NewPropertyDefinition = z.strictObject({ key, ...fields }).meta({ id: 'NewPropertyDefinition' });

export const PropertyDefinition = z
  .strictObject({ key, ...fields })
  .describe('A property of entities.')
  .meta({ id: 'PropertyDefinition' });
export type PropertyDefinition = z.infer<typeof PropertyDefinition>;

/** The body of a PUT. */
export const PropertyDefinitionReplacement = z
  .strictObject({ ...fields, ...readOnly(PropertyDefinition, ['key']) })
  .meta({ id: 'PropertyDefinitionReplacement' });
export type PropertyDefinitionReplacement = z.infer<typeof PropertyDefinitionReplacement>;
