/** Values of cells as the service takes them: texts. A value that cannot be read is null, and never something else. */
import { type DecimalRule, readDecimal } from '../read-decimal.ts';
import type { Cell } from '../xlsx/read-workbook.ts';
import { cellText } from './header.ts';

export type DateOrder = 'ymd' | 'dmy' | 'mdy';

const yes = new Set(
  'true,yes,y,ja,j,x,1,oui,sí,si,sì,sim,wahr,on,vrai,verdadero,vero,verdadeiro,waar,tak,prawda,да,是,是的,有,はい,✓,✔'.split(
    ',',
  ),
);
const no = new Set(
  'false,no,n,nein,0,non,falsch,off,faux,falso,não,nao,nee,onwaar,nie,fałsz,нет,否,不,无,いいえ,無,-,--,~'.split(
    ',',
  ),
);

/** Whether a text says no, or nothing. */
export function saysNo(text: string): boolean {
  return text.trim() === '' || no.has(text.trim().toLowerCase()) || /^0[.,]0+$/.test(text.trim());
}

export function readBoolean(cell: Cell): string | null {
  const text = cellText(cell).trim().toLowerCase();
  return yes.has(text) ? 'true' : no.has(text) ? 'false' : null;
}

/** A number with its unit: of a numeric cell its value, however it is shown. */
export function readNumber(cell: Cell, sign: DecimalRule): { value: number; unit: string } | null {
  if (typeof cell !== 'string' && 'value' in cell) return { value: cell.value, unit: '' };
  return readDecimal(cellText(cell), sign);
}

/** `2026-06-07`, `7.6.2026.`, `6/7/2026`, `07-06-26`; the order is what the definition says, unless the year stands first. */
export function readDate(cell: Cell, order: DateOrder): string | null {
  const parts = /^(\d{1,4})\s*[-./]\s*(\d{1,2})\s*[-./]\s*(\d{1,4})\.?(?:[T ].*)?$/.exec(
    cellText(cell).trim(),
  );
  if (parts === null) return null;
  const [, first = '', second = '', third = ''] = parts;
  const [year, month, day] =
    first.length === 4
      ? [first, second, third]
      : order === 'mdy'
        ? [third, first, second]
        : order === 'dmy'
          ? [third, second, first]
          : ['', '', ''];
  if (!/^(?:\d{4}|\d{2})$/.test(year)) return null;
  const full = year.length === 2 ? `20${year}` : year;
  const text = `${full}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  const date = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text) ? text : null;
}

/** A number as text, without an exponent. */
export function plainNumber(value: number): string {
  const text = String(Number(value.toPrecision(15)));
  return text.includes('e') ? value.toFixed(20).replace(/\.?0+$/, '') : text;
}
