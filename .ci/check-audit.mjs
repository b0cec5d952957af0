// Known holes in dependencies: npm's audit, with exceptions that carry a reason and an end. A registry that answers no
// audits (a mirror, or one that is away) is said and passed over: it says nothing about the dependencies.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

const { exceptions } = JSON.parse(readFileSync(new URL('audit-exceptions.json', import.meta.url), 'utf8'));
const { stdout } = spawnSync('npm', ['audit', '--json'], { encoding: 'utf8', timeout: 120_000 });

let report = null;
try {
  report = JSON.parse(stdout);
} catch {
  // No answer at all.
}
if (report?.vulnerabilities === undefined) {
  const why = report?.message ?? report?.error?.summary ?? 'no answer';
  console.log(`The registry answers no audits (${why}): nothing was checked.`);
  process.exit(0);
}

const found = new Map();
for (const { name, via } of Object.values(report.vulnerabilities))
  for (const advisory of via)
    if (typeof advisory === 'object')
      found.set(advisory.url.split('/').at(-1), `${advisory.severity}: ${name}: ${advisory.title}`);

const today = new Date().toISOString().slice(0, 10);
const problems = [];
for (const [id, text] of found) {
  const exception = exceptions.find((one) => one.id === id);
  if (exception === undefined) problems.push(`${id} ${text}`);
  else if (exception.until < today)
    problems.push(`${id} is excepted until ${exception.until} only: ${exception.reason}`);
}
for (const { id, reason } of exceptions) {
  if (!reason) problems.push(`${id} is excepted without a reason`);
  if (!found.has(id))
    problems.push(`${id} is excepted and no longer found: take it out of .ci/audit-exceptions.json`);
}
for (const problem of problems) console.error(problem);
if (problems.length === 0) console.log(`${found.size} known holes, all of them excepted with a reason.`);
process.exit(problems.length === 0 ? 0 : 1);
