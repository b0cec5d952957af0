/** Sums of the reorder list over its pages: what all costs by currency, and in one currency by the exchange rates of the workspace. */

import { amountText } from '../typescript/amount-text.ts';
import type { ReorderTotal } from '../typescript/generated/types.ts';
import type { Page } from '../typescript/list-items.ts';

export class ReorderTotals {
  readonly #amounts = new Map<string, bigint>();
  readonly #missing = new Set<string>();
  #converted: { currency: string; amount: bigint } | null = null;
  #currency = '';
  #unpriced = 0;
  #isWhole = false;

  /** Returns the pages as they come. An older service sends no totals. */
  async *over<Item>(pages: AsyncIterable<Page<Item>>): AsyncGenerator<Page<Item>> {
    for await (const page of pages) {
      this.#add((page as { totals?: ReorderTotal[] }).totals ?? []);
      this.#isWhole = page.nextCursor === null;
      yield page;
    }
  }

  #add(totals: readonly ReorderTotal[]): void {
    for (const { amounts, converted, unpricedItems } of totals) {
      this.#unpriced += unpricedItems;
      for (const { currency, amount } of amounts)
        this.#amounts.set(currency, (this.#amounts.get(currency) ?? 0n) + microOf(amount));
      if (converted === null || converted === undefined) continue;
      const { currency, amount, missing } = converted;
      this.#currency = currency;
      if (amount !== null)
        this.#converted = { currency, amount: (this.#converted?.amount ?? 0n) + microOf(amount) };
      for (const code of missing) this.#missing.add(code);
    }
  }

  /** Nothing where not all pages were read, or nothing has a price. */
  lines(): string[] {
    if (!this.#isWhole || this.#amounts.size === 0) return [];
    const sums = [...this.#amounts].map(([currency, amount]) => amountText(textOf(amount), currency));
    const converted = this.#converted;
    const isOther = [...this.#amounts.keys()].some((currency) => currency !== converted?.currency);
    return [
      `Total: ${sums.join(', ')}.`,
      ...(converted === null || !isOther
        ? []
        : [
            `In ${converted.currency}: ${amountText(textOf(converted.amount), converted.currency)}, at the rates of today.`,
          ]),
      ...(this.#missing.size === 0
        ? []
        : [
            `Without an exchange rate to ${this.#currency}${converted === null ? '' : ', and not in that sum'}: ${[...this.#missing].join(', ')}.`,
          ]),
      ...(this.#unpriced === 0 ? [] : [`Without a price, and in no total: ${this.#unpriced}.`]),
    ];
  }
}

/** Reads an exact decimal with at most 6 fractional digits, in millionths. */
function microOf(text: string): bigint {
  const [whole = '0', fraction = ''] = text.split('.');
  return BigInt(whole + fraction.padEnd(6, '0'));
}

function textOf(micro: bigint): string {
  const digits = String(micro).padStart(7, '0');
  return `${digits.slice(0, -6)}.${digits.slice(-6)}`.replace(/\.?0+$/, '');
}
