/** Finds an entity while typing; a number that a hand scanner types, with Enter behind it, is taken at once. */
import { Combobox, TextInput, useCombobox } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type KeyboardEvent, useState } from 'react';
import { ask } from '../client/ask.ts';
import type { Category, Entity } from '../client/operations.ts';
import { call, Refusal } from '../client/request.ts';
import { Icon } from '../components/icons.tsx';
import { PartNumber } from '../components/words.tsx';
import { isItem, isLocation, useAskedCategories, useReadCategories } from './configuration.ts';
import styles from './entity-picker.module.css';
import { readScan } from './read-scan.ts';

export type PickedEntity = Pick<Entity, 'id' | 'number' | 'name'> & Partial<Pick<Entity, 'category'>>;

export interface EntityPickerProps {
  label: string;
  value: PickedEntity | null;
  onPick: (entity: PickedEntity | null) => void;
  /** Only entities that may play this part. */
  plays?: 'item' | 'location' | 'project';
  autoFocus?: boolean;
  description?: string;
}

const FOUND_MAX = 20;

export function EntityPicker({ label, value, onPick, plays, autoFocus, description }: EntityPickerProps) {
  const combobox = useCombobox({ onDropdownClose: () => combobox.resetSelectedOption() });
  const [text, setText] = useState<string | null>(null);
  const [missed, setMissed] = useState<string | null>(null);
  const asked = useAskedCategories();
  const categories = asked.data ?? [];
  const readCategories = useReadCategories();
  const fits = (entity: Entity, among: readonly Category[] = categories) => {
    if (plays === undefined) return true;
    const category = among.find(({ key }) => key === entity.category);
    if (plays === 'item') return isItem(category);
    return plays === 'location' ? isLocation(category) : category?.role === 'project';
  };
  const words = (text ?? '').trim();
  const found = useQuery({
    ...ask('listEntities', { query: { q: words, limit: 100 } }),
    enabled: words.length >= 1,
    placeholderData: (before) => before,
  });
  const choices = (words === '' ? [] : (found.data?.items ?? []))
    .filter((entity) => fits(entity))
    .slice(0, FOUND_MAX);
  const pick = ({ id, number, name, category }: Entity) => {
    onPick({ id, number, name, category });
    setText(null);
    setMissed(null);
    combobox.closeDropdown();
  };
  /** What a scanner typed is a whole number, a GUID or the address on a label: it is looked up, not searched. */
  const takeScan = async (typed: string) => {
    const scan = readScan(typed);
    const matches =
      'id' in scan
        ? [await call('getEntity', { id: scan.id })]
        : (await call('listEntities', { query: { number: scan.number, limit: 10 } })).items;
    // A scanner is quicker than the page: what an entity may be is known when the categories are there.
    const known = await readCategories();
    const fitting = matches.filter((entity) => fits(entity, known));
    if (fitting.length === 1 && fitting[0] !== undefined) pick(fitting[0]);
    else
      setMissed(
        fitting.length === 0
          ? `Nothing here has the number ${typed}.`
          : `Several have the number ${typed}: choose one.`,
      );
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || text === null || combobox.getSelectedOptionIndex() >= 0) return;
    event.preventDefault();
    takeScan(words).catch((error: unknown) =>
      setMissed(
        error instanceof Refusal && error.status < 500
          ? `Nothing here has the number ${words}.`
          : `${words} could not be looked up: the service cannot be reached. Enter tries again.`,
      ),
    );
  };
  const shown = value === null ? '' : `${value.number ?? ''} ${value.name}`.trim();
  return (
    <Combobox
      store={combobox}
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
          error={missed ?? undefined}
          value={text ?? shown}
          leftSection={<Icon name={value === null || text !== null ? 'search' : 'check'} size={14} />}
          onChange={(event) => {
            setText(event.currentTarget.value);
            setMissed(null);
            if (value !== null) onPick(null);
            combobox.openDropdown();
          }}
          onFocus={(event) => event.currentTarget.select()}
          onClick={() => combobox.openDropdown()}
          onBlur={() => combobox.closeDropdown()}
          onKeyDownCapture={onKeyDown}
        />
      </Combobox.Target>
      <Combobox.Dropdown hidden={words === ''}>
        <Combobox.Options className={styles.options}>
          {choices.map((entity) => (
            <Combobox.Option key={entity.id} value={entity.id}>
              <PartNumber number={entity.number} /> {entity.name}
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
