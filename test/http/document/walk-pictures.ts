/** The part of the walk that concerns pictures. */
import { createHash } from 'node:crypto';
import type { TestAnswer } from '../../setup/server.ts';

type Call = (
  operationId: string,
  given?: {
    params?: Record<string, string>;
    query?: Record<string, string>;
    body?: unknown;
    type?: string;
  },
) => Promise<TestAnswer['body']>;

/** A washer of 48 × 36 pixels. */
const washer = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAADAAAAAkBAMAAAA9a6Q5AAAAMFBMVEX///9miKpwkLDZ4uqIo73i6O9+m7fN2ON9mrfr8PSyw9T4+vuNp8CUrMS2xteVrcQz0cntAAAACXBIWXMAAAsTAAALEwEAmpwYAAAAtElEQVQoz2NgoCdgXdOkdioAU5y9URAIJArQxTkdBcFAZAKahJEgFCijijMLwoEBisQkhIQmioQjQkIExUmCSADZYRzIEglIEoEgAXnrzRdBtCiSxEKQwAMGBj4QLYUkcRCkAcQAaZFBkgAFhzCIYQgKFiQJRSBfGsTYCGQIESOBYpQYmuWy2CzH6VywB2WxeBBnkOAMRJzBjjuicEYtzsSAO/kwsCeCxMUKsCXRJKxJlIYAAJc5KsnpcEh1AAAAAElFTkSuQmCC',
  'base64',
);

/** Gives a washer its picture, and takes it away. */
export async function showPictures({ show, call }: { show: Call; call: Call }): Promise<void> {
  const { id } = await call('createEntity', { body: { category: 'part', name: 'Washer M6' } });
  const sha256 = createHash('sha256').update(washer).digest('hex');
  await show('uploadPicture', { params: { sha256 }, type: 'image/png', body: washer });
  await show('setEntityPicture', { params: { id }, type: 'image/png', body: washer });
  await show('getEntityPicture', { params: { id }, query: { size: '256' } });
  await show('getPicture', { params: { sha256 }, query: { size: '64' } });
  await show('deleteEntityPicture', { params: { id } });
}
