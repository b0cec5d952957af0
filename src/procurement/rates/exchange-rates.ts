/** Lists, sets and deletes exchange rates. */
import { z } from 'zod';
import type { Actor } from '../../actor.ts';
import { recordChange } from '../../audit/record-change.ts';
import { readPage } from '../../db/read-page.ts';
import type { Tx } from '../../db/transaction.ts';
import { AppError } from '../../errors.ts';
import { Day } from '../../http/day.ts';
import { decodeCursor, pageOf } from '../../http/list.ts';
import { equals, ONE, type Rational, rationalOfDecimal } from '../../units/rational.ts';
import { rateOfDecimal } from './convert-amounts.ts';
import type { ExchangeRate, ExchangeRateQuery, RateKey } from './exchange-rates.schema.ts';
import {
  countRates,
  deleteRate,
  lockRate,
  lockRates,
  type RateRow,
  selectRatePage,
  upsertRate,
} from './exchange-rates.sql.ts';

export interface ReadRate {
  rate: ExchangeRate;
  version: number;
}

const BEGIN = ['', '', '0001-01-01'] as const;
const Key = z.tuple([z.string(), z.string(), Day]);

/** Lists rates by currencies and day. Throws `invalid_cursor`. */
export async function listRates(
  tx: Tx,
  { from, to, limit, cursor }: ExchangeRateQuery,
): Promise<{ items: ExchangeRate[]; nextCursor: string | null }> {
  const after = decodeCursor('exchange-rates', cursor, Key) ?? BEGIN;
  const params = [tx.workspaceId, ...after, from ?? null, to ?? null, limit + 1];
  const rows = await readPage<RateRow>(tx, selectRatePage, params, { limit, long: [] });
  return pageOf('exchange-rates', rows, keyOf, show);
}

function keyOf({ from_currency: from, to_currency: to, valid_from: validFrom }: RateRow) {
  return [from, to, validFrom] as const;
}

function show(row: RateRow): ExchangeRate {
  const [from, to, validFrom] = keyOf(row);
  return { from, to, validFrom, rate: rateOfDecimal(row.rate) };
}

/**
 * `check` gets the version of the locked rate (0: a new rate) and may refuse. If nothing differs, nothing is written. Throws
 * `validation_failed` for a rate of a currency into itself, `configuration_full`.
 */
export async function setRate(
  tx: Tx,
  actor: Actor,
  { key, rate, ratesMax }: { key: RateKey; rate: string; ratesMax: number },
  check: (version: number) => void,
): Promise<ReadRate> {
  if (key.from === key.to) {
    const message = `A rate converts ${key.from} into another currency.`;
    throw new AppError('validation_failed', {
      detail: message,
      errors: [{ pointer: '/to', code: 'invalid_value', message }],
    });
  }
  await tx.query(lockRates, [tx.workspaceId]);
  const before = await lockOne(tx, key);
  check(before?.version ?? 0);
  if (before === null) {
    const [counted] = await tx.query<{ count: number }>(countRates, [tx.workspaceId]);
    if ((counted?.count ?? 0) >= ratesMax)
      throw new AppError('configuration_full', {
        detail: `The workspace has ${ratesMax} exchange rates, which is as many as it can have. Delete old ones.`,
        extensions: { limit: ratesMax },
      });
  }
  if (before !== null && equals(rateIn(before.rate), rateIn(rate)))
    return { rate: show(before), version: before.version };
  const [row] = await tx.query<RateRow>(upsertRate, [tx.workspaceId, key.from, key.to, key.validFrom, rate]);
  const after = { rate: show(row as RateRow), version: row?.version ?? 1 };
  await recordChange(tx, {
    actor,
    action: before === null ? 'create' : 'update',
    subjectType: 'exchangeRate',
    subjectKey: subjectOf(key),
    before: before === null ? null : show(before),
    after: after.rate,
  });
  return after;
}

/** Throws `exchange_rate_not_found`. */
export async function removeRate(
  tx: Tx,
  actor: Actor,
  key: RateKey,
  check: (version: number) => void,
): Promise<void> {
  const before = await lockOne(tx, key);
  if (before === null)
    throw new AppError(
      'exchange_rate_not_found',
      `There is no rate from ${key.from} to ${key.to} that begins on ${key.validFrom}. List the rates.`,
    );
  check(before.version);
  await tx.query(deleteRate, [tx.workspaceId, key.from, key.to, key.validFrom]);
  await recordChange(tx, {
    actor,
    action: 'delete',
    subjectType: 'exchangeRate',
    subjectKey: subjectOf(key),
    before: show(before),
    after: null,
  });
}

function rateIn(decimal: string): Rational {
  return rationalOfDecimal(decimal) ?? ONE;
}

async function lockOne(tx: Tx, { from, to, validFrom }: RateKey): Promise<RateRow | null> {
  const [row = null] = await tx.query<RateRow>(lockRate, [tx.workspaceId, from, to, validFrom]);
  return row;
}

function subjectOf({ from, to, validFrom }: RateKey): string {
  return `${from}/${to} ${validFrom}`;
}
