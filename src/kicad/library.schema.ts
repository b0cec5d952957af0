/** Schemas of KiCad's HTTP libraries (KiCad 8 and later; ids and flags are texts). */
import { z } from 'zod';

export const LibraryRoot = z.object({ categories: z.string(), parts: z.string() }).meta({
  id: 'KicadRoot',
  description: 'Identifies the service as a library; both are empty texts.',
  examples: [{ categories: '', parts: '' }],
});

export const LibraryCategory = z
  .object({
    id: z.string().meta({ description: 'Id for `parts/category/{id}.json`.', examples: ['part'] }),
    name: z.string().meta({ examples: ['Part'] }),
    description: z.string(),
  })
  .meta({ id: 'KicadCategory' });

const Field = z.object({ value: z.string(), visible: z.string().optional() });

export const LibraryPart = z
  .object({
    id: z.string(),
    name: z.string().meta({
      description: 'The number; with a suffix if several parts have it.',
      examples: ['R-0603-10K'],
    }),
    symbolIdStr: z.string().meta({ description: 'Value of the property `Symbol`.', examples: ['Device:R'] }),
    exclude_from_bom: z.string().meta({ examples: ['False'] }),
    exclude_from_board: z.string().meta({ examples: ['False'] }),
    exclude_from_sim: z.string().meta({ examples: ['False'] }),
    description: z.string(),
    keywords: z.string(),
    footprint_filters: z.array(z.string()),
    fields: z.record(z.string(), Field).meta({
      description:
        'Footprint, value, reference, datasheet, IPN, GUID, stock on hand, the properties, and `Manufacturer`, `MPN`, `Supplier`, `SKU` of the first active supplier parts by rank, those of the second and third as `MPN 2` and so on. A property of the same name counts before them.',
    }),
  })
  .meta({ id: 'KicadPart' });
export type LibraryPart = z.infer<typeof LibraryPart>;

/** Library file as KiCad stores it on disk. */
export const LibraryFileQuery = z.strictObject({
  parts: z.enum(['all', 'withSymbol']).default('all').meta({
    description: '`withSymbol`: the file of the library without parts that have no symbol.',
  }),
});

export const LibraryFile = z
  .object({
    meta: z.object({ version: z.number() }),
    name: z.string(),
    description: z.string(),
    source: z.object({
      type: z.literal('REST_API'),
      api_version: z.literal('v1'),
      root_url: z.string().meta({ examples: ['https://partbook.example/api/wid/acme/kicad'] }),
      token: z.string().meta({ description: 'An API key that may read.' }),
      timeout_parts_seconds: z.int(),
      timeout_categories_seconds: z.int(),
    }),
  })
  .meta({ id: 'KicadLibraryFile' });
