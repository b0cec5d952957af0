/** What KiCad's HTTP libraries are answered with (KiCad 8 on; identifiers are texts, flags are texts as well). */
import { z } from 'zod';

export const LibraryRoot = z.object({ categories: z.string(), parts: z.string() }).meta({
  id: 'KicadRoot',
  description: 'That this is a library; both are empty texts.',
  examples: [{ categories: '', parts: '' }],
});

export const LibraryCategory = z
  .object({
    id: z.string().meta({ description: 'For `parts/category/{id}.json`.', examples: ['part'] }),
    name: z.string().meta({ examples: ['Part'] }),
    description: z.string(),
  })
  .meta({ id: 'KicadCategory' });

const Field = z.object({ value: z.string(), visible: z.string().optional() });

export const LibraryPart = z
  .object({
    id: z.string(),
    name: z.string().meta({
      description: 'The number; with something added where several have it.',
      examples: ['R-0603-10K'],
    }),
    symbolIdStr: z.string().meta({ description: 'Of the property `Symbol`.', examples: ['Device:R'] }),
    exclude_from_bom: z.string().meta({ examples: ['False'] }),
    exclude_from_board: z.string().meta({ examples: ['False'] }),
    exclude_from_sim: z.string().meta({ examples: ['False'] }),
    description: z.string(),
    keywords: z.string(),
    footprint_filters: z.array(z.string()),
    fields: z.record(z.string(), Field).meta({
      description: 'Footprint, value, reference, datasheet, IPN, GUID, what is on hand, and the properties.',
    }),
  })
  .meta({ id: 'KicadPart' });
export type LibraryPart = z.infer<typeof LibraryPart>;
