/**
 * Reads the quantities of usages that say how much of a part they need. Measures stand anywhere in the file, and most of them measure
 * geometry: those that usages name are read in a second pass, and their units in a third one.
 */
import type { FileSource } from '../file-source.ts';
import { parseStatement, type StepStatement, type StepValue } from './parse-statement.ts';
import { scanStep } from './scan-step.ts';

export interface StepQuantity {
  value: number;
  /** Empty for a count; null where the unit of another measure is not known. */
  unit: string | null;
  /** `COUNT_MEASURE`, `LENGTH_MEASURE` … */
  measure: string;
}

/** Measures that are plain numbers. */
const counts = new Set(['COUNT_MEASURE', 'NUMERIC_MEASURE', 'RATIO_MEASURE', 'POSITIVE_RATIO_MEASURE']);

export async function readQuantities(
  source: FileSource,
  measures: ReadonlySet<number>,
): Promise<ReadonlyMap<number, StepQuantity>> {
  const found = new Map<number, StepQuantity & { unitRef: number | null }>();
  await readStatements(source, measures, (number, statement) => {
    const values = [...statement.values()].flat();
    const measure = values.find(isTyped);
    const [value] = measure?.values ?? [];
    if (measure === undefined || typeof value !== 'number') return;
    const unit = counts.has(measure.name) ? '' : null;
    const unitRef = values.map(refOf).find((ref) => ref !== null) ?? null;
    found.set(number, { value, unit, measure: measure.name, unitRef });
  });
  const measured = [...found.values()].filter(({ unit }) => unit === null);
  const units = new Map<number, string | null>();
  await readStatements(
    source,
    new Set(measured.flatMap(({ unitRef }) => unitRef ?? [])),
    (number, statement) => {
      units.set(number, unitOf(statement));
    },
  );
  for (const one of measured) one.unit = units.get(one.unitRef ?? -1) ?? null;
  return found;
}

async function readStatements(
  source: FileSource,
  numbers: ReadonlySet<number>,
  take: (number: number, statement: StepStatement) => void,
): Promise<void> {
  if (numbers.size === 0) return;
  const never = () => false;
  await scanStep(source.read(), { simple: never, complex: never, numbers }, (number, body) =>
    take(number, parseStatement(number, body)),
  );
}

const prefixes: Readonly<Record<string, string>> = {
  KILO: 'k',
  HECTO: 'h',
  DECA: 'da',
  DECI: 'd',
  CENTI: 'c',
  MILLI: 'm',
  MICRO: 'µ',
};
const names: Readonly<Record<string, string>> = {
  METRE: 'm',
  GRAM: 'g',
  SECOND: 's',
  SQUARE_METRE: 'm²',
  CUBIC_METRE: 'm³',
};

/** The sign of a unit of the SI, or the name of one that is converted to it; null for any other. */
function unitOf(statement: StepStatement): string | null {
  const [converted] = statement.get('CONVERSION_BASED_UNIT') ?? [];
  if (typeof converted === 'string' && converted.trim() !== '') return converted.trim().toLowerCase();
  const words = (statement.get('SI_UNIT') ?? []).flatMap((value) => word(value) ?? []);
  const name = names[words.at(-1) ?? ''];
  if (name === undefined) return null;
  if (words.length < 2) return name;
  const prefix = prefixes[words.at(-2) ?? ''];
  return prefix === undefined ? null : `${prefix}${name}`;
}

export function refOf(value: StepValue | undefined): number | null {
  return value !== null && typeof value === 'object' && 'ref' in value ? value.ref : null;
}

export function word(value: StepValue | undefined): string | null {
  return value !== null && typeof value === 'object' && 'word' in value
    ? value.word.replaceAll('.', '')
    : null;
}

function isTyped(value: StepValue): value is { name: string; values: StepValue[] } {
  return value !== null && typeof value === 'object' && 'name' in value;
}
