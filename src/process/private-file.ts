/**
 * Files beside the data of the embedded servers: passwords, records, and the key of the demo. Only their owner can read them,
 * and no reader sees a half-written one.
 */
import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';

export function writePrivateFile(path: string, content: string): void {
  const written = `${path}.${process.pid}.new`;
  rmSync(written, { force: true });
  writeFileSync(written, content, { mode: 0o600, flush: true });
  renameSync(written, path);
}

/** Call it under the folder's lock: two first starts must not each make a password of their own. */
export function readOrCreatePassword(path: string): string {
  if (!existsSync(path)) writePrivateFile(path, `${randomBytes(24).toString('base64url')}\n`);
  return readFileSync(path, 'utf8').trim();
}
