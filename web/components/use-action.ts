/**
 * Something that changes the book: an operation with one Idempotency-Key for as long as the dialog or the form is
 * open, so that a second click or a lost answer cannot do it twice.
 */
import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { type Answer, call, type Input, type OperationName, Refusal } from '../client/request.ts';
import { notify } from './notices.tsx';

export interface ActionOptions<Name extends OperationName> {
  /** Operations whose answers are stale afterwards. */
  changes?: readonly OperationName[];
  /** What is said when it is done. */
  done?: string | ((answer: Answer<Name>) => string);
  onDone?: (answer: Answer<Name>, client: QueryClient) => void;
  headers?: () => Record<string, string>;
}

export function useAction<Name extends OperationName>(name: Name, options: ActionOptions<Name> = {}) {
  const client = useQueryClient();
  const key = useRef<string | null>(null);
  const isThere = useRef(true);
  useEffect(() => {
    isThere.current = true;
    return () => {
      isThere.current = false;
    };
  }, []);
  return useMutation({
    mutationFn: (input: Input<Name>) => {
      key.current ??= newKey();
      return call(name, input, { headers: { 'Idempotency-Key': key.current, ...options.headers?.() } });
    },
    // It is not as it was shown any more: what the page shows behind the dialog is read again, and what was typed stays.
    onError: async (error) => {
      // Whoever has closed the dialog meanwhile would take it for done.
      if (!isThere.current) notify(`It was not done: ${error.message}`);
      if (error instanceof Refusal && CONFLICTS.has(error.status))
        await refresh(client, options.changes ?? []);
    },
    onSuccess: async (answer) => {
      key.current = null;
      await refresh(client, options.changes ?? []);
      if (options.done !== undefined) {
        notify(typeof options.done === 'string' ? options.done : options.done(answer));
      }
      options.onDone?.(answer, client);
    },
  });
}

const CONFLICTS = new Set([404, 409, 412]);

/** What is put together from everything: any change may show in it. */
const derived: readonly OperationName[] = ['getEntitySummary', 'getItemDemand', 'countEntities'];

/** Makes the answers of these operations stale; those in view are asked for again. */
export async function refresh(client: QueryClient, names: readonly OperationName[]): Promise<void> {
  await Promise.all([...names, ...derived].map((name) => client.invalidateQueries({ queryKey: [name] })));
}

export function newKey(): string {
  // Not randomUUID: browsers have that only on secure origins, and a plant's server may have none.
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('');
}
