// What people type and read: quantities to the last place, scans, addresses.
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import type { OrderWithLines, StockLine } from '../../web/client/operations.ts';
import { addressOf } from '../../web/client/request.ts';
import { slugOf } from '../../web/client/workspace.ts';
import { CommentText } from '../../web/collaboration/comment-text.tsx';
import {
  fromMillionths,
  multiplyExactly,
  quantityFault,
  readQuantity,
  toMillionths,
  typedQuantity,
} from '../../web/components/forms/exact-quantity.ts';
import { isBlock, readCellDay, readCells } from '../../web/components/forms/pasted-cells.ts';
import { quantityText } from '../../web/components/words.tsx';
import { readScan } from '../../web/entities/scanning/read-scan.ts';
import { paths, within } from '../../web/navigation/paths.ts';
import { sumsOf } from '../../web/procurement/orders/order-sums.ts';

describe('a quantity', () => {
  test.each([
    ['12', 12],
    [' 0.000001 ', 0.000001],
    ['-3,5', -3.5],
    ['−2', -2],
    ['+7', 7],
    ['.5', 0.5],
    ['2,5', 2.5],
    ['1,0000', 1],
    ['0,125', 0.125],
    ['-.125', -0.125],
    ['1234.500', 1234.5],
    ['12,3456', 12.3456],
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

  test.each([
    ['1,000', '1000 or 1'],
    ['2,499', '2499 or 2.4990'],
    ['2.499', '2499 or 2.4990'],
    [' 12.500 ', '12500 or 12.5'],
    ['−1,200', '-1200 or -1.2'],
    ['+999.001', '+999001 or 999.0010'],
  ])('is not taken from %j, which could be a thousand times it', (text, ways) => {
    expect(readQuantity(text)).toBeNull();
    expect(quantityFault(text)).toBe(`“${text.trim()}” can be read in two ways: write ${ways}.`);
  });

  test.each(['1 200', '1\u00a0200', '1,234.5', '1,000,000', 'twelve'])(
    'is not %j, and it is said why',
    (text) => {
      expect(quantityFault(text)).toBe(
        `“${text}” is no quantity: at most 9 digits, 6 decimal places, and nothing between thousands.`,
      );
    },
  );

  const printed = [
    2500, 1.125, -1.125, 12.5, 0.125, 999.999, 1234.5, 1234.567, 1_234_567, 0.000001, 999999999.999999,
  ];

  test.each(printed)('of %j that the app prints is never another one when it is typed back', (value) => {
    expect([null, value]).toContain(readQuantity(quantityText(value)));
  });

  test.each(printed)('of %j is filled into a field as it is read from there', (value) => {
    expect(readQuantity(typedQuantity(value))).toBe(value);
  });

  test('multiplies down a tree without the errors of floats', () => {
    const product = [0.1, 3, 0.7].reduce(
      (factor, quantity) => multiplyExactly(factor, toMillionths(quantity)),
      1_000_000n,
    );
    expect(fromMillionths(product)).toBe(0.21);
  });
});

describe('a pasted block', () => {
  test('is rows of cells, whatever ends a line and whatever a cell holds', () => {
    expect(readCells('A\t1\r\nB\t2\r\n')).toEqual([
      ['A', '1'],
      ['B', '2'],
    ]);
    expect(readCells('"a ""b""\tc\nd"\t 7 \rX\t')).toEqual([
      ['a "b"\tc\nd', '7'],
      ['X', ''],
    ]);
    expect(readCells('\t5\n\n\t6')).toEqual([
      ['', '5'],
      ['', '6'],
    ]);
    expect(readCells('1\n'.repeat(1001))).toHaveLength(1000);
    expect(['12', 'SCR-M3\n', 'a\tb', 'a\nb'].map(isBlock)).toEqual([false, false, true, true]);
  });

  test('has days', () => {
    expect(['2026-12-24', '24.12.2026', '2026-02-30', '12/24/2026', 'soon'].map(readCellDay)).toEqual([
      '2026-12-24',
      '2026-12-24',
      null,
      null,
      null,
    ]);
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

test('what an address says is to stand beside a list is a page of the same workspace, or nothing', () => {
  expect(within('/w/demo', '/entities/1?level=2#x')).toBe('/w/demo/entities/1?level=2#x');
  for (const kept of [
    '//evil.example',
    '/\\evil.example',
    '/x/../../other/entities',
    '/x/%2e%2e/%2E%2E/other/entities',
    'javascript:alert(1)',
    '/x/..\\..\\other/entities',
  ])
    expect(within('/w/demo', kept)).toBeNull();
});

describe('the lines of an order', () => {
  const line = (itemEntityId: string, quantity: number, receivedQty: number, state = 'Ordered') =>
    ({
      itemEntityId,
      quantity,
      receivedQty,
      shippedQty: 0,
      state,
      openQty: state === 'Ordered' ? quantity - receivedQty : 0,
    }) as StockLine;
  const sums = (...lines: StockLine[]) =>
    sumsOf({ type: 'purchaseOrder', totals: { lines: lines.length } as OrderWithLines['totals'], lines });

  test('are counted, and never added where they are of different items', () => {
    expect(
      sums(line('strap', 60, 60, 'Received'), line('cap', 1.5, 0), line('cap', 3, 0, 'Cancelled')),
    ).toEqual({
      complete: 1,
      cancelled: 1,
      ofOneItem: null,
    });
  });

  test('of one item are added exactly, what was ordered and what came of the same lines', () => {
    const both = sums(
      line('cap', 42, 41.9, 'Ordered'),
      line('cap', 0.3, 0.1),
      line('cap', 60, 30, 'Cancelled'),
    );
    expect(both?.ofOneItem).toEqual({ ordered: 42.3, done: 42, open: 0.3, doneOfCancelled: 30 });
  });

  test('are not summed up while some of them are not known', () => {
    const lines = [line('cap', 1, 0)];
    expect(
      sumsOf({ type: 'purchaseOrder', totals: { lines: 2 } as OrderWithLines['totals'], lines }),
    ).toBeNull();
  });
});

test.each(['..', '.', ''])(
  'an address refuses %j as a part of its path, which would lead elsewhere',
  (id) => {
    expect(() => addressOf('getEntity', { id }, 'acme')).toThrow(RangeError);
    expect(addressOf('getEntity', { id: 'a/../b' }, 'acme')).toBe('/api/wid/acme/entities/a%2F..%2Fb');
  },
);

describe('a comment', () => {
  const shown = (text: string) => renderToStaticMarkup(createElement(CommentText, { text }));
  beforeAll(() => {
    vi.stubGlobal('window', { location: { pathname: '/w/acme-2/entities/x' } });
    return () => vi.unstubAllGlobals();
  });

  test('that is nested deep is shown as it was written, because its parser would need seconds or overflow', () => {
    const links = '['.repeat(2000) + '](b)'.repeat(1900);
    for (const text of ['> 1. '.repeat(2000), '> '.repeat(5000), links, '**'.repeat(5000)])
      expect(shown(text).replaceAll('&gt;', '>')).toContain(`>${text}</p>`);
    const ordinary = `- a\n  - > **b**\n\nTitle\n${'='.repeat(80)}`;
    expect(shown(ordinary)).toMatch(/<blockquote>.*<strong>b/);
  });

  test('has no address and no element that runs anything', () => {
    const texts = [
      '[a](javascript:alert(1))',
      '[a](JaVaScRiPt:alert(1))',
      '[a](java\tscript:alert(1))',
      '[a](data:text/html,<script>alert(1)</script>)',
      '[a](vbscript:x)',
      '[a](//evil.example)',
      '[a](&#106;avascript:alert(1))',
      '![a](javascript:alert(1))',
      '<javascript:alert(1)>',
      '[a]\n\n[a]: javascript:alert(1)',
      '<a href="javascript:alert(1)" onclick="alert(1)">a</a>',
      '<img src=x onerror=alert(1)>',
      '[a](x "onmouseover=alert(1)")',
      '@[<img src=x onerror=alert(1)>]',
      '`<script>`',
    ];
    for (const text of texts)
      expect(shown(text)).not.toMatch(/<(?:script|img|iframe)|<[^>]*\s(?:href|on\w+)=/i);
  });
});
