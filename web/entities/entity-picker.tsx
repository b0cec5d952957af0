/**
 * Finds an entity while typing. Enter takes what has exactly the number that was typed, as a hand scanner does, then what has it in
 * other capitals, then the only one that the text finds.
 */
import { CloseButton, Combobox, TextInput, useCombobox } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type KeyboardEvent, useRef, useState } from 'react';
import { ask } from '../client/ask.ts';
import type { Category, Entity } from '../client/operations.ts';
import { Refusal } from '../client/request.ts';
import { Icon } from '../components/icons.tsx';
import { PartNumber } from '../components/words.tsx';
import { isItem, isLocation, useAskedCategories, useReadCategories } from './configuration.ts';
import styles from './entity-picker.module.css';
import { itemWords } from './item-words.ts';
import { useFindScanned } from './scanning/find-scanned.ts';
import type { LabelCode } from './scanning/label-code.ts';
import { readScan } from './scanning/read-scan.ts';

export type PickedEntity = Pick<Entity, 'id' | 'number' | 'name'> &
  Partial<Pick<Entity, 'category' | 'E_Guid'>>;

export interface EntityPickerProps {
  label: string;
  value: PickedEntity | null;
  onPick: (entity: PickedEntity | null) => void;
  /** Only entities that may play this part. */
  plays?: 'item' | 'location' | 'project';
  autoFocus?: boolean;
  description?: string | undefined;
  /** Takes what the label of a supplier says beside its item. */
  onLabel?: (label: LabelCode) => void;
  /** Whether it stands in a panel that a click outside closes: what it finds is then shown inside the panel. */
  isInPanel?: boolean;
  /** Whether a form may be saved without a value: the value then stays until another one is chosen or the field is cleared. */
  mayBeEmpty?: boolean;
}

const FOUND_MAX = 20;

