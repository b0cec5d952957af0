/**
 * Something that changes the book. The same request has the same Idempotency-Key until it has succeeded, so that a second click or
 * a lost answer cannot do it twice; another request has another key. What had no answer may have been done: the page is read anew.
 */
import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { operations } from '../client/operations.ts';
import { type Answer, call, type Input, type OperationName, Refusal } from '../client/request.ts';
import { isUnanswered, LookFirst, Unanswered } from '../client/unanswered.ts';
import { notify } from './notices.tsx';
import { refresh, refreshUntilRead } from './refresh.ts';
import { RequestKeys } from './request-keys.ts';

export interface ActsOptions<Given, Done> {
  /** Operations whose answers are stale afterwards. */
  changes?: readonly OperationName[];
  /** What is said when it is done. */
  done?: string | ((answer: Done, given: Given) => string);
  /** Takes the act back by another one, which the notice offers; null where that is not possible. */
  undo?: (answer: Done, given: Given) => (() => Promise<unknown>) | null;
  onDone?: (answer: Done, client: QueryClient) => void;
}

export interface ActionOptions<Name extends OperationName> extends ActsOptions<Input<Name>, Answer<Name>> {
  headers?: () => Record<string, string>;
}

/** Calls an operation with the key that this request has had before, or with one of its own. */
export type Write = <Name extends OperationName>(
  name: Name,
  input: Input<Name>,
  headers?: Record<string, string>,
) => Promise<Answer<Name>>;

/** What was sent and had no answer, and whether the page has been read since. */
interface Doubt {
  given: string;
  isRead: boolean;
}

export function useAction<Name extends OperationName>(name: Name, options: ActionOptions<Name> = {}) {
  return useActs(
    (input: Input<Name>, write) => write(name, input, options.headers?.()),
    options,
    // What is changed with an If-Match is read before it is sent again.
    operations[name][0] === 'POST',
  );
}

/** The same of several calls that are one act for whoever presses. */
export function useActs<Given, Done>(
  act: (given: Given, write: Write) => Promise<Done>,
  options: ActsOptions<Given, Done>,
  mayRepeat = true,
) {
  const client = useQueryClient();
  const changes = options.changes ?? [];
  const keys = useRef(new RequestKeys());
  const doubt = useRef<Doubt | null>(null);
  const isThere = useRef(true);
  useEffect(() => {
    isThere.current = true;
    return () => {
      isThere.current = false;
      if (doubt.current !== null) notify(LEFT_IN_DOUBT);
    };
  }, []);
  const write: Write = (name, input, headers = {}) =>
    call(name, input, { headers: { 'Idempotency-Key': keys.current.of([name, input]), ...headers } });
  const mutation = useMutation<Done, Error, Given>({
    mutationFn: async (given: Given): Promise<Done> => {
      const before = doubt.current;
      if (before !== null && !before.isRead && before.given !== JSON.stringify(given)) throw new LookFirst();
      try {
        return await act(given, write);
      } catch (error) {
        if (!isUnanswered(error)) throw error;
        throw new Unanswered(error, mayRepeat ? () => mutation.mutate(given) : null);
      }
    },
    // It is not as it was shown any more: what the page shows behind the dialog is read again, and what was typed stays.
    onError: async (error, given) => {
      if (error instanceof Unanswered) {
        const now: Doubt = { given: JSON.stringify(given), isRead: false };
        doubt.current = now;
        if (!isThere.current) notify(LEFT_IN_DOUBT);
        // Not waited for: whoever has no connection is told at once.
        void refreshUntilRead(client, changes).then(() => {
          now.isRead = true;
        });
        return;
      }
      if (!(error instanceof Refusal)) return;
      if (doubt.current?.given === JSON.stringify(given)) doubt.current = null;
      // Whoever has closed the dialog meanwhile would take it for done.
      if (!isThere.current) notify(`${error.status < 500 ? 'Not done' : 'Failed'}: ${error.message}`);
      if (CONFLICTS.has(error.status)) await refresh(client, changes);
    },
    onSuccess: async (answer, given) => {
      keys.current.forget();
      doubt.current = null;
      await refresh(client, changes);
      if (options.done !== undefined) {
        const undo = options.undo?.(answer, given) ?? null;
        notify(
          typeof options.done === 'string' ? options.done : options.done(answer, given),
          undo === null ? undefined : () => void takeBack(undo, client, changes),
        );
      }
      options.onDone?.(answer, client);
    },
  });
  return mutation;
}

async function takeBack(
  undo: () => Promise<unknown>,
  client: QueryClient,
  changes: readonly OperationName[],
): Promise<void> {
  try {
    await undo();
    notify('Undone.');
  } catch (error) {
    notify(`Not undone: ${error instanceof Error ? error.message : String(error)}`);
  }
  await refresh(client, changes);
}

const CONFLICTS = new Set([404, 409, 412]);
const LEFT_IN_DOUBT = 'No answer came: it may have been done. Check before you try again.';
