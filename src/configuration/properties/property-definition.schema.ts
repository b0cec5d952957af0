/** Property definitions: which properties entities of the workspace may carry, of which type, and what else is known of their values. */
import { z } from 'zod';
import { readOnly } from '../../http/read-only.ts';
import { Key, Name } from '../text.schema.ts';
import { compilePattern } from './property-pattern.ts';
import { faultOfValue } from './property-rules.ts';
import { type PropertyType, propertyTypes } from './property-value.ts';

const CHOICES_MAX = 500;
const PATTERN_CHARS_MAX = 200;
const UNIT_CHARS_MAX = 32;
const DESCRIPTION_CHARS_MAX = 1000;
const DEFAULT_CHARS_MAX = 1000;

const fields = {
  name: Name.describe('Name shown to people, 1 to 255 characters.').meta({ examples: ['Mass (kg)'] }),
  type: z
    .enum(Object.keys(propertyTypes) as PropertyType[])
    .describe(
      'Type of the values: text as it is, numeric as a number, date as YYYY-MM-DD, boolean as true or false, choice as one of `choices`, url as an http or https address, reference as an entity. Fixed after an entity has had a value.',
    )
    .meta({ examples: ['numeric'] }),
  choices: z
    .array(Name)
    .min(1)
    .max(CHOICES_MAX)
    .refine((choices) => new Set(choices).size === choices.length, { error: 'must not name a choice twice' })
    .nullable()
    .default(null)
    .describe(
      `The values that a property of type choice takes, in their order, at most ${CHOICES_MAX}; null for other types. Values that entities have stay when a choice is removed.`,
    )
    .meta({ examples: [null] }),
  unit: z
    .string()
    .trim()
    .min(1)
    .max(UNIT_CHARS_MAX)
    .nullable()
    .default(null)
    .describe(
      'Unit of a numeric property, such as `kg`, `mm` or any other text. A sync converts a text with another unit of the same dimension exactly.',
    )
    .meta({ examples: ['kg'] }),
  default: z
    .union([z.string().max(DEFAULT_CHARS_MAX), z.number(), z.boolean()])
    .nullable()
    .default(null)
    .describe('Value that a new entity gets where none is said, also by a sync; null for none.')
    .meta({ examples: [null] }),
  pattern: z
    .string()
    .min(1)
    .max(PATTERN_CHARS_MAX)
    .refine((pattern) => compilePattern(pattern) !== null, {
      error: 'must be a regular expression of RE2 (no look-around, no back-references)',
    })
    .nullable()
    .default(null)
    .describe('Regular expression (RE2) that all of a text must match; null for any text.')
    .meta({ examples: [null] }),
  requiredFrom: Name.nullable()
    .default(null)
    .describe(
      'State that an entity cannot enter without a value. A sync warns of entities that lack one. It concerns the categories that list the property, and item categories that list none.',
    )
    .meta({ examples: ['Released'] }),
  group: Name.nullable()
    .default(null)
    .describe('Heading of the property in forms.')
    .meta({ examples: ['Physical'] }),
  description: z
    .string()
    .trim()
    .min(1)
    .max(DESCRIPTION_CHARS_MAX)
    .nullable()
    .default(null)
    .describe('Explanation shown beside the field.')
    .meta({ examples: ['Without packaging'] }),
  filterable: z
    .boolean()
    .default(false)
    .describe(
      'Whether its values are indexed, so that entities are quickly filtered and sorted by it. Each one makes a sync of new entities a little slower.',
    )
    .meta({ examples: [true] }),
  searchable: z
    .boolean()
    .default(false)
    .describe(
      'Whether the search `q` finds entities by words of its values, of which it knows the first 1000 characters. Only for the types text, choice and url. Existing entities are found when `index` is `ready`.',
    )
    .meta({ examples: [false] }),
};

const searchableTypes: readonly PropertyType[] = ['text', 'choice', 'url'];

const key = Key.describe(
  'Key, 1 to 255 characters, case-sensitive, fixed; `properties` of entities use it.',
).meta({
  examples: ['Mass'],
});

type Fields = z.output<ReturnType<typeof z.strictObject<typeof fields>>>;

/** Refuses fields that do not fit the type. */
function checkFields(given: Fields, check: z.core.$RefinementCtx<Fields>): void {
  const refuse = (path: string, message: string) => check.addIssue({ code: 'custom', path: [path], message });
  if ((given.type === 'choice') !== (given.choices !== null))
    refuse(
      'choices',
      given.type === 'choice' ? 'are needed by the type choice' : 'only belong to the type choice',
    );
  if (given.unit !== null && given.type !== 'numeric') refuse('unit', 'only belongs to the type numeric');
  if (given.pattern !== null && given.type !== 'text') refuse('pattern', 'only belongs to the type text');
  if (given.searchable && !searchableTypes.includes(given.type))
    refuse('searchable', 'only belongs to the types text, choice and url');
  if (given.default === null) return;
  if (!propertyTypes[given.type].fits(given.default))
    refuse('default', `must be ${propertyTypes[given.type].jsonForm}`);
  else {
    const fault = faultOfValue({ key: 'default', ...given }, given.default);
    if (fault !== null) refuse('default', fault.message);
  }
}

/** The body of a POST. */
export const NewPropertyDefinition = z
  .strictObject({ key, ...fields })
  .superRefine(checkFields)
  .meta({ id: 'NewPropertyDefinition' });

export const PropertyDefinition = z
  .strictObject({
    key,
    ...fields,
    index: z
      .enum(['none', 'filling', 'ready'])
      .describe(
        'State of the index of a filterable or searchable property. While it is `filling`, filters look through the entities instead and pages may be short, and searches miss entities that are not indexed yet.',
      )
      .meta({ examples: ['ready'] }),
  })
  .describe('A property of entities.')
  .meta({ id: 'PropertyDefinition' });
export type PropertyDefinition = z.infer<typeof PropertyDefinition>;

/** A definition in which fields with a default may be omitted. */
export type PlainPropertyDefinition = z.input<typeof NewPropertyDefinition>;
export type NewPropertyDefinition = z.output<typeof NewPropertyDefinition>;

/** The body of a PUT. */
export const PropertyDefinitionReplacement = z
  .strictObject({ ...fields, ...readOnly(PropertyDefinition, ['key', 'index'], { drifting: ['index'] }) })
  .superRefine(checkFields)
  .meta({ id: 'PropertyDefinitionReplacement' });
export type PropertyDefinitionReplacement = z.infer<typeof PropertyDefinitionReplacement>;
