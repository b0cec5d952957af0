/** The words of orders and their lines. */
import type { Order } from '../client/operations.ts';
import { StatusWord, type Tone } from '../components/words.tsx';

export const orderTypes: readonly { value: Order['type']; label: string }[] = [
  { value: 'purchaseOrder', label: 'Purchase order' },
  { value: 'salesOrder', label: 'Sales order' },
  { value: 'manufacturingOrder', label: 'Manufacturing order' },
];

/** Those of the lines of all types of orders. */
export const lineStates = [
  'Draft',
  'Ordered',
  'Reserved',
  'Received',
  'Shipped',
  'Closed',
  'Cancelled',
] as const;

const tones: Readonly<Record<string, Tone>> = {
  Draft: 'quiet',
  Ordered: 'live',
  Reserved: 'live',
  Received: 'good',
  Shipped: 'good',
  Closed: 'good',
  Cancelled: 'quiet',
};

export function orderTypeText(type: Order['type']): string {
  return orderTypes.find(({ value }) => value === type)?.label ?? type;
}

export function OrderState({ state }: { state: string }) {
  return <StatusWord tone={tones[state] ?? 'quiet'}>{state}</StatusWord>;
}
