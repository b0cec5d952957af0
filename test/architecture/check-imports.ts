/** Holds the imports of the sources against the rules; a finding is a sentence. */
import {
  belowRoutes,
  commandEnding,
  documentTypes,
  type Exception,
  exceptions,
  httpItself,
  httpSpeakers,
  mayImport,
  outside,
  packageHomes,
} from './import-rules.ts';
import { type Import, importsOf, type Sources, unitOf } from './scan-sources.ts';

export interface ImportReport {
  files: number;
  imports: number;
  /** Units that have a file. */
  units: number;
  breaches: string[];
}

const capabilityRoots = /^src\/(?!http\/|db\/|queue\/|events\/|idempotency\/|embedded\/)[\w-]+\//;

export function checkImports(sources: Sources): ImportReport {
  const imports = [...sources].flatMap(([from, text]) => importsOf(from, text));
  const used = new Set<Exception>();
  const breaches = imports.flatMap((one) => breachesOf(one, sources, used));
  const units = new Set([...sources.keys()].map(unitOf));
  for (const unit of units) {
    if (mayImport[unit] === undefined) breaches.push(`${unit} has no rule in import-rules.ts`);
  }
  return { files: sources.size, imports: imports.length, units: units.size, breaches };
}

/** Exceptions that no import makes use of. */
export function unusedExceptions(sources: Sources): Exception[] {
  const used = new Set<Exception>();
  for (const [from, text] of sources) for (const one of importsOf(from, text)) breachesOf(one, sources, used);
  return exceptions.filter((exception) => !used.has(exception));
}

function breachesOf(one: Import, sources: Sources, used: Set<Exception>): string[] {
  const { from, specifier, file } = one;
  const unit = unitOf(from);
  if (from.endsWith(commandEnding)) return [];
  if (specifier === '')
    return isOutside(unit) ? [] : [`${from} imports a computed path, which no rule can judge`];
  if (one.package !== null) return packageBreach(one.package, from, unit);
  // A file of JSON is data and of no unit.
  if (file === null || file.endsWith('.json') || (file === documentTypes && unit === 'test')) return [];
  if (!sources.has(file)) return [`${from} imports ${specifier}, which is not there`];
  const to = unitOf(file);
  if (to === unit) return [];
  if (outside.includes(to) && !isOutside(unit))
    return [`${from} imports ${file}, which stands outside the service`];
  const allowed = mayImport[unit] ?? [];
  if (!allowed.includes('*') && !allowed.includes(to)) {
    const exception = exceptions.find((candidate) => candidate.from === from && candidate.to === to);
    if (exception === undefined) return [`${from} imports ${file}: ${unit} may not import ${to}`];
    used.add(exception);
  }
  return to === 'http' ? httpBreach(from, file) : [];
}

function httpBreach(from: string, file: string): string[] {
  if (!capabilityRoots.test(from)) return [];
  const speaks = httpSpeakers.some((end) => from.endsWith(end)) || httpItself[from] !== undefined;
  if (speaks || belowRoutes[file] !== undefined) return [];
  return [`${from} imports ${file}: nothing of HTTP below the routes`];
}

function packageBreach(name: string, from: string, unit: string): string[] {
  if (unit === 'clients' || (isOutside(unit) && unit !== 'migrations' && unit !== 'workers')) return [];
  const homes = packageHomes[name];
  if (homes === undefined)
    return [`${from} imports the package ${name}, which has no home in import-rules.ts`];
  if (name === 'express' && httpItself[from] !== undefined) return [];
  const athome = (home: string) =>
    home === '*' || home === unit || (home.startsWith('.') && from.endsWith(home));
  if (homes.some(athome)) return [];
  return [`${from} imports the package ${name}: its home is ${homes.join(', ')}`];
}

function isOutside(unit: string): boolean {
  return outside.includes(unit);
}
