/**
 * `npm run back-up -- FOLDER`: copies the embedded database of DATA_DIR, running or not, into a folder that is not there yet. A
 * database of one's own (DATABASE_URL) is backed up by PostgreSQL's programs: docs/operations.md.
 */
import { beginCommand } from '../process/begin-program.ts';
import { backUpEmbedded } from './back-up.ts';
import { startEmbeddedPostgres } from './postgres.ts';

const [target] = process.argv.slice(2);
if (target === undefined) {
  process.stderr.write('Usage: npm run back-up -- FOLDER\n');
  process.exit(2);
}
const { config, log } = beginCommand('back-up');
const server = await startEmbeddedPostgres({
  dataDir: config.DATA_DIR,
  log,
  archiveDir: config.DATABASE_ARCHIVE_DIR,
});
try {
  const made = await backUpEmbedded(config.DATA_DIR, server.adminUrl, target);
  process.stdout.write(`${JSON.stringify({ folder: target, ...made })}\n`);
} catch (error) {
  process.stderr.write(`No back-up was made: ${(error as Error).message}\n`);
  process.exitCode = 1;
} finally {
  await server.stop();
}
