/** A file that is named on the command line, for as long as it is worked on. */
import { createReadStream, createWriteStream, mkdtempSync, rmSync, type Stats, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { FileSource } from '../../readers/file-source.ts';
import { fileSource } from '../../readers/node-file.ts';
import { UsageError } from '../exit-codes.ts';
import { here, pathHere } from '../surroundings.ts';
import { ofDisk } from './spool-elements.ts';

const STANDARD_INPUT = '-';

/** As it is named to people. */
export function shownName(file: string): string {
  return file === STANDARD_INPUT ? 'standard input' : file;
}

/** Throws where the file is none, before anything is done with others. */
export function requireFile(file: string): void {
  if (file !== STANDARD_INPUT) statsOf(file);
}

/** Standard input and pipes are written down first: readers know a file's size, and look at it more than once. */
export async function withSource<Answer>(
  file: string,
  use: (source: FileSource) => Promise<Answer>,
): Promise<Answer> {
  const stats = file === STANDARD_INPUT ? null : statsOf(file);
  if (stats?.isFile()) return use({ ...fileSource(pathHere(file), stats), name: file });
  const folder = mkdtempSync(join(tmpdir(), 'partbook-'));
  try {
    const path = join(folder, 'input');
    const input = stats === null ? here().stdin : createReadStream(pathHere(file));
    await pipeline(input, createWriteStream(path, { mode: 0o600 })).catch((error: unknown) => {
      throw ofDisk(error);
    });
    return await use({ ...fileSource(path), name: shownName(file) });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function statsOf(file: string): Stats {
  const stats = statSync(pathHere(file), { throwIfNoEntry: false });
  if (stats === undefined) throw new UsageError(`There is no file ${file}.`);
  if (stats.isDirectory())
    throw new UsageError(`${file} is a folder: "partbook watch" sends what is dropped into one.`);
  return stats;
}
