// What people type and read: quantities to the last place, scans, addresses.
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { slugOf } from '../../web/client/workspace.ts';
import {
  fromMillionths,
  multiplyExactly,
  readQuantity,
  toMillionths,
} from '../../web/components/exact-quantity.ts';
import { readScan } from '../../web/entities/read-scan.ts';
import { paths } from '../../web/navigation/paths.ts';

describe('a quantity', () => {
  test.each([
    ['12', 12],
    [' 0.000001 ', 0.000001],
    ['-3,5', -3.5],
    ['−2', -2],
    ['+7', 7],
    ['.5', 0.5],
    ['999999999.999999', 999999999.999999],
  ])('is read from %j', (text, value) => {
    expect(readQuantity(text)).toBe(value);
  });

  test.each(['', '-', 'a', '1e3', '1.0000001', '1234567890', '1.', '1 000', 'Infinity'])(
    'is not %j',
    (text) => {
      expect(readQuantity(text)).toBeNull();
    },
  );

  test('multiplies down a tree without the errors of floats', () => {
    const product = [0.1, 3, 0.7].reduce(
      (factor, quantity) => multiplyExactly(factor, toMillionths(quantity)),
      1_000_000n,
    );
    expect(fromMillionths(product)).toBe(0.21);
  });
});

describe('a scan', () => {
  test('is the address on a label, a GUID, or a number', () => {
    const id = '01a20090-d2e8-7000-ae11-06a06fc1dff0';
    expect(readScan(`http://plant.example:3000/w/demo/entities/${id}?x=1`)).toEqual({ id });
    expect(readScan(`{${id.toUpperCase()}}`)).toEqual({ id: `guid:${id}` });
    expect(readScan(' PRT-014\n')).toEqual({ number: 'PRT-014' });
  });
});

describe('an address', () => {
  beforeAll(() => {
    vi.stubGlobal('window', { location: { pathname: '/w/acme-2/entities/x' } });
    return () => vi.unstubAllGlobals();
  });

  test('names the workspace', () => {
    expect(slugOf('/w/acme-2/entities')).toBe('acme-2');
    expect(['/', '/w/', '/w/UPPER', '/docs'].map(slugOf)).toEqual(['', '', '', '']);
  });

  test('is escaped, and leaves out what is not given', () => {
    expect(paths.overview()).toBe('/w/acme-2');
    expect(paths.entity('a/b?c')).toBe('/w/acme-2/entities/a%2Fb%3Fc');
    expect(paths.entities({ q: 'a&b', state: undefined })).toBe('/w/acme-2/entities?q=a%26b');
  });
});
