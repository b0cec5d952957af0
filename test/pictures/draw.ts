/** Pictures for tests, and things that only look like them. */
import { createHash } from 'node:crypto';
import { deflateSync } from 'node:zlib';
import sharp from 'sharp';

export const sha256Of = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

const plain = (width: number, height: number, background = '#4a7') =>
  sharp({ create: { width, height, channels: 3, background } });

export const drawPng = (width: number, height: number, colour?: string) =>
  plain(width, height, colour).png().toBuffer();
export const drawJpeg = (width: number, height: number) => plain(width, height).jpeg().toBuffer();
export const drawWebp = (width: number, height: number) => plain(width, height).webp().toBuffer();

/** Two frames: the first red, the second blue. */
export async function drawAnimation(): Promise<Buffer> {
  const frames = await Promise.all(['#f00', '#00f'].map((colour) => drawPng(40, 40, colour)));
  return sharp(frames, { join: { animated: true } })
    .webp({ lossless: true, delay: [100, 100] })
    .toBuffer();
}

/** Noise, which no format makes smaller: a JPEG of about these bytes. */
export async function drawNoise(width: number, height: number): Promise<Buffer> {
  return sharp({
    create: {
      width,
      height,
      channels: 3,
      background: '#888',
      noise: { type: 'gaussian', mean: 128, sigma: 60 },
    },
  })
    .jpeg({ quality: 90 })
    .toBuffer();
}

function crc32(bytes: Uint8Array): number {
  let crc = ~0;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return ~crc >>> 0;
}

function chunk(type: string, data: Uint8Array): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, sum]);
}

/** A PNG of one bit a pixel that says it has these dimensions, with few kilobytes of data. */
export function pngBomb(width: number, height: number, { interlaced = false } = {}): Buffer {
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head[8] = 1;
  head[12] = interlaced ? 1 : 0;
  const data = deflateSync(Buffer.alloc(1024 * 1024));
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', head),
    chunk('IDAT', data),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}
