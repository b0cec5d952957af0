/** A clock of PostgreSQL that can be set: libfaketime, which its processes load, reads its offset from a file. */
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { findDebianLibrary } from '../../../test/setup/debian-program.ts';

export interface Faketime {
  /** What a process needs whose clock is to be set. */
  readonly environment: NodeJS.ProcessEnv;
  /** Ahead of the true time by so many seconds; processes notice within a second. */
  set(seconds: number): Promise<void>;
}

/** Null where it cannot be had. `folder` must be open to whoever runs PostgreSQL. */
export async function findFaketime(cacheDir: string, folder: string): Promise<Faketime | null> {
  const library = await findDebianLibrary(
    { package: 'libfaketime', file: 'libfaketime.so.1' },
    cacheDir,
    () => {},
  );
  if (library === null || !existsSync(library)) return null;
  const file = join(folder, 'clock');
  const set = (seconds: number) => writeFile(file, `${seconds < 0 ? '-' : '+'}${Math.abs(seconds)}s\n`);
  await set(0);
  return {
    environment: {
      LD_PRELOAD: library,
      FAKETIME_TIMESTAMP_FILE: file,
      FAKETIME_CACHE_DURATION: '1',
      // What is waited for takes as long as ever: a clock that is set does not make time pass.
      DONT_FAKE_MONOTONIC: '1',
    },
    set,
  };
}
