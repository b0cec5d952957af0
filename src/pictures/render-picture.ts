/** Decodes an uploaded picture and makes its renditions. It runs in a thread (workers/picture.ts). */
import { createHash } from 'node:crypto';
import sharp, { type SharpOptions } from 'sharp';

/** Longest sides of the renditions, in pixels, descending. */
const renditionSizes = [1024, 256, 64] as const;
export type RenditionSize = (typeof renditionSizes)[number];

/** A photograph of a phone has up to 50 megapixels. */
const PIXELS_MAX = 100_000_000;
/** A progressive or interlaced picture is held whole: 50 megapixels take some 150 MiB. */
const PIXELS_HELD_MAX = 50_000_000;
const SIDE_PIXELS_MAX = 30_000;
const DECODE_SECONDS_MAX = 10;

export interface RenderedPicture {
  /** In hexadecimal. */
  sha256: string;
  /** Type found in the bytes, whatever the sender says. */
  mediaType: string;
  width: number;
  height: number;
  renditions: { size: RenditionSize; content: Uint8Array }[];
}

// One picture at a time uses one core, and nothing is kept between pictures. Only these three decoders of libvips may run: no SVG, PDF
// or other format is ever tried.
sharp.concurrency(1);
sharp.cache(false);
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({
  operation: ['VipsForeignLoadJpegBuffer', 'VipsForeignLoadPngBuffer', 'VipsForeignLoadWebpBuffer'],
});

/** Returns the picture, or a sentence on why it is refused. Of an animation only the first frame is read. */
export async function renderPicture(bytes: Uint8Array): Promise<RenderedPicture | { refusal: string }> {
  const mediaType = mediaTypeOf(bytes);
  if (mediaType === null) return { refusal: 'It is not a PNG, JPEG or WebP picture.' };
  const options: SharpOptions = { limitInputPixels: PIXELS_MAX, failOn: 'error', sequentialRead: true };
  try {
    const found = await sharp(bytes, options).metadata();
    const { width, height } = found.autoOrient;
    const tooLarge = refuseSize(width, height, found.isProgressive === true);
    if (tooLarge !== null) return { refusal: tooLarge };
    const [largest] = renditionSizes;
    const { data, info } = await sharp(bytes, options)
      .autoOrient()
      .resize({ width: largest, height: largest, fit: 'inside', withoutEnlargement: true })
      .toColourspace('srgb')
      .raw()
      .timeout({ seconds: DECODE_SECONDS_MAX })
      .toBuffer({ resolveWithObject: true });
    const raw = { width: info.width, height: info.height, channels: info.channels };
    const renditions: RenderedPicture['renditions'] = [];
    for (const size of renditionSizes) {
      const content = await sharp(data, { raw })
        .resize({ width: size, height: size, fit: 'inside', withoutEnlargement: true })
        .webp({ quality: 80 })
        .toBuffer();
      renditions.push({ size, content });
    }
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    return { sha256, mediaType, width, height, renditions };
  } catch (error) {
    return { refusal: reasonOf(error) };
  }
}

/** Decided by the first bytes: neither a file name nor a Content-Type is believed. */
function mediaTypeOf(bytes: Uint8Array): string | null {
  const start = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, 12)).toString('latin1');
  if (start.startsWith('\x89PNG\r\n\x1a\n')) return 'image/png';
  if (start.startsWith('\xff\xd8\xff')) return 'image/jpeg';
  if (start.startsWith('RIFF') && start.slice(8, 12) === 'WEBP') return 'image/webp';
  return null;
}

function refuseSize(width: number, height: number, isHeldWhole: boolean): string | null {
  if (width > SIDE_PIXELS_MAX || height > SIDE_PIXELS_MAX)
    return `It has ${width} × ${height} pixels; a side may have ${SIDE_PIXELS_MAX}.`;
  const most = isHeldWhole ? PIXELS_HELD_MAX : PIXELS_MAX;
  if (width * height <= most) return null;
  const kind = isHeldWhole ? 'a progressive or interlaced picture' : 'a picture';
  return `It has ${width} × ${height} pixels; ${kind} may have ${most / 1_000_000} megapixels.`;
}

function reasonOf(error: unknown): string {
  const message = error instanceof Error ? error.message : '';
  if (message.includes('pixel limit')) return `It has more than ${PIXELS_MAX / 1_000_000} megapixels.`;
  if (message.startsWith('timeout')) return `Decoding it takes longer than ${DECODE_SECONDS_MAX} seconds.`;
  return 'It is damaged, or ends too early.';
}
