#!/usr/bin/env node
// In a clone the sources run as they are, by a Node that can read them; a package has what was built of them alone.
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import * as modules from 'node:module';
import { constants, homedir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const source = new URL('../main.ts', import.meta.url);
const built = new URL('../dist/cli/main.js', import.meta.url);
/** The Node that came with the clone: whoever calls by the whole path, as a crontab does, finds the machine's first. */
const own = new URL('../../../node_modules/.bin/node', import.meta.url);
// What was compiled for one command is read for the next, which is two thirds of its time.
const compiled = folderOfCompiled();
if (compiled !== null) modules.enableCompileCache?.(compiled);
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);

if (!existsSync(source) && (major > 22 || (major === 22 && minor >= 12))) await import(built.href);
else if (existsSync(source) && process.features.typescript) await import(source.href);
else if (existsSync(source) && existsSync(own)) runBy(fileURLToPath(own));
else {
  const wanted = existsSync(source) ? '24' : '22.12 or newer';
  console.error(`partbook needs Node ${wanted}, and this is ${process.versions.node}.`);
  process.exitCode = 2;
}

/** @param {string} node */
function runBy(node) {
  const child = spawn(node, [fileURLToPath(import.meta.url), ...process.argv.slice(2)], { stdio: 'inherit' });
  // From a terminal both hear of it; from elsewhere only this one does.
  for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) {
    process.on(signal, () => child.kill(signal));
  }
  child.on('exit', (code, signal) =>
    process.exit(code ?? 128 + (constants.signals[signal ?? 'SIGTERM'] ?? 0)),
  );
}

/**
 * It lies with its user: whoever else could write there could have anything run. NODE_COMPILE_CACHE names another, as it does for Node. Null where
 * it cannot be made, which is no fault. It is made step by step, because Node makes no end of trying where a file system refuses a folder
 * as though one above it were missing (/proc does).
 */
function folderOfCompiled() {
  const { NODE_COMPILE_CACHE, XDG_CACHE_HOME, HOME } = process.env;
  if (NODE_COMPILE_CACHE) return NODE_COMPILE_CACHE;
  let folder = XDG_CACHE_HOME || join(HOME || homedir(), '.cache');
  for (const below of ['', 'partbook', 'compiled']) {
    folder = join(folder, below);
    try {
      mkdirSync(folder, { mode: 0o700 });
    } catch (error) {
      if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'EEXIST') return null;
    }
  }
  return folder;
}
