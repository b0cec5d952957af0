/** `partbook stock units|settings`: the units of an item, and how the workspace keeps stock. */
import type { Command } from 'commander';
import { readDecimal } from '../../../readers/read-decimal.ts';
import type { ItemUnits, StockSettings } from '../../../typescript/generated/types.ts';
import { UsageError } from '../../exit-codes.ts';
import { plain, shown } from '../../output.ts';
import { weekdayOf, weekdays } from '../../plan-options.ts';
import { entityId, openSession } from '../../session.ts';

/** A quantity with its unit, such as `3`, `2.5` or `"3 reel"`. */
export function quantityOf(text: string): { quantity: number; unit?: string } {
  const amount = readDecimal(text, '.');
  const fraction = /(\d{1,6})\s*[/⁄]\s*(\d{1,6})/.exec(text);
  if (/[⅓⅔]/.test(text) || (fraction !== null && (Number(fraction[1]) * 1e6) % Number(fraction[2]) !== 0))
    throw new UsageError(`"${text}" has no exact value with six decimals: write it in a smaller unit.`);
  if (amount === null)
    throw new UsageError(
      `"${text}" is not a quantity: write a number with a decimal point, such as 2.5 or "3 reel".`,
    );
  const unit = amount.unit.trim();
  return { quantity: amount.value, ...(unit === '' ? {} : { unit }) };
}

interface UnitsFlags {
  base?: string;
  set?: string[];
  remove?: string[];
}

export function addUnits(stock: Command): void {
  const units = stock
    .command('units <item>')
    .description('show or set the units of an item: partbook stock units R-10K --base pcs --set reel=4000')
    .option('--base <unit>', 'the unit in which its stock is kept; it stays once the item has movements')
    .option('--set <unit=factor...>', 'another unit and how many base units one is: reel=4000, part=1/3')
    .option('--remove <unit...>', 'a unit that the item no longer has')
    .action(async (item: string, flags: UnitsFlags) => {
      const session = openSession(units);
      const itemEntityId = await entityId(session, item);
      const path = '/stock/units/{itemEntityId}';
      const before = await session.partbook(`GET ${path}`, { itemEntityId }, session);
      const isChange = [flags.base, flags.set, flags.remove].some((flag) => flag !== undefined);
      const found = isChange
        ? await session.partbook(`PUT ${path}`, { itemEntityId, body: changed(before, flags) }, session)
        : before;
      session.output.answer(found, () => unitsText(item, found));
    });
}

function changed(before: ItemUnits, { base, set = [], remove = [] }: UnitsFlags) {
  const stated = set.map(factorOf);
  const gone = new Set([...remove, ...stated.map(({ unit }) => unit)].map((unit) => unit.toLowerCase()));
  const kept = before.units.filter(({ unit }) => !gone.has(unit.toLowerCase()));
  return { baseUnit: base ?? before.baseUnit, units: [...kept, ...stated] };
}

function factorOf(text: string): ItemUnits['units'][number] {
  const found = /^([^=]+)=(\d+)(?:\/(\d+))?$/.exec(text);
  if (found === null)
    throw new UsageError(`"${text}" is no unit with a factor: write reel=4000 or part=1/3.`);
  const [, unit = '', numerator, denominator = '1'] = found;
  return { unit: unit.trim(), numerator: Number(numerator), denominator: Number(denominator) };
}

function unitsText(item: string, { baseUnit, units, measured }: ItemUnits): string {
  if (baseUnit === null) return `${shown(item)}: no base unit`;
  const others = units.map(({ unit, numerator, denominator }) => {
    const factor = denominator === 1 ? numerator : `${numerator}/${denominator}`;
    return `1 ${plain(unit)} = ${factor} ${plain(baseUnit)}`;
  });
  const known = measured.length === 0 ? [] : [`also known: ${measured.join(', ')}`];
  return [`${shown(item)}: kept in ${plain(baseUnit)}`, ...others, ...known].join('\n');
}

