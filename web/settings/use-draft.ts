/**
 * A form over something that others may save too. What was typed stays; what somebody else saved meanwhile is told, and taken over
 * where nothing was typed.
 */
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { askTagged } from '../client/ask.ts';
import type { Answer, Input, OperationName } from '../client/request.ts';
import type { MeanwhileChange } from '../entities/changed-meanwhile.tsx';
import { changesOf, isSame, merged } from '../entities/meanwhile-changes.ts';

interface Read<Of> {
  value: Of;
  tag: string | null;
}

export interface Draft<Of> {
  form: Of;
  set: (patch: Partial<Of>) => void;
  /** What a save names, so that nothing is replaced that was not seen here. */
  headers: () => Record<string, string>;
  /** Why it cannot be saved yet: it is not known what would be replaced, or somebody else's is to be looked at first. */
  notYet: string | null;
  /** What somebody else changed since the typing began; null: nothing, or nothing was typed. */
  meanwhile: MeanwhileChange[] | null;
  takeOver: () => void;
}

/** `shown`: what the form begins with. `name` reads it with its tag; null for what is new. */
export function useDraft<Name extends OperationName>(
  name: Name,
  shown: Answer<Name> & object,
  input: Input<Name> | null,
  labels: Partial<Record<keyof Answer<Name>, string>>,
): Draft<Answer<Name> & object> {
  type Of = Answer<Name> & object;
  const { data, isFetching } = useQuery({
    ...askTagged(name, input ?? ({} as Input<Name>)),
    enabled: input !== null,
  });
  const [form, setForm] = useState<Of>(shown);
  const [base, setBase] = useState<Read<Of>>({ value: shown, tag: null });
  const latest: Read<Of> | null = data === undefined ? null : { value: data.answer as Of, tag: data.tag };
  const isBehind = latest !== null && latest.tag !== base.tag;
  const isFirst = base.tag === null;
  const isTyped = !isSame(form, base.value);
  const takeOver = () => {
    if (latest === null) return;
    setForm((typed) => merged(typed, base.value, latest.value));
    setBase(latest);
  };
  const follow = useRef(takeOver);
  follow.current = takeOver;
  const isFree = isBehind && (isFirst || !isTyped);
  const isContested = isBehind && !isFree;
  useEffect(() => {
    if (isFree) follow.current();
  }, [isFree]);
  return {
    form,
    set: (patch) => setForm((before) => ({ ...before, ...patch })),
    headers: (): Record<string, string> => (base.tag === null ? {} : { 'If-Match': base.tag }),
    notYet: isContested
      ? 'Somebody else saved it meanwhile.'
      : input !== null && (isFirst || isFetching)
        ? 'It is being read.'
        : null,
    meanwhile: isContested ? changesOf(base.value, latest.value, labels) : null,
    takeOver,
  };
}
