/** Categories: what an entity is, how it is numbered, which lifecycle it follows. */
import { z } from 'zod';
import { readOnly } from '../../http/read-only.ts';
import { Key, Name } from '../text.schema.ts';
import { behaviours, consumeModes, unreleasedChildrenModes } from './behaviour.ts';

/** The role of the category's entities in stock: something held, a place to hold it, or a purpose to hold it for. */
export const roles = ['item', 'location', 'itemAndLocation', 'project', 'none'] as const;
export type Role = (typeof roles)[number];

const tabTypes = ['stockLedger', 'uses', 'whereUsed', 'revisions', 'lines', 'requirements'] as const;

export const Numbering = z
  .strictObject({
    source: z
      .enum(['payload', 'scheme'])
      .describe(
        '`payload` keeps the sent number and uses the pattern only if none is sent; `scheme` always uses the pattern.',
      )
      .meta({ examples: ['payload'] }),
    pattern: z
      .string()
      .max(64)
      .regex(/^[^{}\p{Cc}\p{Cs}]*\{0{1,15}\}[^{}\p{Cc}\p{Cs}]*$/u, {
        error: 'must have exactly one run of zeros in braces, such as PRT-{000000}, and no other braces',
      })
      .describe(
        'The number with the counter as one run of zeros in braces; the length of the run is the minimum number of digits.',
      )
      .meta({ examples: ['PRT-{000000}'] }),
    whenTaken: z
      .enum(['warn', 'refuse'])
      .optional()
      .describe(
        'What happens to an entity of the category that would get a number which another entity has: `refuse` keeps it out, `warn` (where it is absent) says so in the results of a sync.',
      )
      .meta({ examples: ['warn'] }),
  })
  .describe('The numbering scheme.');
export type Numbering = z.infer<typeof Numbering>;

const PROPERTIES_MAX = 500;

const fields = {
  name: Name.describe('Name shown to people, 1 to 255 characters.').meta({ examples: ['Part'] }),
  numbering: Numbering.default({ source: 'payload', pattern: '{000000}' }),
  lifecycle: z
    .string()
    .min(1)
    .max(255)
    .describe('Key of the lifecycle of entities of this category; it must exist.')
    .meta({ examples: ['part'] }),
  role: z
    .enum(roles)
    .default('none')
    .describe('Role of its entities in stock: items, locations, both, projects that need items, or none.')
    .meta({ examples: ['item'] }),
  behaviour: z
    .enum(behaviours)
    .default('none')
    .describe('Behaviour of its entities beyond being records: orders, stock lines, requirements, or none.')
    .meta({ examples: ['none'] }),
  hiddenFromNew: z
    .boolean()
    .default(false)
    .describe(
      'Whether people cannot create entities of it by hand. Always true for line and requirement behaviours.',
    )
    .meta({ examples: [false] }),
  tabs: z
    .array(z.enum(tabTypes))
    .max(tabTypes.length)
    .refine((tabs) => new Set(tabs).size === tabs.length, { error: 'must not name a tab twice' })
    .default([])
    .describe(
      'Tabs that its entities show besides their properties and their lifecycle, in order. Empty: the usual ones.',
    )
    .meta({ examples: [['stockLedger']] }),
  properties: z
    .array(Key)
    .max(PROPERTIES_MAX)
    .refine((keys) => new Set(keys).size === keys.length, { error: 'must not name a property twice' })
    .default([])
    .describe(
      'Keys of the properties of its entities, in the order in which forms show them; all properties if empty. Entities may carry others as well.',
    )
    .meta({ examples: [[]] }),
  consume: z
    .enum(consumeModes)
    .nullable()
    .default(null)
    .describe(
      'How receipts of manufacturing lines of the category take components if the call does not say: `proportional`, `asListed` or `none`. Null: they take none, and the components stay required.',
    )
    .meta({ examples: [null] }),
  unreleasedChildren: z
    .enum(unreleasedChildrenModes)
    .default('warn')
    .describe(
      'What the release of an assembly of the category does if children of it are not released: `warn` names them, `refuse` is 409 `unreleased_children`.',
    )
    .meta({ examples: ['warn'] }),
};

const key = Key.describe(
  'Internal key, 1 to 255 characters, case-sensitive, fixed; `categoryKey` of a sync entity refers to it.',
).meta({
  examples: ['part'],
});

/** The body of a POST. */
export const NewCategory = z
  .strictObject({
    key,
    ...fields,
    consume: fields.consume
      .unwrap()
      .optional()
      .describe(
        'How receipts of manufacturing lines of the category take components if the call does not say. By default `proportional` for the behaviour `manufacturingOrderLine`, otherwise null.',
      ),
    lifecycle: fields.lifecycle
      .optional()
      .describe(
        'Key of the lifecycle of entities of this category; it must exist. By default that of the default workspace for such a role and behaviour.',
      ),
  })
  .meta({ id: 'NewCategory' });
export type NewCategory = z.output<typeof NewCategory>;

export const Category = z
  .strictObject({ key, ...fields })
  .describe('A category of entities.')
  .meta({ id: 'Category' });
export type Category = z.infer<typeof Category>;

/** The body of a PUT. */
export const CategoryReplacement = z
  .strictObject({ ...fields, ...readOnly(Category, ['key']) })
  .meta({ id: 'CategoryReplacement' });
export type CategoryReplacement = z.infer<typeof CategoryReplacement>;

export const NextNumber = z
  .object({
    number: z
      .string()
      .describe('The number.')
      .meta({ examples: ['PRT-000043'] }),
  })
  .describe('The next number of a category.')
  .meta({ id: 'NextNumber' });
