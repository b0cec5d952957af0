/** Pictures of entities as the API shows and takes them. */
import { z } from 'zod';
import { PictureHash } from '../entities/entities.schema.ts';

export const PictureParams = z.strictObject({ sha256: PictureHash });

export const PictureQuery = z.strictObject({
  size: z
    .enum(['64', '256', '1024', 'original'])
    .default('original')
    .describe(
      'The longest side in pixels, as WebP; a smaller picture is not enlarged. `original` is the file as it was uploaded.',
    )
    .meta({ examples: ['256'] }),
});
export type PictureSize = z.output<typeof PictureQuery>['size'];

export const Picture = z
  .object({
    sha256: PictureHash,
    mediaType: z
      .enum(['image/png', 'image/jpeg', 'image/webp'])
      .describe('Type that was found in the file, whatever the upload said.')
      .meta({ examples: ['image/png'] }),
    bytes: z
      .int()
      .describe('Bytes of the file.')
      .meta({ examples: [48_213] }),
    width: z
      .int()
      .describe('Width in pixels, as it is shown.')
      .meta({ examples: [1600] }),
    height: z
      .int()
      .describe('Height in pixels, as it is shown.')
      .meta({ examples: [1200] }),
  })
  .describe('A picture that is stored in the workspace.')
  .meta({ id: 'Picture' });
export type Picture = Omit<z.infer<typeof Picture>, 'mediaType'> & { mediaType: string };
