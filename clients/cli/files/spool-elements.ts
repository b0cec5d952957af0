/**
 * The elements of a file, written as NDJSON into a file of their own before anything is sent: a file that is faulty in its
 * last line sends nothing, a connection that breaks is tried again with the same bytes, and nothing grows with the file.
 */
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createReadStream, createWriteStream, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ImportDefinition } from '../../readers/definition/import-definition.schema.ts';
import type { FileSource } from '../../readers/file-source.ts';
import { FileFault } from '../../readers/findings.ts';
import { openReading, type Reading, type ReadingOptions } from '../../readers/read-elements.ts';

export interface Spooled {
  reading: Reading;
  /** The digest of what is sent. */
  sha256: string;
  open(): AsyncIterable<Uint8Array>;
  remove(): void;
}

const PIECE_CHARACTERS = 256 * 1024;

export async function spoolElements(
  source: FileSource,
  definition: ImportDefinition,
  options: ReadingOptions = {},
): Promise<Spooled> {
  const folder = mkdtempSync(join(tmpdir(), 'partbook-'));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  try {
    const path = join(folder, 'elements.ndjson');
    const out = createWriteStream(path, { mode: 0o600 });
    const hash = createHash('sha256');
    let fault: Error | null = null;
    out.on('error', (error) => {
      fault = error;
    });
    const write = async (text: string) => {
      if (fault !== null) throw fault;
      hash.update(text);
      if (!out.write(text)) await once(out, 'drain');
    };
    const reading = await openReading(source, definition, options);
    let text = '';
    for await (const element of reading.elements()) {
      text += `${JSON.stringify(element)}\n`;
      if (text.length < PIECE_CHARACTERS) continue;
      await write(text);
      text = '';
    }
    await write(text);
    if (fault !== null) throw fault;
    out.end();
    await once(out, 'finish');
    return { reading, sha256: hash.digest('hex'), open: () => createReadStream(path), remove };
  } catch (error) {
    remove();
    throw ofDisk(error);
  }
}

/** Describes a folder for temporary files that is full, or that takes no file of that size. */
export function ofDisk(error: unknown): unknown {
  const { code } = (error ?? {}) as { code?: unknown };
  if (typeof code !== 'string' || !['ENOSPC', 'EFBIG', 'EDQUOT', 'EROFS', 'EACCES'].includes(code))
    return error;
  const message = `No temporary file can be written into ${tmpdir()} (${code}). Make room there, or set TMPDIR. Nothing was sent.`;
  return Object.assign(new FileFault('spool_full', message), { cause: error });
}
