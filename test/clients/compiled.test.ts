// What a command has compiled is kept for the next one, with its user, and nowhere where it cannot be.
import { execFile } from 'node:child_process';
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { projectFolder } from './project-folder.ts';

const program = join(projectFolder, 'clients/cli/bin/partbook.js');
let home: string;
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'partbook-home-'));
});
afterAll(() => rm(home, { recursive: true, force: true }));

/** With nothing set but this. */
async function version(environment: Record<string, string>): Promise<string> {
  const ran = await promisify(execFile)(process.execPath, [program, '--version'], { env: environment });
  expect(ran.stderr).toBe('');
  return ran.stdout;
}

test('by its user alone, or in the folder that is named', async () => {
  for (const [environment, folder] of [
    [{ HOME: home }, join(home, '.cache/partbook/compiled')],
    [{ HOME: home, XDG_CACHE_HOME: join(home, 'caches') }, join(home, 'caches/partbook/compiled')],
  ] as const) {
    for (let command = 0; command < 2; command++)
      expect(await version(environment)).toMatch(/^\d+\.\d+\.\d+\n$/);
    expect(await readdir(folder)).toHaveLength(1);
    expect((await stat(folder)).mode & 0o077).toBe(0);
  }
  const named = join(home, 'named');
  await version({ HOME: home, NODE_COMPILE_CACHE: named });
  expect(await readdir(named)).toHaveLength(1);
});

test('where it cannot be kept a command does what it does', async () => {
  // Nothing can be made in either, and of the second the system says that what is above it is missing.
  for (const folder of ['/dev/null', '/proc/nowhere'])
    expect(await version({ HOME: home, XDG_CACHE_HOME: folder })).toMatch(/^\d+\.\d+\.\d+\n$/);
});
