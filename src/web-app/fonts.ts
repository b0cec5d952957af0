/** The typeface of the web app, for pages that the server writes: its tokens with the addresses that the build has given to the files. */
import { readFileSync } from 'node:fs';
import { openWebFiles } from './web-files.ts';

const face = /@font-face \{[^}]*\}\n/g;

export const withoutFonts = (css: string) => css.replaceAll(face, '');

/** Returns a function that writes the font faces; it returns an empty text while the web app is not built. */
export function openFonts(webFolder: string): () => Promise<string> {
  const tokens = readFileSync(new URL('../../web/tokens.css', import.meta.url), 'utf8');
  const faces = tokens.match(face) ?? [];
  const files = openWebFiles(webFolder);
  return async () => {
    const paths = [...((await files.current())?.byPath.keys() ?? [])];
    return faces
      .flatMap((one) => {
        const name = /\/([\w-]+)\.woff2"/.exec(one)?.[1];
        const path = paths.find((known) => known.startsWith(`/assets/${name}-`) && known.endsWith('.woff2'));
        return path === undefined ? [] : [one.replace(/url\("[^"]+"\)/, `url("${path}")`)];
      })
      .join('');
  };
}
