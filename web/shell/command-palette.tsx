/** Ctrl-K finds any page, any item and its stock by a few letters. Each capability declares its pages for it. */
import { Modal } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type KeyboardEvent, type ReactNode, useDeferredValue, useEffect, useId, useState } from 'react';
import { ask, askAll } from '../client/ask.ts';
import type { Entity } from '../client/operations.ts';
import { AREAS_OF_ACTIONS, allows, useMay, useSession } from '../client/session.ts';
import { focusAtOnce, useReturnFocus } from '../components/dialogs/use-return-focus.ts';
import { Icon } from '../components/icons.tsx';
import { PartNumber, StateWord } from '../components/words.tsx';
import { useAddress } from '../navigation/address.ts';
import { Link, useGo } from '../navigation/link.tsx';
import { useOpenedAt } from '../navigation/opened-at.ts';
import { paths } from '../navigation/paths.ts';
import { pages } from '../pages.ts';
import styles from './command-palette.module.css';

const FOUND_MAX = 12;
const ACTIONS_MAX = 6;
/** The address of an item, on whichever tab. */
const ENTITY_PATH = /\/entities\/([0-9a-f]{8}-[0-9a-f-]{27})(?:\/|$)/;

interface Choice {
  key: string;
  href: string;
  body: ReactNode;
  /** Of what has any: where it is, and how it is named to who cannot see the row. */
  stock?: { href: string; label: string };
}

/** What Enter was pressed on. */
interface Entered {
  text: string;
  inStock: boolean;
}

export function CommandPalette({ onClose }: { onClose: () => void }) {
  const go = useGo();
  useReturnFocus();
  const id = useId();
  const [text, setText] = useState('');
  const [at, setAt] = useState(0);
  /** Before it was known what that text finds. */
  const [entered, setEntered] = useState<Entered | null>(null);
  const found = usePages(text);
  const { parts, of, isMore } = useParts(useDeferredValue(text.trim()));
  const all: Choice[] = isMore
    ? [
        {
          key: 'all',
          href: paths.entities({ q: of ?? text.trim() }),
          body: <span>Show all results for “{of ?? text.trim()}”</span>,
        },
      ]
    : [];
  const actions = useActions(text);
  const choices = [...found, ...actions, ...parts, ...all];
  const chosen = Math.min(at, choices.length - 1);
  const isCurrent = of === text.trim();
  const open = (choice: Choice | undefined, inStock: boolean) => {
    if (choice === undefined) return;
    onClose();
    go(inStock ? (choice.stock?.href ?? choice.href) : choice.href);
  };
  useEffect(() => {
    if (entered === null || !isCurrent) return;
    setEntered(null);
    if (entered.text === text) open(choices[0], entered.inStock);
  });
  const onKeyDown = (event: KeyboardEvent) => {
    // What is still shown of a shorter text is not what was typed; whoever went to one of the choices means that one.
    const inStock = event.shiftKey;
    if (event.key === 'Enter' && chosen <= 0 && found.length + actions.length === 0 && !isCurrent)
      setEntered({ text, inStock });
    else if (event.key === 'Enter') open(choices[chosen], inStock);
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
      attributes={{ content: { 'aria-label': 'Find an item or a page' } }}
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
          aria-label="Find an item or a page"
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
          <div
            key={choice.key}
            role="presentation"
            className={styles.row}
            data-chosen={index === chosen ? '' : undefined}
            onPointerMove={() => setAt(index)}
          >
            <Link
              id={`${id}-${index}`}
              role="option"
              aria-selected={index === chosen}
              tabIndex={-1}
              href={choice.href}
              className={styles.choice}
              onClick={onClose}
            >
              {choice.body}
            </Link>
            {choice.stock !== undefined && (
              <Link
                role="option"
                aria-selected={false}
                aria-label={choice.stock.label}
                tabIndex={-1}
                href={choice.stock.href}
                className={styles.stock}
                onClick={onClose}
              >
                Stock
              </Link>
            )}
          </div>
        ))}
      </div>
      {choices.length === 0 && isCurrent && <p className={styles.none}>No results.</p>}
      {parts.some(({ stock }) => stock !== undefined) && (
        <p className={styles.keys}>
          <span>
            <kbd>Enter</kbd> opens it
          </span>
          <span>
            <kbd>Shift Enter</kbd> opens its stock
          </span>
        </p>
      )}
    </Modal>
  );
}

