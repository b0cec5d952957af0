/** Scans one thing after another: by a hand scanner that types, or by the camera where the browser reads codes. */
import { Modal, TextInput } from '@mantine/core';
import { type FormEvent, useCallback, useRef, useState } from 'react';
import type { Entity } from '../client/operations.ts';
import { call } from '../client/request.ts';
import { Thumbnail } from '../components/thumbnail.tsx';
import { focusAtOnce, ReturnFocus } from '../components/use-return-focus.ts';
import { PartNumber } from '../components/words.tsx';
import { useReadCategories } from '../entities/configuration.ts';
import { readScan } from '../entities/read-scan.ts';
import { Link } from '../navigation/link.tsx';
import { useOpenedAt } from '../navigation/opened-at.ts';
import { Camera } from './camera.tsx';
import styles from './stock.module.css';

const KEPT_MAX = 20;

export function ScanDialog({ onClose }: { onClose: () => void }) {
  const [text, setText] = useState('');
  const [missed, setMissed] = useState<string | null>(null);
  const [found, setFound] = useState<readonly Entity[]>([]);
  const openedAt = useOpenedAt();
  const readCategories = useReadCategories();
  const field = useRef<HTMLInputElement>(null);
  const begin = useCallback((input: HTMLInputElement | null) => {
    field.current = input;
    focusAtOnce(input);
  }, []);
  const take = async (scanned: string) => {
    setText('');
    const scan = readScan(scanned);
    try {
      const matches =
        'id' in scan
          ? [await call('getEntity', { id: scan.id })]
          : (await call('listEntities', { query: { number: scan.number, limit: 10 } })).items;
      // By them it is known at which page it is opened; without them it is led to all the same.
      await readCategories().catch(() => undefined);
      setMissed(matches.length === 0 ? `Nothing here has the number ${scanned}.` : null);
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
          description="The field stays: scan one after another."
          data-autofocus=""
          autoComplete="off"
          value={text}
          error={missed ?? undefined}
          onChange={(event) => setText(event.currentTarget.value)}
        />
        <Camera onRead={(scanned) => void take(scanned)} />
        <ul className={styles.scanned} aria-label="Scanned" aria-live="polite">
          {found.map((entity) => (
            <li key={entity.id}>
              <Link href={openedAt(entity, true)} onClick={onClose}>
                <Thumbnail picture={entity.picture} large />
                <PartNumber number={entity.number} /> {entity.name}
              </Link>
            </li>
          ))}
        </ul>
      </form>
    </Modal>
  );
}
