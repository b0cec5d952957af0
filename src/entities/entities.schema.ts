/** Entities as the API shows and takes them (contract §3.1). */
import { z } from 'zod';
import { entityLimits } from '../config.ts';
import { cleanName, isCleanName } from '../configuration/clean-text.ts';
import { NIL_GUID, normaliseGuid } from '../db/ids.ts';
import { ListQuery } from '../http/list.ts';
import { readOnly } from '../http/read-only.ts';
import { Where } from './conditions/condition.ts';
import { EntityRef } from './resolve-entity.ts';
import { SEARCH_RULE, searchText } from './search-text.ts';

const exampleId = '0199d0f0-0000-7000-8000-000000000001';
const exampleProperties = { Mass: 1.25, Material: 'EN AW-6082', Approved: true, ReleaseDate: '2026-11-20' };

export const EntityId = z
  .uuid()
  .describe('Id of the entity.')
  .meta({ examples: [exampleId] });
export const EntityNumber = z
  .string()
  .nullable()
  .describe('Human-readable identifier; null if it has none.')
  .meta({ examples: ['PRT-000042'] });
export const EntityName = z
  .string()
  .describe('Name.')
  .meta({ examples: ['Bearing block'] });
export const CategoryKey = z
  .string()
  .describe('Key of its category.')
  .meta({ examples: ['part'] });
export const StateName = z
  .string()
  .describe('Name of its lifecycle state.')
  .meta({ examples: ['In Work'] });
export const RevisionLabel = z
  .string()
  .describe('Label of the revision: A, B, … without I, O, Q, S, X, Z, then AA (ASME Y14.35).')
  .meta({ examples: ['A'] });
export const RevisionNumber = z
  .int()
  .min(1)
  .describe('Number of the revision, from 1.')
  .meta({ examples: [1] });
export const Properties = z
  .record(z.string(), z.union([z.string(), z.number(), z.boolean()]))
  .describe(
    'Values by property definition key, typed: text a string, numeric a number, date a string YYYY-MM-DD, boolean true or false.',
  )
  .meta({ examples: [exampleProperties] });
export const PictureHash = z
  .string()
  .regex(/^[0-9a-f]{64}$/, { error: 'must be a SHA-256 of 64 hexadecimal digits in lower case' })
  .describe('SHA-256 of the file, in hexadecimal.')
  .meta({ examples: ['9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'] });
export const EntityPicture = z
  .string()
  .nullable()
  .describe('SHA-256 of its picture, which `GET /pictures/{sha256}?size=64` returns; null if it has none.')
  .meta({ examples: [null] });
export const VersionId = z
  .uuid()
  .describe('Id of the revision.')
  .meta({ examples: ['0199d0f0-0000-7000-8000-0000000000a1'] });
const released = z
  .boolean()
  .describe('Whether that state is released: a change then creates a new revision.')
  .meta({ examples: [false] });
export const Moment = z.iso.datetime().meta({ examples: ['2026-11-20T09:30:00.000Z'] });

export const Entity = z
  .object({
    id: EntityId,
    versionId: VersionId.describe('Id of the current revision.'),
    E_Guid: z
      .guid()
      .nullable()
      .describe("The external system's GUID, unique in the workspace; null if it has none.")
      .meta({ examples: ['6f9619ff-8b86-d011-b42d-00c04fc964ff'] }),
    number: EntityNumber,
    name: EntityName,
    category: CategoryKey,
    state: StateName,
    released,
    revision: RevisionLabel,
    revisionNumber: RevisionNumber,
    parentLocation: EntityId.nullable().describe(
      'Id of the location that this location lies in; null if it lies in none, and for every entity that is no location.',
    ),
    properties: Properties,
    picture: EntityPicture,
    unit: z
      .string()
      .nullable()
      .describe('Base unit in which quantities of the item are; null if it has none.')
      .meta({ examples: ['pcs'] }),
    createdAt: Moment.describe('When it was created, UTC.'),
    updatedAt: Moment.describe('When it was last changed, UTC.'),
    archivedAt: Moment.nullable().describe(
      'When it was archived, UTC; null if it is in use. Lists leave archived entities out unless they are asked for.',
    ),
    mergedInto: EntityId.nullable().describe(
      'Id of the entity into which it was merged and which its GUID and number stand for now; null if it was not merged.',
    ),
  })
  .describe('A part, an assembly, a material, a location, an order, …')
  .meta({ id: 'Entity' });
export type Entity = z.infer<typeof Entity>;

export const EntityParams = z.strictObject({ id: EntityRef });

const hex = '[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}';
const exampleGuid = '6f9619ff-8b86-d011-b42d-00c04fc964ff';
/** Takes any form that callers write and returns it in lower case, without braces. */
export const Guid = z
  .string()
  .regex(new RegExp(`^(?:${hex}|\\{${hex}\\})$`), { error: 'must be a GUID, with or without braces' })
  .transform((text) => normaliseGuid(text) as string);

/** A filter that may be given several times: any of them fits. */
const anyOf = (text: z.ZodString) =>
  z.union([text.transform((one) => [one]), z.array(text).min(1).max(FILTER_VALUES_MAX)]).optional();
const FILTER_VALUES_MAX = 20;
/** Before the key of a property by which entities are sorted. */
export const PROPERTY_SORT = 'properties.';

/** Sorts by the values of a property. */
export const PropertySort = z.templateLiteral([PROPERTY_SORT, z.string().min(1).max(255)]);

/** Which entities a list shows by whether they are archived. */
export const Archived = z
  .enum(['false', 'true', 'only'])
  .default('false')
  .describe(
    'Whether archived entities are listed too: `false` for none, `true` for all, `only` for these alone.',
  )
  .meta({ examples: ['false'] });
