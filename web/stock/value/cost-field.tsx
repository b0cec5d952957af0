/** The cost of goods that arrive, in dialogs that add stock. It is shown where the workspace values its stock. */
import { TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { ask } from '../../client/ask.ts';

/** How a receipt of a purchase line is valued whose cost is not typed. */
export const ORDERED_COST = 'what the line was ordered at';

interface TypedCost {
  price: string;
  currency?: string;
}

const FORM = /^(\d{1,9}(?:[.,]\d{1,6})?)(?:\s+([a-z]{3}))?$/i;

/** Returns the currency in which the workspace values its stock; null where it does not. */
export function useCostCurrency(): string | null {
  return useQuery(ask('getStockSettings', {})).data?.costing?.currency ?? null;
}

function readCost(text: string): TypedCost | null {
  const [, price, currency] = FORM.exec(text.trim()) ?? [];
  if (price === undefined) return null;
  return {
    price: price.replace(',', '.'),
    ...(currency === undefined ? {} : { currency: currency.toUpperCase() }),
  };
}

/** Returns what is wrong with a typed cost, or null; an empty one is right. */
export function costFault(text: string): string | null {
  return text.trim() === '' || readCost(text) !== null
    ? null
    : 'A cost is a number such as 1.25, or 1.25 USD in another currency.';
}

/** Returns the cost as a call takes it. */
export function costGiven(text: string): { unitCost?: TypedCost } {
  const unitCost = readCost(text);
  return unitCost === null ? {} : { unitCost };
}

export interface CostFieldProps {
  currency: string;
  /** The item of the goods, where a dialog has several such fields. */
  of?: string;
  /** How the goods are valued if the field is empty. */
  otherwise: string;
  value: string;
  onValue: (text: string) => void;
}

export function CostField({ currency, of, otherwise, value, onValue }: CostFieldProps) {
  return (
    <TextInput
      label={`Cost of one${of === undefined ? '' : ` of ${of}`}`}
      description={`In ${currency}, or with another currency. Empty: ${otherwise}.`}
      inputMode="decimal"
      autoComplete="off"
      value={value}
      error={costFault(value) ?? undefined}
      maxLength={24}
      onChange={(event) => onValue(event.currentTarget.value)}
    />
  );
}
