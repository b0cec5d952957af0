/**
 * How a number is shown, as far as it matters to whoever reads part numbers and dates out of cells: padding with zeros,
 * fixed decimals, dates. Whatever else a format says, the number is shown as it is.
 */

export type ShowNumber = (value: number) => string;

const builtinDates = new Set([14, 15, 16, 17, 18, 19, 20, 21, 22, 27, 30, 36, 45, 46, 47, 50, 57]);
const builtinCodes: Readonly<Record<number, string>> = { 1: '0', 2: '0.00', 3: '#,##0', 4: '#,##0.00' };
const DAY_MS = 86_400_000;

export function formatOf(id: number, code: string | undefined, isSince1904: boolean): ShowNumber {
  const format = code ?? builtinCodes[id] ?? 'General';
  if (builtinDates.has(id) || isDateCode(format)) return (value) => showDate(value, isSince1904);
  const [positive = ''] = format.split(';');
  const plain = positive.replaceAll(/"[^"]*"|\\.|\[[^\]]*\]|_.|\*./g, '');
  const fixed = /^0+(?:\.(0+))?$/.exec(plain);
  if (fixed === null) return showGeneral;
  const decimals = fixed[1]?.length ?? 0;
  const digits = plain.split('.')[0]?.length ?? 1;
  return (value) => {
    const [whole = '', fraction] = Math.abs(value).toFixed(decimals).split('.');
    const padded = whole.padStart(digits, '0') + (fraction === undefined ? '' : `.${fraction}`);
    return value < 0 ? `-${padded}` : padded;
  };
}

/** 15 significant digits, as a spreadsheet has them: 1.1000000000000001 is 1.1. */
export function showGeneral(value: number): string {
  return String(Number(value.toPrecision(15)));
}

/** Whether days, months or years stand in it, outside of quotes and brackets. */
function isDateCode(code: string): boolean {
  if (/^General$/i.test(code)) return false;
  return /[ymdhs]/i.test(code.replaceAll(/"[^"]*"|\\.|\[(?![hms]+\])[^\]]*\]|_.|\*./gi, ''));
}

/** `2026-11-20`, with the time where there is one. The calendar of 1900 has a 29th of February that never was. */
function showDate(serial: number, isSince1904: boolean): string {
  const days = isSince1904 ? serial + 1462 : serial < 60 ? serial + 1 : serial;
  const date = new Date(Math.round((days - 25_569) * DAY_MS));
  if (Number.isNaN(date.getTime())) return showGeneral(serial);
  const text = date.toISOString();
  return text.endsWith('T00:00:00.000Z') ? text.slice(0, 10) : text.slice(0, 19);
}
