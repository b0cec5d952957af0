/** A field for the text of a comment, which offers members while a mention is typed, and parts while their number is. */
import { Button, Textarea } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { ask } from '../client/ask.ts';
import { ActButton } from '../components/act-button.tsx';
import { ProblemPanel } from '../components/problem-panel.tsx';
import styles from './comments.module.css';

export interface CommentFieldProps {
  label: string;
  text: string;
  onText: (text: string) => void;
  submit: string;
  busy: boolean;
  error: Error | null;
  onSubmit: () => void;
  onCancel: () => void;
}

const TEXT_CHARS_MAX = 10_000;
const OFFERED = 5;
/** A mention under way: what stands between `@` and the cursor. */
const BEGUN = /(?:^|\s)@\[?([\p{L}\p{N}][\p{L}\p{N} .'-]{0,50})$/u;
/** A number under way, behind `#` or `#[`. A heading has a blank behind its sign. */
const NUMBER_BEGUN = /(?:^|[\s(])#(?:\[([^\s[\]#@][^[\]#@\n]{0,60})|([^\s[\]#@]{1,60}))$/u;

interface Offer {
  id: string;
  /** What Enter or a click puts in place of the text that was begun. */
  text: string;
  label: string;
  /** Whether Enter takes it: of a number only what begins as it was typed. */
  isMeant: boolean;
}

export function CommentField(props: CommentFieldProps) {
  const { label, text, onText, submit, busy, error, onSubmit, onCancel } = props;
  const field = useRef<HTMLTextAreaElement>(null);
  const [cursor, setCursor] = useState(0);
  useEffect(() => {
    const { current } = field;
    current?.focus();
    current?.setSelectionRange(current.value.length, current.value.length);
    current?.form?.scrollIntoView({ block: 'nearest' });
  }, []);
  const begun = BEGUN.exec(text.slice(0, cursor))?.[1] ?? null;
  const people = useQuery({
    ...ask('listPeople', { query: { q: begun ?? '', limit: OFFERED } }),
    enabled: begun !== null,
    staleTime: 60_000,
  });
  const [, inBrackets, plain] = NUMBER_BEGUN.exec(text.slice(0, cursor)) ?? [];
  const number = inBrackets ?? plain ?? null;
  const parts = useQuery({
    ...ask('listEntities', { query: { q: number ?? '', sort: 'best', limit: OFFERED } }),
    enabled: number !== null,
    staleTime: 60_000,
  });
  const [dismissed, setDismissed] = useState<string | null>(null);
  const take = (offer: Offer) => {
    const sign = begun === null ? /#[^#]*$/u : /@\[?[^@]*$/u;
    const before = `${text.slice(0, cursor).replace(sign, '')}${offer.text} `;
    onText(before + text.slice(cursor));
    setCursor(before.length);
    field.current?.focus();
  };
  const persons = (people.data?.items ?? []).map(
    ({ id, name }): Offer => ({ id, text: `@[${name}]`, label: name, isMeant: true }),
  );
  const numbers = (parts.data?.items ?? []).flatMap(({ id, number: own, name }): Offer[] =>
    // A bracket within a number would end the reference.
    own === null || /[[\]]/.test(own)
      ? []
      : [{ id, text: `#[${own}]`, label: `${own} ${name}`, isMeant: beginsAs(own, number ?? '') }],
  );
  const typed = begun ?? number;
  const offered = typed === null || typed === dismissed ? [] : begun === null ? numbers : persons;
  return (
    <form
      className={styles.field}
      onSubmit={(event) => {
        event.preventDefault();
        if (text.trim() !== '' && !busy) onSubmit();
      }}
    >
      <Textarea
        ref={field}
        label={label}
        description="Markdown. @ mentions somebody, # and its number link to a part."
        autosize
        minRows={2}
        maxRows={12}
        maxLength={TEXT_CHARS_MAX}
        value={text}
        onChange={({ currentTarget: { value, selectionStart } }) => {
          onText(value);
          setCursor(selectionStart);
        }}
        onKeyDown={(event) => {
          if (event.key === 'Escape' && offered.length > 0) {
            event.stopPropagation();
            setDismissed(typed);
          }
          if (event.key !== 'Enter') return;
          const first = offered.find(({ isMeant }) => isMeant);
          if (event.ctrlKey || event.metaKey) event.currentTarget.form?.requestSubmit();
          else if (first !== undefined && !event.shiftKey && !event.nativeEvent.isComposing) {
            event.preventDefault();
            take(first);
          }
        }}
      />
      {offered.length > 0 && (
        <fieldset className={styles.people} aria-label={begun === null ? 'Link to a part' : 'Mention'}>
          {offered.map((offer) => (
            <Button key={offer.id} variant="default" size="compact-sm" onClick={() => take(offer)}>
              {offer.label}
            </Button>
          ))}
        </fieldset>
      )}
      <span className="visually-hidden" role="status">
        {offered.length > 0 &&
          `${offered.length} offered: ${offered.map(({ label: of }) => of).join(', ')}. Enter takes the first, Tab goes to all.`}
      </span>
      {error !== null && <ProblemPanel error={error} />}
      <div className={styles.acts}>
        <ActButton
          type="submit"
          size="xs"
          loading={busy}
          notYet={text.trim() === '' ? 'Write something first.' : null}
        >
          {submit}
        </ActButton>
        <Button variant="default" size="xs" onClick={onCancel}>
          Cancel
        </Button>
      </div>
    </form>
  );
}

function beginsAs(number: string, typed: string): boolean {
  return number.toLowerCase().startsWith(typed.trim().toLowerCase());
}
