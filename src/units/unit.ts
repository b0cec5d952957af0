/**
 * Units of measure: UCUM codes and common names, with exact factors within a dimension. The library knows the grammar and the table of
 * UCUM. It computes with doubles, so the decimals of the table are recovered from these and multiplied here.
 */
import { parseUnit, ucum } from '@atomic-ehr/ucum';
import { codesByName, countedNames, plainSymbols } from './common-names.ts';
import { ONE, power, product, quotient, type Rational, rational, rationalOfDecimal } from './rational.ts';

export interface Unit {
  /** A UCUM code; `{piece}` for a countable thing. */
  readonly code: string;
  /** Units of the same dimension can be converted, such as `m` or `g.m-3`. */
  readonly dimension: string;
  /** How many of the base units of its dimension one is. */
  readonly factor: Rational;
}

export const PIECE: Unit = { code: '{piece}', dimension: '{piece}', factor: ONE };

export const UNIT_CHARS_MAX = 32;

const KNOWN_MAX = 2000;
const known = new Map<string, Unit | null>();

/** Returns the unit that a text names; null where it is none, or has no exact factor, such as °C. */
export function findUnit(text: string): Unit | null {
  const name = text.trim();
  if (name === '' || name.length > UNIT_CHARS_MAX) return null;
  const before = known.get(name);
  if (before !== undefined) return before;
  const found = countedUnit(name) ?? measuredUnit(name);
  if (known.size >= KNOWN_MAX) known.clear();
  known.set(name, found);
  return found;
}

/** Returns how many of `to` one of `from` is; null where they are not of one dimension. */
export function factorBetween(from: Unit, to: Unit): Rational | null {
  return from.dimension === to.dimension ? quotient(from.factor, to.factor) : null;
}

function countedUnit(name: string): Unit | null {
  const key = name.toLowerCase();
  const pieces = Object.hasOwn(countedNames, key) ? countedNames[key] : undefined;
  const isPiece = key === PIECE.code || pieces === 1;
  if (isPiece) return PIECE;
  return pieces === undefined ? null : { ...PIECE, code: `{${key}}`, factor: rational(BigInt(pieces)) };
}

function measuredUnit(name: string): Unit | null {
  const code = Object.hasOwn(codesByName, name) ? (codesByName[name] as string) : plainSymbols(name);
  const parsed = parse(code);
  const size = parsed === null ? null : sizeOf(parsed, 0);
  if (size === null) return null;
  const dimension = dimensionOf(size.exponents);
  // A mere number, such as 10*3 or %, measures nothing.
  return dimension === '' ? null : { code, dimension, factor: size.factor };
}

/** A size in base units: how many, of which, to which power. */
interface Size {
  factor: Rational;
  exponents: Readonly<Record<string, number>>;
}

/** Bounds the numbers that a text can make. */
const EXPONENT_MAX = 12;
const DEPTH_MAX = 30;

/** Units that stand for themselves although the table resolves them: a mole is no mere number, and pi has no exact value. */
const ownDimensions: ReadonlySet<string> = new Set(['mol', '[pi]']);

/** The tree that the library parses a code into. Its own declarations leave this out. */
type Expression =
  | { type: 'factor'; value: number }
  | { type: 'group'; expression: Expression }
  | { type: 'unary'; operand: Expression }
  | { type: 'binary'; operator: '.' | '/'; left: Expression; right: Expression }
  | { type: 'unit'; atom: string; prefix?: string; exponent?: number };

function parse(code: string): Expression | null {
  // The library reads an annotation as the number 1.
  if (/[{}\s]/.test(code)) return null;
  try {
    const { ast, errors } = parseUnit(code) as { ast?: Expression; errors: readonly unknown[] };
    return errors.length > 0 || ast === undefined ? null : ast;
  } catch {
    return null;
  }
}

