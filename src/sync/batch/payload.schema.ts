/** The OpenAPI schema of a payload (interface, Sync entity; contract §2.9). */
import { z } from 'zod';
import { entityLimits } from '../../config.ts';
import { linkLimits } from '../../entities/links/link-line.ts';
import { givenBuildFields } from '../../entities/structure/build-fields.schema.ts';
import { SUPPLIER_PARTS_MAX } from '../elements/read-element.ts';

const Guid = z.string().meta({
  description: 'With or without braces, in any case of letters.',
  examples: ['6f1c2f9e-3d2b-4c4e-9a51-0b8a6f3d7c02'],
});

const absentKept = 'Where it is absent, what is stored stays; null takes it away.';
const lineText = (charsMax: number, example: string) =>
  z
    .string()
    .max(charsMax)
    .nullable()
    .optional()
    .meta({ examples: [example] });

const SupplierPart = z
  .looseObject({
    supplier: z.string().meta({
      description: 'Name or code of the supplier; one that nobody knows is created.',
      examples: ['DigiKey'],
    }),
    sku: z
      .string()
      .nullish()
      .meta({
        description:
          "The supplier's number, by which its part of the item is found. Without one it is found by `mpn`, and a new one has the MPN as its SKU.",
        examples: ['311-10.0KHRCT-ND'],
      }),
    manufacturer: z
      .string()
      .nullish()
      .meta({ examples: ['Yageo'] }),
    mpn: z
      .string()
      .nullish()
      .meta({ description: "The manufacturer's number.", examples: ['RC0603FR-0710KL'] }),
    packQuantity: z
      .number()
      .positive()
      .nullish()
      .meta({ examples: [100] }),
    minimum: z
      .number()
      .positive()
      .nullish()
      .meta({ examples: [100] }),
    multiple: z
      .number()
      .positive()
      .nullish()
      .meta({ examples: [100] }),
    leadTimeDays: z
      .int()
      .min(0)
      .nullish()
      .meta({ examples: [14] }),
    rank: z
      .int()
      .min(1)
      .nullish()
      .meta({
        description: 'A new one has its place in this list.',
        examples: [1],
      }),
    prices: z
      .array(
        z.looseObject({
          from: z
            .number()
            .positive()
            .optional()
            .meta({ description: '1 if absent.', examples: [100] }),
          price: z.string().meta({ description: 'A decimal as text.', examples: ['0.0123'] }),
          currency: z
            .string()
            .nullish()
            .meta({
              description: 'That of the supplier, or of the workspace, if absent.',
              examples: ['EUR'],
            }),
          validFrom: z.iso
            .date()
            .nullish()
            .meta({ examples: ['2026-12-01'] }),
          source: z
            .string()
            .nullish()
            .meta({ examples: ['Offer 4711'] }),
        }),
      )
      .nullish()
      .meta({ description: 'They replace the prices of the same currency and day; others stay.' }),
  })
  .meta({ id: 'SyncSupplierPart', description: 'A supplier part as an element states it.' });

