/** Waits until a file, or the entries of a folder, are on disk. */
import { open } from 'node:fs/promises';

export async function syncToDisk(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
