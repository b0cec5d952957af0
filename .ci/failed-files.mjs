// Prints the test files that failed, one on each line, of the JSON report named on the command line. Exits with 1 where there is
// no report, where none failed (then something else did), and where more failed than chance explains.
import { readFileSync } from 'node:fs';
import { relative } from 'node:path';

const FILES_MAX = 3;
const report = readFileSync(process.argv[2], 'utf8');
// A run that its time limit ended has written none.
if (report === '') process.exit(1);
const { testResults } = JSON.parse(report);
const failed = testResults.filter(({ status }) => status === 'failed').map(({ name }) => relative('.', name));
if (failed.length === 0 || failed.length > FILES_MAX) process.exit(1);
for (const name of failed) console.log(name);
