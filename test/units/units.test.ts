// Units are known by UCUM codes and by common names, and their factors are exact.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { unitRows } from '../../clients/readers/definition/title-unit.ts';
import { equals, product, quotient, rational, rationalOfDecimal } from '../../src/units/rational.ts';
import { factorBetween, findUnit, type Unit } from '../../src/units/unit.ts';

const unit = (text: string): Unit => {
  const found = findUnit(text);
  if (found === null) throw new Error(`${text} is no unit`);
  return found;
};
const factor = (from: string, to: string) => {
  const found = factorBetween(unit(from), unit(to));
  return found === null ? null : `${found.numerator}/${found.denominator}`;
};

test('factors within a dimension are exact fractions', () => {
  expect(factor('m', 'mm')).toBe('1000/1');
  expect(factor('mm', 'm')).toBe('1/1000');
  expect(factor('in', 'mm')).toBe('127/5');
  expect(factor('ft', 'in')).toBe('12/1');
  expect(factor('lb', 'g')).toBe('45359237/100000');
  expect(factor('lb', 'oz')).toBe('16/1');
  expect(factor('L', 'cm3')).toBe('1000/1');
  expect(factor('m2', 'cm2')).toBe('10000/1');
  expect(factor('N.m', 'kg.m2/s2')).toBe('1/1');
  expect(factor('h', 's')).toBe('3600/1');
  expect(factor('kOhm', 'Ohm')).toBe('1000/1');
  expect(factor('uF', 'nF')).toBe('1000/1');
  expect(factor('dozen', 'pcs')).toBe('12/1');
});

test('a unit has the names that people write', () => {
  for (const [name, code] of [
    ['µm', 'um'],
    ['m²', 'm2'],
    ['mm^2', 'mm2'],
    ['kΩ', 'kOhm'],
    ['KG', 'kg'],
    ['inch', 'in'],
    ['Stück', 'pcs'],
    ['EA', 'each'],
    [' mm ', 'mm'],
    ['metres', 'm'],
    ['pc', 'piece'],
  ] as const)
    expect(factor(name, code), name).toBe('1/1');
});

test('units of different dimensions, mere numbers and scales with a zero of their own have no factor', () => {
  expect(factor('m', 'kg')).toBeNull();
  expect(factor('m', 'pcs')).toBeNull();
  expect(factor('mol', 'pcs')).toBeNull();
  expect(factor('deg', 'rad')).toBeNull();
  for (const text of [
    '',
    'reel',
    'box',
    '°C',
    'Cel',
    '%',
    '10*3',
    '12',
    'm..m',
    'kg/',
    '[pH]',
    'm99',
    '{box}',
    'constructor',
  ])
    expect(findUnit(text), text).toBeNull();
  expect(findUnit('m'.repeat(33))).toBeNull();
});

test('a factor there and back is 1, and factors over a third unit are the same', () => {
  const names = ['nm', 'mm', 'cm', 'm', 'km', 'in', 'ft', 'yd', 'mil'] as const;
  const some = fc.constantFrom(...names).map(unit);
  fc.assert(
    fc.property(some, some, some, (a, b, c) => {
      const there = factorBetween(a, b);
      const back = factorBetween(b, a);
      const over = factorBetween(a, c);
      const rest = factorBetween(c, b);
      if (there === null || back === null || over === null || rest === null) throw new Error('One dimension');
      expect(equals(product(there, back), rational(1n))).toBe(true);
      expect(equals(product(over, rest), there)).toBe(true);
    }),
  );
});

test('decimals are read exactly', () => {
  expect(rationalOfDecimal('0.1')).toEqual(rational(1n, 10n));
  expect(rationalOfDecimal('-12.50')).toEqual(rational(-25n, 2n));
  expect(rationalOfDecimal('6.02214076e23')).toEqual(rational(602214076n * 10n ** 15n));
  expect(rationalOfDecimal('1e-24')).toEqual(rational(1n, 10n ** 24n));
  for (const text of ['', 'abc', '1,5', '0x10', 'undefined'])
    expect(rationalOfDecimal(text), text).toBeNull();
  expect(quotient(rational(2n), rational(-4n))).toEqual({ numerator: -1n, denominator: 2n });
  expect(() => rational(1n, 0n)).toThrow('denominator of 0');
});

test('factors are those of the table of the library, digit by digit', async () => {
  const address = new URL('units.js', import.meta.resolve('@atomic-ehr/ucum')).href;
  const table = (await import(address)) as {
    units: Record<
      string,
      { value: { Unit: string; value: string }; isBaseUnit?: boolean; isSpecial?: boolean }
    >;
  };
  let compared = 0;
  for (const [code, { value, isBaseUnit, isSpecial }] of Object.entries(table.units)) {
    const [whole, part] = [findUnit(code), findUnit(value.Unit)];
    const count = rationalOfDecimal(value.value);
    if (isBaseUnit || isSpecial || whole?.code !== code || part?.code !== value.Unit || count === null)
      continue;
    const found = factorBetween(whole, part);
    expect(found, code).toEqual(count);
    compared += 1;
  }
  expect(compared).toBeGreaterThan(100);
});

test('units in titles of columns are those of the service: a row is one dimension, and no two rows are', () => {
  const dimensions = unitRows.map((row) => [...new Set(row.split(' ').map((name) => unit(name).dimension))]);
  expect(dimensions.map((of, at) => (of.length === 1 ? 1 : unitRows[at]))).toEqual(unitRows.map(() => 1));
  expect(new Set(dimensions.flat()).size).toBe(unitRows.length);
});
