// One line of CSV: numbers stay numbers, and nothing that somebody typed becomes a formula of whoever opens it.
import { expect, test } from 'vitest';
import { csvLine } from '../../src/http/csv-line.ts';

test.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1', '\n=1', '＝1', '＋1', '－1', '＠A1'])(
  'a text that begins like %j is kept from being a formula',
  (text) => {
    expect(csvLine([text]).replaceAll('"', '')).toBe(`'${text}\r\n`);
  },
);

test('numbers are numbers, also below zero, and a text with a line end or a quote is quoted', () => {
  expect(csvLine([-2.5, true, null, 'a, "b"\nc', 'plain'])).toBe('-2.5,true,,"a, ""b""\nc",plain\r\n');
});