export type Archived = z.output<typeof Archived>;

export const EntityQuery = ListQuery.extend({
  category: anyOf(z.string().max(255))
    .describe('Only entities of this category; if repeated, of any of them.')
    .meta({ examples: ['part'] }),
  state: anyOf(z.string().max(255))
    .describe('Only entities in this state; if repeated, in any of them.')
    .meta({ examples: ['In Work'] }),
  role: z
    .enum(['item', 'location', 'project', 'none'])
    .optional()
    .describe(
      'Only entities of categories with this role; those that are both items and locations match either.',
    ),
  number: z
    .string()
    .max(255)
    .optional()
    .describe('Only entities with exactly this number.')
    .meta({ examples: ['PRT-000042'] }),
  archived: Archived,
  guid: Guid.optional()
    .describe(
      'Only the entity with this E_Guid, with or without braces, in any case; it is found when it is archived, too.',
    )
    .meta({ examples: [exampleGuid] }),
  q: searchText(
    `Only entities with this text in their number, their name and their searchable properties, or in the SKU or MPN of a supplier part. ${SEARCH_RULE}`,
    'bearing block',
  ),
  where: Where,
  sort: z
    .union([z.enum(['created', 'number', 'name', 'updatedAt', 'best']), PropertySort])
    .default('created')
    .describe(
      'By what they are sorted, `properties.KEY` for a property: by a filterable one any number of entities, by another one as few as by name, those without a value last; those without a number come last. By name and last change as many as 20 000 are sorted, and as many as 5000 that have the text of `q` among more than those; others are refused as `too_many_to_sort`. `best` needs `q` and gives one page of the best for a text that is being typed: first the number that is equal to it, then numbers that begin with it, numbers that have all words, names that begin with it, names with words that do, and the rest.',
    ),
  order: z
    .enum(['asc', 'desc'])
    .default('asc')
    .describe('Ascending or descending; `best` has only one order.'),
});
export type EntityQuery = z.output<typeof EntityQuery>;

/** A line that a person reads, normalised (NFC) and without blanks at its ends. */
const line = (charsMax: number) =>
  z
    .string()
    .max(charsMax)
    .refine((text) => !/\p{Cc}/u.test(text) && isCleanName(text), {
      error:
        'must not contain control characters, line breaks or characters that change the direction of text',
    })
    .overwrite(cleanName)
    .min(1);

/** An entity is not known by the GUID of objects that have none. */
const givenGuid = Guid.refine((guid) => guid !== NIL_GUID, { error: 'must not be the nil GUID' });

const givenName = line(entityLimits.nameCharsMax)
  .describe(`Name, 1 to ${entityLimits.nameCharsMax} characters.`)
  .meta({ examples: ['Bearing block'] });
const givenNumber = line(entityLimits.numberCharsMax);
/** Checked by the definitions, which the schema cannot know; not a record, which would drop `__proto__`. */
const givenProperties = (description: string) =>
  z
    .custom<Record<string, unknown>>(
      (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
      { error: 'must be an object' },
    )
    .meta({
      override: { type: 'object', additionalProperties: { type: ['string', 'number', 'boolean', 'null'] } },
      description,
      examples: [exampleProperties],
    });

export const NewEntity = z
  .strictObject({
    category: z
      .string()
      .min(1)
      .max(255)
      .describe('Key of the category.')
      .meta({ examples: ['part'] }),
    name: givenName,
    number: givenNumber
      .nullish()
      .describe(
        `1 to ${entityLimits.numberCharsMax} characters. Absent, or where the category numbers by its scheme alone, the scheme's next number is taken.`,
      )
      .meta({ examples: ['PRT-000042'] }),
    E_Guid: givenGuid
      .nullish()
      .describe("The external system's GUID, by which a sync finds the entity.")
      .meta({ examples: [exampleGuid] }),
    parentLocation: EntityRef.nullish().describe(
      'The location that this location lies in, such as the shelf of a bin. Only for categories with the location role.',
    ),
    properties: givenProperties('Values by property definition key, typed.').optional(),
  })
  .meta({ id: 'NewEntity' });
export type NewEntity = z.output<typeof NewEntity>;

export const EntityPatch = z
  .strictObject({
    name: givenName.optional(),
    number: givenNumber
      .nullish()
      .describe(
        'Sets the number, or corrects it as long as the entity was never released. Otherwise it must be as it was read, and another one is refused with 422 `read_only_field`.',
      )
      .meta({ examples: ['PRT-000042'] }),
    properties: givenProperties(
      'Values to set; null removes one; omitted properties stay as they are.',
    ).optional(),
    E_Guid: givenGuid
      .nullish()
      .describe(
        'Accepted if the entity has none yet: from then on a sync finds it. Otherwise as it was read.',
      )
      .meta({ examples: [exampleGuid] }),
    parentLocation: EntityRef.nullish().describe(
      'Moves a location into another one; null takes it out. No new revision: where a location lies is no part of it.',
    ),
    picture: PictureHash.nullish().describe(
      'SHA-256 of a picture that was uploaded to `PUT /pictures/{sha256}`; null takes the picture away. `PUT /entities/{id}/picture` uploads and sets one in a single call.',
    ),
    ...readOnly(
      Entity,
      [
        'id',
        'versionId',
        'category',
        'state',
        'released',
        'revision',
        'revisionNumber',
        'unit',
        'createdAt',
        'updatedAt',
        'archivedAt',
        'mergedInto',
      ],
      // Every change makes others of them: whoever changes twice has those of before the first.
      { drifting: ['versionId', 'updatedAt'] },
    ),
  })
  .meta({ id: 'EntityPatch' });
export type EntityPatch = z.output<typeof EntityPatch>;
