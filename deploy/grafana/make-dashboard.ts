/** Writes partbook.dashboard.json: `node deploy/grafana/make-dashboard.ts`. A test compares the file with what this makes. */
import { writeFileSync } from 'node:fs';
import { dashboard } from './dashboard.ts';

writeFileSync(
  new URL('partbook.dashboard.json', import.meta.url),
  `${JSON.stringify(dashboard(), null, 2)}\n`,
);
