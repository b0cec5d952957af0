// Labels of suppliers: GS1 and ECIA codes, as scanners send them. What is not clear is refused.
import { describe, expect, test } from 'vitest';
import { type LabelCode, readLabelCode } from '../../web/entities/scanning/label-code.ts';

const GS = '\u001d';
const RS = '\u001e';
const EOT = '\u0004';
const label = (given: Partial<LabelCode>): LabelCode => ({
  numbers: [],
  lot: null,
  serial: null,
  quantity: null,
  expiresOn: null,
  others: [],
  ...given,
});
const faultOf = (text: string) => {
  const code = readLabelCode(text);
  return code !== null && 'fault' in code ? code.fault : code;
};
const gtin = '08806388269617';
const numbers = [gtin, '8806388269617'];

describe('a GS1 label', () => {
  const said = label({
    numbers: ['ARO4808C', ...numbers],
    lot: '10230214A3263-01',
    serial: '059',
    expiresOn: '2028-02-13',
    others: [['11', '230214']],
  });
  test.each([
    [
      'with the symbology and a separator',
      `]d201${gtin}1123021417280213` +
        `10230214A3263-01`.replace(/^10/, '1010') +
        `${GS}21059${GS}240ARO4808C`,
    ],
    [
      'with a separator that a scanner writes',
      `01${gtin}11230214172802131010230214A3263-01<GS>21059␝240ARO4808C`,
    ],
    [
      'with separators behind fixed lengths too',
      `]Q301${gtin}${GS}11230214${GS}17280213${GS}1010230214A3263-01${GS}21059${GS}240ARO4808C${GS}`,
    ],
    ['as people write it', `(01)${gtin} (11)230214 (17)280213 (10)10230214A3263-01 (21)059 (240)ARO4808C`],
    [
      'in an envelope',
      `[)>${RS}05${GS}01${gtin}11230214172802131010230214A3263-01${GS}21059${GS}240ARO4808C${RS}${EOT}`,
    ],
  ])('is read %s', (_, text) => {
    expect(readLabelCode(text)).toEqual(said);
  });

  test.each([
    [`01${gtin}10L-1${GS}30250`, { lot: 'L-1', quantity: 250 }],
    [`02${gtin}3740${GS}10L-1`.replace(/^/, ']C1'), { lot: 'L-1', quantity: 40 }],
    [`01${gtin}17240200`, { expiresOn: '2024-02-29' }],
    [`01${gtin}3103001750`, { others: [['3103', '001750']] as [string, string][] }],
    [`01${gtin}`, {}],
  ])('gives the values of %s', (text, values) => {
    expect(readLabelCode(text)).toEqual(label({ numbers, ...values }));
  });

  test.each([
    [`]d2${gtin}`, 'identifier that is not known'],
    [`01${gtin}68ABC`, 'identifier that is not known: 68ABC'],
    [`01${gtin}17241`, '(17) is not complete'],
    [`01${gtin}17241331`, 'expiry date on the label cannot be read'],
    [`01${gtin}10A${GS}10B`, 'two values for the lot'],
    [`01${gtin}30ABC`, 'quantity on the label cannot be read'],
    [`01${gtin}10${'A'.repeat(21)}`, 'lot on the label cannot be read'],
    ['(01)08806388269618', 'check digit'],
    [`]d201${gtin}10${GS}21A`, '(10) is not complete'],
  ])('is refused: %s', (text, fault) => {
    expect(faultOf(text)).toContain(fault);
  });
});

describe('an ECIA label', () => {
  const fields = [
    'P47-100',
    '1PERJ-2GEF1001X',
    '1T4711-B',
    'Q5000',
    '9D2345',
    '11K1',
    '4LJP',
    'KPO-7',
    '10D2345',
  ];
  const said = label({
    numbers: ['47-100', 'ERJ-2GEF1001X'],
    lot: '4711-B',
    quantity: 5000,
    others: [
      ['9D', '2345'],
      ['11K', '1'],
      ['4L', 'JP'],
      ['K', 'PO-7'],
      ['10D', '2345'],
    ],
  });
  test.each([
    ['with its envelope', `[)>${RS}06${GS}${fields.join(GS)}${RS}${EOT}`],
    ['without the end', `[)>${RS}06${GS}${fields.join(GS)}`],
    [
      'in the form of some distributors',
      `>[)>06${GS}${fields.join(GS)}${GS}${EOT}`.replace(`${GS}${EOT}`, RS + EOT),
    ],
    ['as a scanner types it', `[)>{RS}06{GS}${fields.join('{GS}')}{RS}{EOT}`],
  ])('is read %s', (_, text) => {
    expect(readLabelCode(text)).toEqual(said);
  });

  test('has serial numbers and days of expiry, and prefers the lot of the supplier', () => {
    const text = `[)>${RS}06${GS}1PX${GS}TOURS${GS}1TTHEIRS${GS}SSN-1${GS}14D20270531${GS}Q${RS}`;
    expect(readLabelCode(text)).toEqual(
      label({
        numbers: ['X'],
        lot: 'THEIRS',
        serial: 'SN-1',
        expiresOn: '2027-05-31',
        others: [['T', 'OURS']],
      }),
    );
  });

  test.each([
    ['[)>06P47-1001PERJQ5000', 'leaves out the separators'],
    [`[)>${RS}06${GS}P1${GS}Q5${GS}Q6`, 'two values for the quantity'],
    [`[)>${RS}06${GS}P1${GS}Q5 pcs`, 'quantity on the label cannot be read'],
    [`[)>${RS}06${GS}P1${GS}14D20271331`, 'expiry date on the label cannot be read'],
    [`[)>${RS}06${GS}P1${GS}500`, 'a field without an identifier: 500'],
    [`[)>${RS}06${GS}`, 'empty'],
  ])('is refused: %s', (text, fault) => {
    expect(faultOf(text)).toContain(fault);
  });
});

test.each(['PRT-014', '01234', '0112345678901232', 'https://example.com/01', '', 'Q5000', '(A)12'])(
  '%j is no label',
  (text) => {
    expect(readLabelCode(text)).toBeNull();
  },
);