/** For the document and for clients: each element is checked by itself, and what is wrong with it is its result. */
export const SyncElement = z
  .looseObject({
    guid: Guid,
    number: z
      .string()
      .max(entityLimits.numberCharsMax)
      .meta({ examples: ['PRT-014'] }),
    name: z
      .string()
      .max(entityLimits.nameCharsMax)
      .meta({ examples: ['Wheel'] }),
    categoryKey: z.string().meta({ description: 'Key of a category of the workspace.', examples: ['part'] }),
    parentGuid: Guid.nullable()
      .optional()
      .meta({ description: 'The assembly that contains it; null or absent for a topmost one.' }),
    quantity: z
      .number()
      .positive()
      .optional()
      .meta({
        description: 'Quantity in the parent; 1 if absent. Equal elements are added up.',
        examples: [4],
      }),
    findNumber: lineText(linkLimits.findNumberCharsMax, '10').meta({
      description: `Item number of its line in the parent; at most ${linkLimits.findNumberCharsMax} characters. ${absentKept}`,
    }),
    referenceDesignators: z
      .array(z.string().max(linkLimits.designatorCharsMax))
      .max(linkLimits.designatorsMax)
      .nullable()
      .optional()
      .meta({
        description: `Where it stands in the parent. Joined over equal elements, each once. ${absentKept}`,
        examples: [['R1', 'R2']],
      }),
    unit: lineText(linkLimits.unitCharsMax, 'm').meta({
      description: `Unit of the quantity; at most ${linkLimits.unitCharsMax} characters. ${absentKept}`,
    }),
    note: lineText(linkLimits.noteCharsMax, 'Not fitted in variant B').meta({
      description: `A remark on the line; at most ${linkLimits.noteCharsMax} characters. ${absentKept}`,
    }),
    ...givenBuildFields,
    picture: z
      .string()
      .nullable()
      .optional()
      .meta({
        description: `SHA-256 of a picture that was uploaded to \`PUT /pictures/{sha256}\`. ${absentKept} Where there is no such picture, the result has the warning \`picture_pending\`, and the rest of the element is taken.`,
        examples: [null],
      }),
    parentLocation: Guid.nullable()
      .optional()
      .meta({
        description:
          'The GUID of the location that this location lies in, of this payload, before or behind it, or of the workspace. Where it is absent, the location keeps its place; null takes it out. A place that would close a cycle is refused with the warning `location_refused`, one in a location that is not there has the warning `location_pending`; the rest of the element is taken.',
        examples: [null],
      }),
    supplierParts: z
      .array(SupplierPart)
      .max(SUPPLIER_PARTS_MAX)
      .nullish()
      .meta({
        description: `Who sells it, and under which numbers: at most ${SUPPLIER_PARTS_MAX}. An item gets the supplier parts that it does not have yet; those that it has are changed where they differ, and none is taken away. Where a field is absent or null, what is stored stays. A supplier part that cannot be taken has the warning \`supplier_part_refused\`; the rest of the element is taken. Takes the area \`procurement\`.`,
        examples: [
          [{ supplier: 'DigiKey', sku: '311-10.0KHRCT-ND', manufacturer: 'Yageo', mpn: 'RC0603FR-0710KL' }],
        ],
      }),
    hasChildren: z
      .boolean()
      .optional()
      .meta({
        description:
          'False says that it has no children: with `structure=exact` an assembly that no element names as its parent is then emptied. It has no other effect.',
        examples: [false],
      }),
    level: z
      .int()
      .min(0)
      .max(1_000_000)
      .nullish()
      .meta({
        description:
          'Depth in the bill of materials; 0 is topmost. Nothing is made of it, but a level that contradicts `parentGuid` has a warning.',
        examples: [1],
      }),
    sourceWarnings: z
      .array(
        z.looseObject({
          message: z.string().max(1000),
          property: z.string().max(255).optional(),
          count: z.int().min(1).optional(),
        }),
      )
      .optional()
      .meta({
        description:
          'What whoever read the element out of a file has to say of it: stands among the warnings of its result as `source_warning`, and nothing else is made of it. What has another form is passed over.',
        examples: [
          [{ message: 'Line 7, cell Mass: "heavy" is no number that can be read.', property: 'Mass' }],
        ],
      }),
    properties: z
      .record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()]))
      .optional()
      .meta({
        description:
          'By the keys of property definitions, as texts. JSON numbers and truth values are taken as their text, and null removes what is stored. Unknown keys are ignored.',
        examples: [{ Mass: '0.35' }],
      }),
  })
  .meta({
    id: 'SyncElement',
    description:
      'One entity, and one place in which it is used. Other fields are ignored; of one whose name is nearly right an import has a warning.',
  });

export const SyncPayload = z
  .looseObject({ entities: z.array(SyncElement) })
  .meta({ id: 'SyncPayload', description: 'Payload of a PDM or CAD system.' });