function sizeOf(expression: Expression, depth: number): Size | null {
  if (depth > DEPTH_MAX) return null;
  switch (expression.type) {
    case 'factor':
      return Number.isSafeInteger(expression.value) && expression.value > 0
        ? { factor: rational(BigInt(expression.value)), exponents: {} }
        : null;
    case 'group':
      return sizeOf(expression.expression, depth + 1);
    case 'unary':
      return divided({ factor: ONE, exponents: {} }, sizeOf(expression.operand, depth + 1));
    case 'binary': {
      const [left, right] = [sizeOf(expression.left, depth + 1), sizeOf(expression.right, depth + 1)];
      if (left === null || right === null) return null;
      return expression.operator === '/' ? divided(left, right) : multiplied(left, right, 1);
    }
    case 'unit': {
      const { atom, prefix, exponent = 1 } = expression;
      if (!Number.isInteger(exponent) || Math.abs(exponent) > EXPONENT_MAX) return null;
      const own = sizeOfAtom(atom, depth);
      const multiple = prefix === undefined ? ONE : prefixOf(atom, prefix);
      if (own === null || multiple === null) return null;
      return multiplied(
        { factor: ONE, exponents: {} },
        { factor: product(multiple, own.factor), exponents: own.exponents },
        exponent,
      );
    }
  }
}

function sizeOfAtom(atom: string, depth: number): Size | null {
  const entry = entryOf(atom);
  if (entry === null || entry.isSpecial || entry.isArbitrary) return null;
  if (entry.isBase || ownDimensions.has(atom)) return { factor: ONE, exponents: { [atom]: 1 } };
  const { definition = '1', canonical } = entry;
  const parsed = definition === '1' ? null : parse(definition);
  const size = parsed === null ? { factor: ONE, exponents: {} } : sizeOf(parsed, depth + 1);
  const of = parsed === null ? 1 : (entryOf(definition)?.canonical.magnitude ?? 0);
  const count = decimalNear(canonical.magnitude / of);
  return size === null || count === null
    ? null
    : { factor: product(count, size.factor), exponents: size.exponents };
}

function entryOf(code: string) {
  try {
    return ucum.info(code);
  } catch {
    return null;
  }
}

/** No number in the table has more digits, and a quotient of doubles is right to more. */
const TABLE_DIGITS = 14;

/** Returns the decimal of the table of which a double is the result of a few multiplications. */
function decimalNear(double: number): Rational | null {
  return Number.isFinite(double) && double > 0 ? rationalOfDecimal(double.toPrecision(TABLE_DIGITS)) : null;
}

/** Returns null for a unit that takes no prefix. */
function prefixOf(atom: string, prefix: string): Rational | null {
  const [whole, part] = [entryOf(prefix + atom), entryOf(atom)];
  if (whole === null || part?.isMetric !== true) return null;
  return decimalNear(whole.canonical.magnitude / part.canonical.magnitude);
}

function divided(left: Size, right: Size | null): Size | null {
  return right === null ? null : multiplied(left, right, -1);
}

/** `left` times `right` to the power of `exponent`. */
function multiplied(left: Size, right: Size, exponent: number): Size {
  const exponents: Record<string, number> = { ...left.exponents };
  for (const [base, raised] of Object.entries(right.exponents))
    exponents[base] = (exponents[base] ?? 0) + raised * exponent;
  return { factor: product(left.factor, power(right.factor, exponent)), exponents };
}

function dimensionOf(exponents: Readonly<Record<string, number>>): string {
  return Object.entries(exponents)
    .filter(([, exponent]) => exponent !== 0)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([base, exponent]) => (exponent === 1 ? base : `${base}${exponent}`))
    .join('.');
}

/** Units that lists propose: the usual ones of workshops. */
const usual = [
  ...['nm', 'um', 'mm', 'cm', 'dm', 'm', 'km', 'in', 'ft', 'yd', 'mil'],
  ...['mm2', 'cm2', 'm2', 'mL', 'L', 'cm3', 'm3', 'gal'],
  ...['mg', 'g', 'kg', 't', 'oz', 'lb', 's', 'min', 'h', 'd'],
  ...['piece', 'pair', 'dozen', 'gross'],
] as const;

/** Returns the usual units of the dimension of a unit, the smallest first. */
export function commonUnitsLike(unit: Unit): string[] {
  return usual.filter((name) => findUnit(name)?.dimension === unit.dimension);
}
