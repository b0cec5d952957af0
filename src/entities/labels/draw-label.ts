/** Draws a QR code. Up to 50 ms of processor time at the largest scale, so a thread does it (workers/label.ts). */
import bwip from 'bwip-js/node';

export interface LabelDrawing {
  /** The content of the code. */
  text: string;
  as: 'svg' | 'png';
  /** Dots of one module. */
  scale: number;
}

export async function drawLabel({ text, as, scale }: LabelDrawing): Promise<Uint8Array> {
  const options = { bcid: 'qrcode', text, scale, paddingwidth: 4, paddingheight: 4 };
  return as === 'png' ? bwip.toBuffer(options) : Buffer.from(bwip.toSVG(options));
}
