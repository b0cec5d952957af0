/**
 * `npm run bench -- NAME …`: runs the named benches, or all. Each measures against a limit of the same run,
 * because machines differ and are shared; the figures to quote are the ratios.
 */
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

interface Bench {
  name: string;
  run(): Promise<unknown>;
}

const folder = fileURLToPath(new URL('.', import.meta.url));
const wanted = process.argv.slice(2);

const benches: Bench[] = [];
for (const file of (await readdir(folder)).filter((one) => one.endsWith('.ts') && one !== 'run.ts').sort()) {
  if (file === 'loop-probe.ts') continue;
  const found = (await import(new URL(file, import.meta.url).href)) as Partial<Bench>;
  if (typeof found.name === 'string' && typeof found.run === 'function') benches.push(found as Bench);
}
const unknown = wanted.filter((one) => !benches.some((bench) => bench.name === one));
if (unknown.length > 0) {
  console.error(
    `No bench is called ${unknown.join(', ')}. There are: ${benches.map((bench) => bench.name).join(', ')}`,
  );
  process.exit(2);
}
await mkdir(new URL('results/', import.meta.url), { recursive: true });
for (const bench of benches) {
  if (wanted.length > 0 && !wanted.includes(bench.name)) continue;
  const result = await bench.run();
  await writeFile(
    new URL(`results/${bench.name}.json`, import.meta.url),
    `${JSON.stringify(result, null, 2)}\n`,
  );
}