export function EntityPicker({
  label,
  value,
  onPick,
  plays,
  autoFocus,
  description,
  onLabel,
  isInPanel = false,
  mayBeEmpty = false,
}: EntityPickerProps) {
  const combobox = useCombobox({ onDropdownClose: () => combobox.resetSelectedOption() });
  const [text, setText] = useState<string | null>(null);
  const [missed, setMissed] = useState<string | null>(null);
  const client = useQueryClient();
  const asked = useAskedCategories();
  const categories = asked.data ?? [];
  const readCategories = useReadCategories();
  const findScanned = useFindScanned();
  const fits = (entity: Entity, among: readonly Category[] = categories) => {
    if (plays === undefined) return true;
    const category = among.find(({ key }) => key === entity.category);
    if (plays === 'item') return isItem(category);
    return plays === 'location' ? isLocation(category) : category?.role === 'project';
  };
  const words = (text ?? '').trim();
  const latest = useRef(words);
  latest.current = words;
  const searched = (q: string) =>
    ask('listEntities', {
      query: { q, sort: 'best', limit: 100, ...(plays === undefined ? {} : { role: plays }) },
    });
  const found = useQuery({
    ...searched(words),
    enabled: words.length >= 1,
    placeholderData: (before) => before,
  });
  const choices = (words === '' ? [] : (found.data?.items ?? []))
    .filter((entity) => fits(entity))
    .slice(0, FOUND_MAX);
  const nested = plays === 'location' ? choices.filter(({ parentLocation }) => parentLocation !== null) : [];
  const places = useQuery({
    ...ask('listLocations', { query: { id: nested.map(({ id }) => id), limit: FOUND_MAX } }),
    enabled: nested.length > 0,
  });
  const pathOf = (id: string) => places.data?.items.find((place) => place.id === id)?.path ?? [];
  const pick = ({ id, number, name, category, E_Guid }: Entity) => {
    onPick({ id, number, name, category, E_Guid });
    setText(null);
    setMissed(null);
    combobox.closeDropdown();
  };
  /** What was typed and not chosen would look like the value that is saved. */
  const forget = () => {
    if (words !== '') setMissed(`Nothing was chosen for “${words}”.`);
    setText(null);
  };
  /** Numbers go before names: what a scanner typed is a whole number, a GUID or the address on a label, and no text to be searched. */
  const take = async (typed: string): Promise<Entity | string> => {
    const scanned = await findScanned(typed);
    if (scanned.fault !== null) return scanned.fault;
    const exact = scanned.entities;
    // A scanner is quicker than the page: what an entity may be is known when the categories are there.
    const known = await readCategories();
    const numbered = exact.filter((entity) => fits(entity, known));
    if (scanned.label !== null) {
      const only = chosenOf(scanned.number, numbered, []);
      if (typeof only !== 'string') onLabel?.(scanned.label);
      return only;
    }
    if (numbered.length > 0 || 'id' in readScan(typed)) return chosenOf(typed, numbered, []);
    const { items } = await client.fetchQuery(searched(typed));
    return chosenOf(
      typed,
      [],
      items.filter((entity) => fits(entity, known)),
    );
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || text === null || combobox.getSelectedOptionIndex() >= 0) return;
    event.preventDefault();
    if (words === '') return;
    void take(words)
      .catch((error: unknown) =>
        error instanceof Refusal && error.status < 500
          ? `Nothing here has the number ${words}.`
          : `${words} could not be looked up: the service cannot be reached. Enter tries again.`,
      )
      .then((taken) => {
        // Whoever has typed on meanwhile means something else.
        if (latest.current !== words) return;
        if (typeof taken === 'string') setMissed(taken);
        else pick(taken);
      });
  };
  // What is found covers the place below the field.
  const saysBelow = combobox.dropdownOpened && choices.length > 0;
  const shown = value === null ? '' : `${value.number ?? ''} ${value.name}`.trim();
  return (
    <Combobox
      store={combobox}
      withinPortal={!isInPanel}
      onOptionSubmit={(id) => {
        const entity = choices.find((choice) => choice.id === id);
        if (entity !== undefined) pick(entity);
      }}
    >
      <Combobox.Target>
        <TextInput
          label={label}
          description={description}
          placeholder="Number, name or scan"
          autoComplete="off"
          data-autofocus={autoFocus ? '' : undefined}
          error={missed === null ? undefined : saysBelow || missed}
          value={text ?? shown}
          leftSection={<Icon name={value === null || text !== null ? 'search' : 'check'} size={14} />}
          onChange={(event) => {
            setText(event.currentTarget.value);
            setMissed(null);
            if (value !== null && (!mayBeEmpty || event.currentTarget.value === '')) onPick(null);
            combobox.openDropdown();
          }}
          onFocus={(event) => event.currentTarget.select()}
          onClick={() => combobox.openDropdown()}
          onBlur={() => {
            combobox.closeDropdown();
            if (mayBeEmpty) forget();
          }}
          rightSection={
            mayBeEmpty &&
            value !== null && (
              <CloseButton size="sm" aria-label={`Clear ${label}`} onClick={() => onPick(null)} />
            )
          }
          onKeyDownCapture={onKeyDown}
        />
      </Combobox.Target>
      <Combobox.Dropdown hidden={words === ''}>
        {missed !== null && saysBelow && (
          <Combobox.Header className="bad" role="status">
            {missed}
          </Combobox.Header>
        )}
        <Combobox.Options className={styles.options}>
          {choices.map((entity) => (
            <Combobox.Option key={entity.id} value={entity.id}>
              <PartNumber number={entity.number} picture={entity.picture} /> {entity.name}{' '}
              <small className="muted">{itemWords(entity, categories)}</small>
              {entity.parentLocation !== null && (
                <small className="muted"> in {pathOf(entity.id).join(' › ')}</small>
              )}
            </Combobox.Option>
          ))}
          {choices.length === 0 && (
            <Combobox.Empty>
              {found.isFetching || asked.isPending
                ? 'Looking…'
                : found.isError || asked.data === undefined
                  ? 'It could not be looked up: the service cannot be reached.'
                  : 'Nothing found.'}
            </Combobox.Empty>
          )}
        </Combobox.Options>
      </Combobox.Dropdown>
    </Combobox>
  );
}

/** Which of them Enter means: those of exactly the number, or else all that the text finds. Where that is not one, what is to be said. */
function chosenOf(typed: string, numbered: readonly Entity[], found: readonly Entity[]): Entity | string {
  const capitals = found.filter(({ number }) => number?.toLowerCase() === typed.toLowerCase());
  const sameNumber = numbered.length > 0 ? numbered : capitals;
  const fitting = sameNumber.length > 0 ? sameNumber : found;
  const [only] = fitting;
  if (only === undefined) return `Nothing here has the number ${typed}.`;
  // A number that nothing has was scanned wrongly, or is of something else: it is never taken for a part of a longer one.
  if (sameNumber.length === 0 && /\d/.test(typed))
    return `Nothing here has the number ${typed}: choose what fits.`;
  if (fitting.length === 1) return only;
  return sameNumber.length > 0
    ? `Several have the number ${typed}: choose one.`
    : `Several fit ${typed}: choose one.`;
}
