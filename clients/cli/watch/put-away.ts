/** Moves a settled file, and writes its outcome beside it. */
import { lstat, mkdir, rename, writeFile } from 'node:fs/promises';
import { extname, join } from 'node:path';

/** The outcome of a file, and what distinguishes it from others with its name: its batch, or its content if nothing was sent. */
export interface Settled {
  outcome: 'done' | 'failed';
  name: string;
  mark: string;
}

export async function writeBeside(folder: string, settled: Settled, content: object): Promise<void> {
  const [target, to] = await placeOf(folder, settled);
  const beside = join(target, `.${to}.results.json.${process.pid}`);
  await writeFile(beside, `${JSON.stringify(content, null, 2)}\n`);
  await rename(beside, join(target, `${to}.results.json`));
}

export async function putAway(folder: string, settled: Settled): Promise<void> {
  const [target, to] = await placeOf(folder, settled);
  await rename(join(folder, settled.name), join(target, to)).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
  });
}

/**
 * A file of that name that lies there already keeps its place, and its results. The mark is the same before and after a crash,
 * so that results that were written before it belong to the file that is moved after it.
 */
async function placeOf(
  folder: string,
  { outcome, name, mark }: Settled,
): Promise<[folder: string, name: string]> {
  const target = join(folder, outcome);
  await mkdir(target, { recursive: true });
  const isThere = (await lstat(join(target, name)).catch(() => null)) !== null;
  if (!isThere) return [target, name];
  const ending = extname(name);
  const short = mark.replaceAll('-', '').slice(-12);
  return [target, `${name.slice(0, name.length - ending.length)}-${short}${ending}`];
}
