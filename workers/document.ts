/** The web process's thread that prints orders. It needs no database. */
import { drawDocument } from '../src/procurement/documents/draw-document.ts';
import { FontFiles } from '../src/procurement/documents/faces.ts';
import type { OrderDocument } from '../src/procurement/documents/order-document.ts';

const files = new FontFiles();

/** The pages as PDF. */
export function print(document: OrderDocument): Promise<Uint8Array> {
  return drawDocument(document, files);
}
