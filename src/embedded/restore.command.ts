/**
 * `npm run restore -- FOLDER`: puts a back-up of `npm run back-up` into DATA_DIR, where no database is. Then `npm start`. With
 * `--until TIME` (2026-11-22T06:00:00Z) it is brought forward to that time by the log in DATABASE_ARCHIVE_DIR.
 */
import { parseArgs } from 'node:util';
import { beginCommand } from '../process/begin-program.ts';
import { restoreEmbedded } from './back-up.ts';
import { recoverUntil } from './recover-until.ts';

const { values, positionals } = parseArgs({
  options: { until: { type: 'string' } },
  allowPositionals: true,
  strict: false,
});
const [source] = positionals;
const until = values.until === undefined ? null : new Date(String(values.until));
if (source === undefined || (until !== null && Number.isNaN(until.getTime()))) {
  process.stderr.write('Usage: npm run restore -- FOLDER [--until 2026-11-22T06:00:00Z]\n');
  process.exit(2);
}
const { config, log } = beginCommand('restore');
const { DATA_DIR, DATABASE_ARCHIVE_DIR } = config;
if (until !== null && DATABASE_ARCHIVE_DIR === undefined) {
  process.stderr.write('DATABASE_ARCHIVE_DIR must say where the log is that leads to that time.\n');
  process.exit(2);
}
try {
  await restoreEmbedded(source, DATA_DIR);
  if (until !== null && DATABASE_ARCHIVE_DIR !== undefined)
    await recoverUntil({
      dataDir: DATA_DIR,
      archiveDir: DATABASE_ARCHIVE_DIR,
      until,
      log,
    });
  const what = until === null ? `it was in ${source}` : `it was at ${until.toISOString()}`;
  process.stdout.write(`${DATA_DIR} is as ${what}. Start the service, then: npm run verify-ledger\n`);
} catch (error) {
  process.stderr.write(`Nothing was restored: ${(error as Error).message}\n`);
  process.exitCode = 1;
}
