/** The files of the built web app: which there are, of what type, and each compressed once for each encoding. */
import { existsSync } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import { extname, join, relative, sep } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

export type Encoding = 'br' | 'gzip' | 'identity';

export interface WebFile {
  type: string;
  /** Its name carries a hash of its content: it never changes. */
  isImmutable: boolean;
  isCompressible: boolean;
  bytes(encoding: Encoding): Promise<Buffer>;
}

export interface WebFiles {
  /** The page, with the placeholder of its nonces. */
  index: string;
  /** Files by path from the root of the site, such as `/assets/main-1a2b3c4d.js`. */
  byPath: ReadonlyMap<string, WebFile>;
}

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json',
  '.webmanifest': 'application/manifest+json',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.wasm': 'application/wasm',
  '.map': 'application/json',
  '.woff2': 'font/woff2',
  '.woff': 'font/woff',
  '.png': 'image/png',
  '.webp': 'image/webp',
  '.ico': 'image/x-icon',
};
const incompressible = new Set(['.woff2', '.woff', '.png', '.webp', '.ico']);
/** Beyond it the last few percent cost seconds. */
const LARGE_BYTES = 1024 * 1024;

/**
 * Keeps track of a folder: `current` is what it holds now, null while there is no page in it. A new build is seen
 * by the time of its page, which is written last or at least anew.
 */
export function openWebFiles(folder: string): { current(): Promise<WebFiles | null> } {
  const page = join(folder, 'index.html');
  let known: { at: number; files: Promise<WebFiles> } | null = null;
  return {
    current: async () => {
      if (!existsSync(page)) return null;
      const { mtimeMs } = await stat(page);
      if (known?.at !== mtimeMs) known = { at: mtimeMs, files: readFiles(folder) };
      return known.files.catch((error: unknown) => {
        known = null;
        throw error;
      });
    },
  };
}

async function readFiles(folder: string): Promise<WebFiles> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const byPath = new Map<string, WebFile>();
  for (const entry of entries) {
    const type = types[extname(entry.name)];
    if (!entry.isFile() || entry.name.startsWith('.') || type === undefined) continue;
    const file = join(entry.parentPath, entry.name);
    const path = `/${relative(folder, file).split(sep).join('/')}`;
    if (path !== '/index.html') byPath.set(path, webFile(file, path, type));
  }
  return { index: await readFile(join(folder, 'index.html'), 'utf8'), byPath };
}

function webFile(file: string, path: string, type: string): WebFile {
  const kept = new Map<Encoding, Promise<Buffer>>();
  return {
    type,
    isImmutable: path.startsWith('/assets/'),
    isCompressible: !incompressible.has(extname(path)),
    bytes: (encoding) => {
      const known = kept.get(encoding);
      if (known !== undefined) return known;
      const made = readFile(file).then((bytes) => compress(bytes, encoding));
      made.catch(() => kept.delete(encoding));
      kept.set(encoding, made);
      return made;
    },
  };
}

/** In the threads of zlib: the event loop goes on. */
async function compress(bytes: Buffer, encoding: Encoding): Promise<Buffer> {
  if (encoding === 'identity') return bytes;
  if (encoding === 'gzip') return promisify(gzip)(bytes, { level: 9 });
  return promisify(brotliCompress)(bytes, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: bytes.length > LARGE_BYTES ? 6 : constants.BROTLI_MAX_QUALITY,
      [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
    },
  });
}
