/** A field for the text of a comment, which offers members while a mention is typed. */
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
  const mention = (name: string) => {
    const before = text.slice(0, cursor).replace(/@\[?[^@]*$/u, `@[${name}] `);
    onText(before + text.slice(cursor));
    setCursor(before.length);
    field.current?.focus();
  };
  const offered = begun === null ? [] : (people.data?.items ?? []);
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
        description="Markdown. @ mentions somebody, #[number] links to a part."
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
          if (event.key !== 'Enter') return;
          const first = offered[0];
          if (event.ctrlKey || event.metaKey) event.currentTarget.form?.requestSubmit();
          else if (first !== undefined && !event.shiftKey && !event.nativeEvent.isComposing) {
            event.preventDefault();
            mention(first.name);
          }
        }}
      />
      {offered.length > 0 && (
        <fieldset className={styles.people} aria-label="Mention">
          {offered.map(({ id, name }) => (
            <Button key={id} variant="default" size="compact-sm" onClick={() => mention(name)}>
              {name}
            </Button>
          ))}
        </fieldset>
      )}
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
