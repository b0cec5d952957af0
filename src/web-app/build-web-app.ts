/**
 * Builds the web app when `npm start` finds that it has changed: whoever tries the service runs one command. A
 * stamp of all that goes into it says whether it has. The web role never builds: it serves what is there.
 */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import type { Logger } from 'pino';
import { withBuildLock } from './build-lock.ts';

export interface WebBuild {
  /** Resolves when the app is there, or when it could not be built; it never rejects. */
  done: Promise<'current' | 'built' | 'failed' | 'absent'>;
  close(): Promise<void>;
}

const STAMP = '.stamp';
const OUTPUT_CHARS_MAX = 4000;

/** `root` is the folder of the project; `say` is told when something takes time. */
export function buildWebApp(root: string, log: Logger, say: (line: string) => void): WebBuild {
  const ending = new AbortController();
  const done = build(root, log, say, ending.signal).catch((error: unknown) => {
    if (!ending.signal.aborted)
      log.error({ err: error }, 'the web app could not be built; npm run build shows why');
    return 'failed' as const;
  });
  return {
    done,
    close: async () => {
      ending.abort();
      await done;
    },
  };
}

async function build(
  root: string,
  log: Logger,
  say: (line: string) => void,
  signal: AbortSignal,
): ReturnType<typeof buildWebApp>['done'] {
  // An image has the output alone.
  const hasSources =
    existsSync(join(root, 'web/vite.config.ts')) && existsSync(join(root, 'node_modules/vite'));
  if (!hasSources) return 'absent';
  const stamp = await stampOf(root);
  if (await isBuilt(root, stamp)) return 'current';
  signal.throwIfAborted();
  return withBuildLock(join(root, 'web/dist.lock'), signal, async () => {
    // Another process may have done it meanwhile.
    if (await isBuilt(root, stamp)) return 'current';
    await runBuild({ root, log, say, signal });
    // Last, so that a build that was cut off is made again; of what went in, not of what is there by now.
    await writeFile(join(root, 'web/dist', STAMP), stamp);
    return 'built';
  });
}

async function isBuilt(root: string, stamp: string): Promise<boolean> {
  const last = await readFile(join(root, 'web/dist', STAMP), 'utf8').catch(() => null);
  return last === stamp && existsSync(join(root, 'web/dist/index.html'));
}

interface Build {
  root: string;
  log: Logger;
  say: (line: string) => void;
  signal: AbortSignal;
}

async function runBuild({ root, log, say, signal }: Build): Promise<void> {
  say('Building the web app; later starts find it built.');
  const startedAt = performance.now();
  // npm puts the project's own Node first, which the machine's may not be. A group of its own ends as a whole.
  const child = spawn('npm', ['run', '--silent', 'build'], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  let output = '';
  const keep = (text: string) => {
    output = (output + text).slice(-OUTPUT_CHARS_MAX);
  };
  child.stdout.setEncoding('utf8').on('data', keep);
  child.stderr.setEncoding('utf8').on('data', keep);
  const end = () => {
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGTERM');
  };
  signal.addEventListener('abort', end, { once: true });
  const [code] = (await once(child, 'close')) as [number | null];
  signal.removeEventListener('abort', end);
  if (code !== 0) throw new Error(`npm run build ended with ${code}:\n${output}`);
  log.info({ ms: Math.round(performance.now() - startedAt) }, 'web app built');
}

/** Folders that go into the output: the page of imports reads files by what the command line reads them by. */
const folders = ['web', 'clients/readers'];
/** Files that do: the editor completes by the declarations of what a script has. */
const beside = [
  'package.json',
  'package-lock.json',
  'docs/openapi.json',
  'src/automation/conductor/api.d.ts',
];

/** The hash of everything that the output is made of. */
export async function stampOf(root: string): Promise<string> {
  const hash = createHash('sha256');
  const entries = await Promise.all(
    folders.map((folder) => readdir(join(root, folder), { recursive: true, withFileTypes: true })),
  );
  const sources = entries
    .flat()
    .filter((entry) => entry.isFile())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)))
    .filter((path) => !path.startsWith(join('web', 'dist')));
  for (const path of [...sources.toSorted(), ...beside]) {
    const bytes = await readFile(join(root, path)).catch(() => Buffer.alloc(0));
    hash.update(`${path} ${bytes.length}\n`).update(bytes);
  }
  return hash.digest('hex');
}
