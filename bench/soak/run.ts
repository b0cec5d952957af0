/**
 * `npm run soak`: all of it; `npm run soak -- kills`, `faults`, `restarts` or `fuzz`: a part. Kills are the head of ../soak.ts; faults are those of
 * faults/cases.ts for MINUTES (15); restarts
 * replace webs and workers in turn under load, RESTARTS of them (40: 20 of each); fuzz sends REQUESTS (10 000) to all calls.
 */
const parts: Record<string, () => Promise<unknown>> = {
  kills: () => import('../soak.ts'),
  faults: () => import('./faults/soak-faults.ts'),
  restarts: () => import('./restarts/soak-restarts.ts'),
  fuzz: () => import('./fuzz/fuzz-surface.ts'),
};

const wanted = process.argv.length > 2 ? process.argv.slice(2) : Object.keys(parts);
const unknown = wanted.filter((name) => !(name in parts));
if (unknown.length > 0) {
  console.error(
    `No part of the soak is called ${unknown.join(', ')}. There are: ${Object.keys(parts).join(', ')}`,
  );
  process.exit(2);
}
for (const name of wanted) await parts[name]?.();
