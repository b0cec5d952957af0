// A process that owns (or joins) an embedded server until it is told to end; tests kill it, too.
// Usage: node run-server.script.ts <postgres|redis> <dataDir> <cacheDir>

import { startEmbeddedPostgres } from '../../src/embedded/postgres.ts';
import { startEmbeddedRedis } from '../../src/embedded/redis.ts';

const [kind, dataDir, cacheDir = ''] = process.argv.slice(2);
if (!dataDir) throw new Error('dataDir is missing');
const silent = () => {};
const log = { debug: silent, info: silent, warn: silent, error: silent };

if (kind === 'postgres') {
  const server = await startEmbeddedPostgres({ dataDir, log });
  report(server.adminUrl, server.reused);
  endWith(server.stop);
} else {
  const server = await startEmbeddedRedis({ dataDir, cacheDir, log });
  if (server === null) throw new Error('no Redis here');
  report(server.url, server.reused);
  endWith(server.stop);
}

function report(url: string, reused: boolean): void {
  process.stdout.write(`${JSON.stringify({ url, reused })}\n`);
}

function endWith(stop: () => Promise<void>): void {
  // Reading keeps the process alive; the end of input, also by the end of the test's process, ends it.
  process.stdin.resume().once('end', async () => {
    await stop();
    process.exit();
  });
}
