/** Scans one thing after another: by a hand scanner that types, or by the camera where the browser reads codes. */
import { Modal, TextInput } from '@mantine/core';
import { type FormEvent, useCallback, useRef, useState } from 'react';
import type { Entity } from '../../client/operations.ts';
import { Thumbnail } from '../../components/charts/thumbnail.tsx';
import { focusAtOnce, ReturnFocus } from '../../components/dialogs/use-return-focus.ts';
import { PartNumber } from '../../components/words.tsx';
import { useCategories, useReadCategories } from '../../entities/configuration.ts';
import { itemWords } from '../../entities/item-words.ts';
import { labelText, useFindScanned } from '../../entities/scanning/find-scanned.ts';
import { Link } from '../../navigation/link.tsx';
import { useOpenedAt } from '../../navigation/opened-at.ts';
import styles from '../stock.module.css';
import { Camera } from './camera.tsx';

const KEPT_MAX = 20;

export function ScanDialog({ onClose }: { onClose: () => void }) {
  const [text, setText] = useState('');
  const [missed, setMissed] = useState<string | null>(null);
  const [label, setLabel] = useState<string | null>(null);
  const [found, setFound] = useState<readonly Entity[]>([]);
  const openedAt = useOpenedAt();
  const readCategories = useReadCategories();
  const categories = useCategories();
  const findScanned = useFindScanned();
  const field = useRef<HTMLInputElement>(null);
  const begin = useCallback((input: HTMLInputElement | null) => {
    field.current = input;
    focusAtOnce(input);
  }, []);
  const take = async (scanned: string) => {
    setText('');
    try {
      const { entities: matches, label, fault, number } = await findScanned(scanned);
      setLabel(label === null ? null : labelText(label));
      // By them it is known at which page it is opened; without them it is led to all the same.
      await readCategories().catch(() => undefined);
      setMissed(fault ?? (matches.length === 0 ? `Nothing here has the number ${number}.` : null));
      setFound((before) =>
        [...matches, ...before.filter((one) => !matches.some(({ id }) => id === one.id))].slice(0, KEPT_MAX),
      );
    } catch (error) {
      setMissed(error instanceof Error ? error.message : String(error));
    }
    field.current?.focus();
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (text.trim() !== '') void take(text.trim());
  };
  return (
    <Modal opened onClose={onClose} title="Scan" closeOnClickOutside={false}>
      <ReturnFocus />
      <form onSubmit={submit} className={styles.column}>
        <TextInput
          ref={begin}
          label="Number, GUID or label"
          description="The field stays: scan one after another. Labels of suppliers (GS1, ECIA) are read too."
          data-autofocus=""
          autoComplete="off"
          value={text}
          error={missed ?? undefined}
          onChange={(event) => setText(event.currentTarget.value)}
        />
        <Camera onRead={(scanned) => void take(scanned)} />
        {label !== null && <p className="muted">{label}</p>}
        <ul className={styles.scanned} aria-label="Scanned" aria-live="polite">
          {found.map((entity) => (
            <li key={entity.id}>
              <Link href={openedAt(entity, true)} onClick={onClose}>
                <Thumbnail picture={entity.picture} large />
                <PartNumber number={entity.number} /> {entity.name}{' '}
                <small className="muted">{itemWords(entity, categories)}</small>
              </Link>
            </li>
          ))}
        </ul>
      </form>
    </Modal>
  );
}
