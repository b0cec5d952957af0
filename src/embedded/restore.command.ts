/** `npm run restore -- FOLDER`: puts a back-up of `npm run back-up` into DATA_DIR, where no database is. Then `npm start`. */
import { readConfig } from '../config.ts';
import { restoreEmbedded } from './back-up.ts';

const [source] = process.argv.slice(2);
if (source === undefined) {
  process.stderr.write('Usage: npm run restore -- FOLDER\n');
  process.exit(2);
}
const { DATA_DIR } = readConfig(process.env);
try {
  await restoreEmbedded(source, DATA_DIR);
  process.stdout.write(
    `${DATA_DIR} is as it was in ${source}. Start the service, then: npm run verify-ledger\n`,
  );
} catch (error) {
  process.stderr.write(`Nothing was restored: ${(error as Error).message}\n`);
  process.exitCode = 1;
}
