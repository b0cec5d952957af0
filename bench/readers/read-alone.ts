/** Reads one file in a process of its own and says what it took: `node read-alone.ts FILE DEFINITION`. */
import { ImportDefinition } from '../../clients/readers/definition/import-definition.schema.ts';
import { fileSource } from '../../clients/readers/node-file.ts';
import { openReading } from '../../clients/readers/read-elements.ts';

const [file = '', definition = '{}'] = process.argv.slice(2);
const reading = await openReading(fileSource(file), ImportDefinition.parse(JSON.parse(definition)));
for await (const _ of reading.elements()) {
  // Elements are dropped, as they are when they are written to a stream.
}
const { user, system } = process.cpuUsage();
console.log(
  JSON.stringify({
    ...reading.totals,
    errors: reading.findings.errors,
    cpuSeconds: Number(((user + system) / 1e6).toFixed(1)),
    peakMiB: Math.round(process.resourceUsage().maxRSS / 1024),
  }),
);
