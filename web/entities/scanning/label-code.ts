/**
 * Reads the data of labels of suppliers: GS1 element strings (GS1 General Specifications) and ECIA labels (ISO/IEC 15434 with the data
 * identifiers of ANSI MH10.8.2). A code that is not clear is refused, because a wrong lot or quantity is worse than none.
 */

export interface LabelCode {
  /** What may be the number of the item, the most specific first. */
  numbers: string[];
  lot: string | null;
  serial: string | null;
  quantity: number | null;
  /** The day after which it may not be used, as `2027-05-31`. */
  expiresOn: string | null;
  /** What else the label says, by its identifier; nothing is made of it. */
  others: [identifier: string, value: string][];
}

/** A code that is meant as a label, and cannot be read. */
export interface LabelFault {
  fault: string;
}

/** Separators, as symbols: scanners that type often write them so, or as names, and a camera gives the control characters. */
const GS = '␝';
const RS = '␞';
const EOT = '␄';
const written: [RegExp | string, string][] = [
  ['\u001d', GS],
  ['\u001e', RS],
  ['\u0004', EOT],
  [/<GS>|\{GS\}|\^\]/gi, GS],
  [/<RS>|\{RS\}|\^\^/gi, RS],
  [/<EOT>|\{EOT\}/gi, EOT],
];
const symbology = /^\](?:C1|d2|e0|Q3|J1)/;
const envelope = /^>?\[\)>\s*␞?(0[56])␝?/;

/** Returns null for a text that is no such label, such as a plain number. */
export function readLabelCode(scanned: string): LabelCode | LabelFault | null {
  const text = written.reduce((now, [from, to]) => now.replaceAll(from, to), scanned.trim());
  const [head, format] = envelope.exec(text) ?? [];
  if (head !== undefined) {
    const body = text.slice(head.length).split(/[␞␄]/)[0] ?? '';
    if (format === '05') return readGs1(body);
    return body.includes(GS) || text.slice(0, head.length).endsWith(GS)
      ? readEcia(body)
      : { fault: 'The scanner leaves out the separators of the label. Set it to send group separators.' };
  }
  if (symbology.test(text)) return readGs1(text.replace(symbology, ''));
  if (/^\(\d{2,4}\)/.test(text)) return readBracketed(text);
  // A label begins with the number of the trade item; its check digit tells it from a part number.
  const isTradeItem = /^␝?01\d{14}/.test(text) && isGtin(text.replace(GS, '').slice(2, 16));
  return isTradeItem ? readGs1(text) : null;
}

/** Digits of an application identifier, by its first two. */
function digitsOf(prefix: string): number | null {
  if (/^(0[0-4]|1\d|2[0-2]|30|37|9\d)$/.test(prefix)) return 2;
  if (/^(2[345]|4[0-2]|71)$/.test(prefix)) return 3;
  if (/^(3[1-69]|43|70|72|8[0-2])$/.test(prefix)) return 4;
  return null;
}

/** Digits of the values that have no separator behind them, by the first two digits of their identifier. */
function fixedLengthOf(prefix: string): number | null {
  if (prefix === '00') return 18;
  if (/^0[123]$/.test(prefix)) return 14;
  if (prefix === '04') return 16;
  if (/^1[1-9]$|^3[1-6]$/.test(prefix)) return 6;
  if (prefix === '20') return 2;
  return prefix === '41' ? 13 : null;
}

function readGs1(text: string): LabelCode | LabelFault {
  const elements: [string, string][] = [];
  for (let rest = text.replace(/^␝/, ''); rest !== ''; ) {
    const prefix = rest.slice(0, 2);
    const digits = digitsOf(prefix);
    const identifier = rest.slice(0, digits ?? 0);
    if (digits === null || !/^\d+$/.test(identifier) || identifier.length < digits)
      return { fault: `The label has an identifier that is not known: ${shown(rest)}.` };
    const fixed = fixedLengthOf(prefix);
    const end = rest.indexOf(GS, digits);
    const value =
      fixed === null ? rest.slice(digits, end === -1 ? undefined : end) : rest.slice(digits, digits + fixed);
    if (
      value === '' ||
      value.includes(GS) ||
      (fixed !== null && (value.length < fixed || !/^\d+$/.test(value)))
    )
      return { fault: `The value of (${identifier}) is not complete.` };
    elements.push([identifier, value]);
    rest = rest.slice(digits + value.length).replace(/^␝/, '');
  }
  return codeOfGs1(elements);
}

