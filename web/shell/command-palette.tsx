/** Ctrl-K: any page and any part by a few letters. Pages come from what the capabilities say of themselves. */
import { Modal } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type KeyboardEvent, type ReactNode, useDeferredValue, useId, useState } from 'react';
import { ask, askAll } from '../client/ask.ts';
import { allows, useSession } from '../client/session.ts';
import { Icon } from '../components/icons.tsx';
import { focusAtOnce, useReturnFocus } from '../components/use-return-focus.ts';
import { PartNumber, StateWord } from '../components/words.tsx';
import { Link, useGo } from '../navigation/link.tsx';
import { useOpenedAt } from '../navigation/opened-at.ts';
import { paths } from '../navigation/paths.ts';
import { pages } from '../pages.ts';
import styles from './command-palette.module.css';

const FOUND_MAX = 12;

interface Choice {
  key: string;
  href: string;
  body: ReactNode;
}

export function CommandPalette({ onClose }: { onClose: () => void }) {
  const go = useGo();
  useReturnFocus();
  const id = useId();
  const [text, setText] = useState('');
  const [at, setAt] = useState(0);
  const choices = [...usePages(text), ...useParts(useDeferredValue(text.trim()))];
  const chosen = Math.min(at, choices.length - 1);
  const open = (choice: Choice | undefined) => {
    if (choice === undefined) return;
    onClose();
    go(choice.href);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter') open(choices[chosen]);
    else if (event.key === 'ArrowDown') setAt(Math.min(chosen + 1, choices.length - 1));
    else if (event.key === 'ArrowUp') setAt(Math.max(chosen - 1, 0));
    else return;
    event.preventDefault();
  };
  return (
    <Modal
      opened
      onClose={onClose}
      withCloseButton={false}
      size="lg"
      padding={0}
      yOffset="10vh"
      attributes={{ content: { 'aria-label': 'Find a part or a page' } }}
    >
      <div className={styles.field}>
        <Icon name="search" />
        <input
          ref={focusAtOnce}
          data-autofocus=""
          role="combobox"
          aria-expanded={choices.length > 0}
          aria-controls={`${id}-list`}
          aria-activedescendant={chosen >= 0 ? `${id}-${chosen}` : undefined}
          aria-label="Find a part or a page"
          placeholder="Number, name or page"
          value={text}
          onChange={(event) => {
            setText(event.currentTarget.value);
            setAt(0);
          }}
          onKeyDown={onKeyDown}
        />
        <kbd>Esc</kbd>
      </div>
      <div id={`${id}-list`} role="listbox" aria-label="Found" className={styles.list}>
        {choices.map((choice, index) => (
          <Link
            key={choice.key}
            id={`${id}-${index}`}
            role="option"
            aria-selected={index === chosen}
            tabIndex={-1}
            href={choice.href}
            className={styles.choice}
            onClick={onClose}
            onPointerMove={() => setAt(index)}
          >
            {choice.body}
          </Link>
        ))}
      </div>
      {choices.length === 0 && <p className={styles.none}>Nothing is called that.</p>}
    </Modal>
  );
}

function usePages(text: string): Choice[] {
  const { permission } = useSession();
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  return pages.flatMap(({ path, palette }) => {
    if (palette === undefined || !allows(permission, palette.permission ?? 'read')) return [];
    const name = `${palette.label} ${palette.also ?? ''}`.toLowerCase();
    if (!words.every((word) => name.includes(word))) return [];
    const href = `${paths.overview()}/${path}`.replace(/\/+$/, '');
    return [{ key: path, href, body: <span>{palette.label}</span> }];
  });
}

function useParts(text: string): Choice[] {
  const openedAt = useOpenedAt();
  const found = useQuery({
    ...ask('listEntities', { query: { q: text, limit: FOUND_MAX } }),
    enabled: text.length >= 2,
    placeholderData: (before) => before,
  });
  // What is offered can be taken at once: by the categories it is known at which page it is opened.
  const isLeading = !useQuery(askAll('listCategories', {})).isPending;
  if (text.length < 2 || !isLeading) return [];
  return (found.data?.items ?? []).map((entity) => ({
    key: entity.id,
    href: openedAt(entity),
    body: (
      <>
        <PartNumber number={entity.number} />
        <span className={styles.name}>{entity.name}</span>
        <StateWord state={entity.state} released={entity.released} />
      </>
    ),
  }));
}
