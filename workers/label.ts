/** The web process's thread that draws labels. It needs no database, and so costs little. */
import { drawLabel, type LabelDrawing } from '../src/entities/labels/draw-label.ts';

/** A QR code as SVG or PNG. */
export function draw(drawing: LabelDrawing): Promise<Uint8Array> {
  return drawLabel(drawing);
}
