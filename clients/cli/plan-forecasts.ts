/** `partbook plan forecasts`: what is expected to be sold of items, by hand and from CSV files. */
import { createReadStream } from 'node:fs';
import type { Command } from 'commander';
import { splitCsv, type TextRow } from '../readers/csv/split-csv.ts';
import type { Forecast, NewForecasts } from '../typescript/generated/types.ts';
import { listPages } from '../typescript/list-items.ts';
import { countOf } from './count-of.ts';
import { UsageError } from './exit-codes.ts';
import { shown } from './output.ts';
import { entityId, openSession, type Session } from './session.ts';
import { type LimitFlags, limited, listFirst } from './take-items.ts';

/** Forecasts that one call sets. */
const AT_ONCE = 500;
const columns = ['item', 'from', 'until', 'quantity'] as const;

type NewForecast = NewForecasts['forecasts'][number];

export function addForecasts(plan: Command): void {
  const forecasts = plan
    .command('forecasts')
    .description('list forecasts of items, or set, import and delete them')
    .option('--item <item>', 'only of this item (number, guid:… or id)');
  limited(forecasts, 200).action(async ({ item, ...flags }: LimitFlags & { item?: string }) => {
    const session = openSession(forecasts);
    const query = item === undefined ? {} : { item: await entityId(session, item, { role: 'item' }) };
    await listFirst<Forecast>(
      session.output,
      listPages(session.partbook, 'GET /planning/forecasts', { query }, { signal: session.signal }),
      flags,
      {
        item: ({ itemNumber, itemName }) => itemNumber ?? itemName,
        from: (one) => one.from,
        until: (one) => one.until,
        quantity: (one) => one.quantity,
      },
      'There are no forecasts. "partbook plan forecasts set" sets one.',
    );
  });
  const set = forecasts
    .command('set <item> <quantity> <from> <until>')
    .description('set what is expected to be sold of an item from one day until another')
    .action(async (item: string, quantity: string, from: string, until: string) => {
      const session = openSession(set);
      const made = await send(session, [await forecastOf(session, [item, from, until, quantity], '')]);
      session.output.answer(made, () => textOf(made));
    });
  const importing = forecasts
    .command('import <file>')
    .description('set forecasts from a CSV file with the columns item, from, until and quantity')
    .action(async (file: string) => {
      const session = openSession(importing);
      const wanted = await readFile(session, file);
      const items: Forecast[] = [];
      for (let from = 0; from < wanted.length; from += AT_ONCE)
        items.push(...(await send(session, wanted.slice(from, from + AT_ONCE))));
      session.output.answer(items, () => `${countOf(items.length, 'forecast')} set`);
    });
  const remove = forecasts
    .command('delete <item> <from>')
    .description('delete the forecast of an item that begins on this day')
    .action(async (item: string, from: string) => {
      const session = openSession(remove);
      const itemEntityId = await entityId(session, item, { role: 'item' });
      const key = { itemEntityId, from };
      await session.partbook('DELETE /planning/forecasts/{itemEntityId}/{from}', key, session);
      session.output.answer(key, () => `deleted: ${shown(item)} from ${from} on`);
    });
}

async function send(session: Session, forecasts: NewForecast[]): Promise<Forecast[]> {
  const { items } = await session.partbook('POST /planning/forecasts', { body: { forecasts } }, session);
  return items;
}

function textOf(forecasts: readonly Forecast[]): string {
  return forecasts
    .map(
      ({ itemNumber, itemName, quantity, from, until }) =>
        `${shown(itemNumber ?? itemName)}: ${quantity} from ${from} until ${until}`,
    )
    .join('\n');
}

async function forecastOf(session: Session, cells: readonly string[], where: string): Promise<NewForecast> {
  const [item = '', from = '', until = '', text = ''] = cells;
  const quantity = Number(text);
  if (!(quantity > 0)) throw new UsageError(`${where}A quantity is above 0, not "${shown(text)}".`);
  return { itemEntityId: await entityId(session, item, { role: 'item' }), from, until, quantity };
}

/** Reads a whole file before anything is set, so that a wrong line changes nothing. */
async function readFile(session: Session, file: string): Promise<NewForecast[]> {
  let places: number[] | null = null;
  const found: NewForecast[] = [];
  for await (const { line, cells } of splitCsv(createReadStream(file, 'utf8'), ',')) {
    if (cells.every((cell) => cell.trim() === '')) continue;
    if (places === null) {
      places = placesOf(file, cells);
      continue;
    }
    const own = places.map((place) => (cells[place] ?? '').trim());
    found.push(await forecastOf(session, own, `${shown(file)}, line ${line}: `));
  }
  if (found.length === 0) throw new UsageError(`${shown(file)} has no forecasts.`);
  return found;
}

function placesOf(file: string, cells: TextRow['cells']): number[] {
  const names = cells.map((cell) => cell.replace('\uFEFF', '').trim().toLowerCase());
  return columns.map((column) => {
    const place = names.indexOf(column);
    if (place < 0)
      throw new UsageError(
        `${shown(file)} has no column "${column}". Its first line names the columns ${columns.join(', ')}, separated by commas.`,
      );
    return place;
  });
}