function readBracketed(text: string): LabelCode | LabelFault {
  const elements = [...text.matchAll(/\((\d{2,4})\)([^(]+)/g)].map(
    ([, identifier = '', value = '']): [string, string] => [identifier, value.trim()],
  );
  const length = elements.reduce((sum, [identifier, value]) => sum + identifier.length + value.length + 2, 0);
  if (length !== text.replaceAll(/\s+(?=\()/g, '').length) return { fault: 'The label cannot be read.' };
  return codeOfGs1(elements);
}

function codeOfGs1(elements: readonly [string, string][]): LabelCode | LabelFault {
  return codeOf(elements, (code, identifier, value) => {
    switch (identifier) {
      case '01':
      case '02':
        if (!isGtin(value)) return `The check digit of ${value} is wrong.`;
        code.numbers.push(value, value.replace(/^0+/, ''));
        return null;
      case '240':
      case '241':
        code.numbers.unshift(value);
        return null;
      case '10':
        return set(code, 'lot', textOf(value, 20));
      case '21':
        return set(code, 'serial', textOf(value, 20));
      case '17':
        return set(code, 'expiresOn', dayOf(value));
      case '30':
      case '37':
        return set(code, 'quantity', /^\d{1,8}$/.test(value) ? Number(value) : null);
      default:
        code.others.push([identifier, value]);
        return null;
    }
  });
}

function readEcia(text: string): LabelCode | LabelFault {
  const elements: [string, string][] = [];
  for (const field of text.split(GS).filter((one) => one !== '')) {
    const [, identifier, value] = /^(\d{0,3}[A-Z])(.*)$/s.exec(field) ?? [];
    if (identifier === undefined || value === undefined)
      return { fault: `The label has a field without an identifier: ${shown(field)}.` };
    if (value !== '') elements.push([identifier, value]);
  }
  if (elements.length === 0) return { fault: 'The label is empty.' };
  const has = (identifier: string) => elements.some(([one]) => one === identifier);
  return codeOf(elements, (code, identifier, value) => {
    switch (identifier) {
      case 'P':
        code.numbers.unshift(value);
        return null;
      case '1P':
        code.numbers.push(value);
        return null;
      case 'T':
      case '1T':
        // The lot of the supplier goes before that of the customer.
        if (identifier === 'T' && has('1T')) code.others.push([identifier, value]);
        else return set(code, 'lot', textOf(value, 100));
        return null;
      case 'S':
        return set(code, 'serial', textOf(value, 100));
      case 'Q':
        return set(code, 'quantity', /^\d{1,9}(\.\d{1,6})?$/.test(value) ? Number(value) : null);
      case '14D':
        return set(code, 'expiresOn', calendarDay(value.slice(0, 4), value.slice(4, 6), value.slice(6)));
      default:
        code.others.push([identifier, value]);
        return null;
    }
  });
}

type Take = (code: LabelCode, identifier: string, value: string) => string | null;

function codeOf(elements: readonly [string, string][], take: Take): LabelCode | LabelFault {
  const code: LabelCode = {
    numbers: [],
    lot: null,
    serial: null,
    quantity: null,
    expiresOn: null,
    others: [],
  };
  for (const [identifier, value] of elements) {
    const fault = take(code, identifier, value);
    if (fault !== null) return { fault };
  }
  return { ...code, numbers: [...new Set(code.numbers)] };
}

const names = { lot: 'lot', serial: 'serial number', quantity: 'quantity', expiresOn: 'expiry date' };

/** Sets a field once. Returns the fault, or null. */
function set<Field extends keyof typeof names>(
  code: LabelCode,
  field: Field,
  value: LabelCode[Field],
): string | null {
  if (value === null) return `The ${names[field]} on the label cannot be read.`;
  if (code[field] !== null && code[field] !== value)
    return `The label has two values for the ${names[field]}.`;
  code[field] = value;
  return null;
}

function textOf(value: string, most: number): string | null {
  return value.length <= most && !/\p{Cc}/u.test(value) ? value : null;
}

/** A day of a GS1 label, YYMMDD: day 00 is the last of the month, and the century is the nearest. */
function dayOf(value: string): string | null {
  const [yy, month, day] = [value.slice(0, 2), value.slice(2, 4), value.slice(4)];
  const now = new Date().getUTCFullYear();
  let year = Math.floor(now / 100) * 100 + Number(yy);
  if (year - now > 50) year -= 100;
  else if (now - year > 49) year += 100;
  if (day !== '00') return calendarDay(String(year), month, day);
  const last = new Date(Date.UTC(year, Number(month), 0)).getUTCDate();
  return calendarDay(String(year), month, String(last));
}

function calendarDay(year: string, month: string, day: string): string | null {
  const text = `${year}-${month}-${day}`;
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return null;
  const time = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text) ? text : null;
}

/** Whether the last of the digits is their check digit. */
function isGtin(digits: string): boolean {
  if (!/^\d{14}$/.test(digits)) return false;
  const sum = [...digits].reduce(
    (total, digit, index) => total + Number(digit) * (index % 2 === 0 ? 3 : 1),
    0,
  );
  return sum % 10 === 0;
}

function shown(text: string): string {
  return text.length > 30 ? `${text.slice(0, 30)}…` : text;
}