function usePages(text: string): Choice[] {
  const session = useSession();
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  return pages.flatMap(({ path, palette }) => {
    if (palette === undefined || !allows(session, palette.area ?? 'read')) return [];
    const name = `${palette.label} ${palette.also ?? ''}`.toLowerCase();
    if (!words.every((word) => name.includes(word))) return [];
    const href = `${paths.overview()}/${path}`.replace(/\/+$/, '');
    return [{ key: path, href, body: <span>{palette.label}</span> }];
  });
}

/** Actions of the item that is open, and by their names those of the workspace. */
function useActions(text: string): Choice[] {
  const mayRun = useMay(AREAS_OF_ACTIONS);
  const { pathname } = useAddress();
  const id = ENTITY_PATH.exec(pathname)?.[1];
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const here = useQuery({
    ...askAll('listEntityActions', { id: id ?? '' }),
    enabled: mayRun && id !== undefined,
  });
  const all = useQuery({ ...askAll('listActions', {}), enabled: mayRun && words.length > 0 });
  const ofEntity = id === undefined ? [] : (here.data ?? []);
  const others = words.length === 0 ? [] : (all.data ?? []);
  const known = new Set(ofEntity.map(({ automationId }) => automationId));
  const offered = [
    ...ofEntity.map((action) => ({ action, href: `${pathname}?action=${action.automationId}` })),
    ...others
      .filter(({ automationId }) => !known.has(automationId))
      .map((action) => ({ action, href: paths.automation(action.automationId, { run: '1' }) })),
  ];
  return offered
    .filter(({ action }) => words.every((word) => `run ${action.label}`.toLowerCase().includes(word)))
    .slice(0, ACTIONS_MAX)
    .map(({ action, href }) => ({
      key: `action ${action.automationId}`,
      href,
      body: <span>Run: {action.label}</span>,
    }));
}

interface FoundParts {
  parts: Choice[];
  /** The text that they are of: while it is asked about a longer one, those of the shorter one are shown. */
  of: string | null;
  /** Whether the list of items has more of them. */
  isMore: boolean;
}

function useParts(text: string): FoundParts {
  const openedAt = useOpenedAt();
  const enabled = text.length >= 2;
  const found = useQuery({
    ...ask('listEntities', { query: { q: text, limit: FOUND_MAX } }),
    enabled,
    placeholderData: (before) => before,
  });
  // A whole number stands before those that begin so, of which there may be more than are shown.
  const numbered = useQuery({
    ...ask('listEntities', { query: { number: text, limit: FOUND_MAX } }),
    enabled,
  });
  // The category decides which page an item opens.
  const { data, isPending } = useQuery(askAll('listCategories', {}));
  const categories = isPending ? undefined : (data ?? []);
  if (!enabled) return { parts: [], of: text, isMore: false };
  if (categories === undefined) return { parts: [], of: null, isMore: false };
  const isOfText = [found, numbered].every(
    ({ isPending, isPlaceholderData }) => !isPending && !isPlaceholderData,
  );
  const exact = numbered.data?.items ?? [];
  const others = (found.data?.items ?? []).filter(({ id }) => !exact.some((one) => one.id === id));
  const shown = [...exact, ...others].slice(0, FOUND_MAX);
  const callOf = ({ number, name, category }: Entity) => JSON.stringify([number, name, category]);
  const calls = Map.groupBy(shown, callOf);
  return {
    of: isOfText ? text : null,
    isMore: found.data?.nextCursor != null || exact.length + others.length > FOUND_MAX,
    parts: shown.map((entity) => ({
      key: entity.id,
      href: openedAt(entity),
      stock: stockOf(entity, openedAt),
      body: (
        <>
          <PartNumber number={entity.number} picture={entity.picture} />
          <span className={styles.name}>{entity.name}</span>
          <span className={styles.apart}>
            {categories.find(({ key }) => key === entity.category)?.name ?? entity.category} {entity.revision}
            {(calls.get(callOf(entity))?.length ?? 0) > 1 && ` ${(entity.E_Guid ?? entity.id).slice(0, 8)}`}
          </span>
          <StateWord state={entity.state} released={entity.released} />
        </>
      ),
    })),
  };
}

/** Orders and requirements have a page of their own, and projects have none of it. */
function stockOf(entity: Entity, openedAt: ReturnType<typeof useOpenedAt>): Choice['stock'] {
  const href = openedAt(entity, true);
  return href === openedAt(entity) ? undefined : { href, label: `Stock of ${entity.number ?? entity.name}` };
}