interface SettingsFlags {
  reserveReceived?: string;
  overDelivery?: string;
  reasons?: string[];
  closedUntil?: string;
  costing?: string;
  workdays?: string[];
  holiday?: string[];
}

export function addStockSettings(stock: Command): void {
  const settings = stock
    .command('settings')
    .description('show or change how the workspace keeps stock; changes need an admin key')
    .option('--reserve-received <yes|no>', 'whether what is received for a requirement is reserved for it')
    .option('--over-delivery <percent>', 'how much more than was ordered may be received')
    .option('--reasons <code...>', 'the reasons that adjustments may state; "any" for any')
    .option('--closed-until <day>', 'the last day for which nothing can be recorded; "none" to open all days')
    .option('--costing <method:currency>', 'how stock is valued, such as fifo:EUR or average:EUR')
    .option(
      '--workdays <day...>',
      'days of the week that are worked, such as mon tue wed; lead times count them',
    )
    .option('--holiday <date...>', 'days that are not worked, in place of those of before; "none" for none')
    .action(async (flags: SettingsFlags) => {
      const session = openSession(settings);
      const before = await session.partbook('GET /stock/settings', {}, session);
      const { reserveReceived, overDelivery, reasons, closedUntil, costing, workdays, holiday } = flags;
      const body = {
        ...before,
        ...(reserveReceived === undefined ? {} : { reserveReceived: yesOrNo(reserveReceived) }),
        ...(overDelivery === undefined ? {} : { overDeliveryPercent: quantityOf(overDelivery).quantity }),
        ...(reasons === undefined ? {} : { adjustmentReasons: reasons.includes('any') ? [] : reasons }),
        ...(closedUntil === undefined
          ? {}
          : { stockClosedUntil: closedUntil === 'none' ? null : closedUntil }),
        ...(costing === undefined ? {} : { costing: costingOf(costing) }),
        ...(workdays === undefined && holiday === undefined
          ? {}
          : { workingDays: workingDaysOf(before.workingDays, workdays, holiday) }),
      };
      const isChange = Object.values(flags).some((flag) => flag !== undefined);
      const found = isChange ? await session.partbook('PUT /stock/settings', { body }, session) : before;
      session.output.answer(found, () =>
        [
          `reserve what is received: ${found.reserveReceived ? 'yes' : 'no'}`,
          `over-delivery: ${found.overDeliveryPercent} %`,
          `reasons: ${found.adjustmentReasons.length === 0 ? 'any' : found.adjustmentReasons.map(plain).join(', ')}`,
          `closed until: ${found.stockClosedUntil ?? 'never closed'}`,
          `valued: ${found.costing === null ? 'no' : `${found.costing.method}, in ${found.costing.currency}`}`,
          ...workingDaysText(found),
        ].join('\n'),
      );
    });
}

function workingDaysOf(
  before: StockSettings['workingDays'],
  workdays: string[] | undefined,
  holidays: string[] | undefined,
): StockSettings['workingDays'] {
  return {
    weekdays: workdays?.map(weekdayOf) ?? before.weekdays,
    holidays: holidays?.filter((day) => day !== 'none') ?? before.holidays,
  };
}

/** A service of an earlier version does not know working days. */
function workingDaysText({ workingDays }: Partial<StockSettings>): string[] {
  if (workingDays === undefined) return [];
  const { weekdays: days, holidays } = workingDays;
  return [
    `working days: ${days.length === 7 ? 'every day' : days.map((day) => weekdays[day]).join(' ')}`,
    `holidays: ${holidays.length === 0 ? 'none' : holidays.join(', ')}`,
  ];
}

function costingOf(text: string): { method: 'fifo' | 'average'; currency: string } {
  const [method, currency = ''] = text.split(':');
  if ((method === 'fifo' || method === 'average') && /^[A-Z]{3}$/.test(currency)) return { method, currency };
  throw new UsageError(`"${text}" is no way to value stock: write fifo:EUR or average:EUR.`);
}

function yesOrNo(text: string): boolean {
  if (text === 'yes' || text === 'no') return text === 'yes';
  throw new UsageError(`"${text}" is neither yes nor no.`);
}
