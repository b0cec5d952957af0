/** The web process's thread that decodes pictures. It needs no database. */
import { type RenderedPicture, renderPicture } from '../src/pictures/render-picture.ts';

/** The renditions of a picture, or why it is refused. */
export function render(bytes: Uint8Array): Promise<RenderedPicture | { refusal: string }> {
  return renderPicture(bytes);
}
