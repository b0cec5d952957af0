/** Items that may be used instead of a part, the best first, each with how many of it replace one. */
import { Button, Input } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ask } from '../../client/ask.ts';
import { QuantityInput } from '../../components/forms/quantity-input.tsx';
import { PartNumber } from '../../components/words.tsx';
import styles from '../entities.module.css';
import { EntityPicker } from '../entity-picker.tsx';

export interface SubstitutesFieldProps {
  /** One on each line: its GUID, and how many replace one if that is not 1. */
  value: string;
  onValue: (value: string) => void;
}

export function SubstitutesField({ value, onValue }: SubstitutesFieldProps) {
  const [missed, setMissed] = useState<string | null>(null);
  const lines = value.split('\n').filter((line) => line.trim() !== '');
  const put = (next: readonly string[]) => onValue(next.join('\n'));
  return (
    <Input.Wrapper component="fieldset" className={styles.substitutes} label="Substitutes" error={missed}>
      {lines.map((line, at) => {
        const [guid = '', ratio = ''] = line.trim().split(/\s+/);
        return (
          <div key={guid} className={styles.substitute}>
            <Named guid={guid} />
            <QuantityInput
              aria-label={`How many replace one: substitute ${at + 1}`}
              placeholder="1"
              value={ratio}
              onValue={(typed) => put(lines.with(at, `${guid} ${typed.replaceAll(/\s/g, '')}`.trim()))}
            />
            <Button
              variant="subtle"
              size="xs"
              aria-label={`Remove substitute ${at + 1}`}
              onClick={() => put(lines.toSpliced(at, 1))}
            >
              Remove
            </Button>
          </div>
        );
      })}
      <EntityPicker
        label="Add a substitute"
        plays="item"
        value={null}
        onPick={(picked) => {
          if (picked === null) return;
          const { E_Guid: guid = null } = picked;
          setMissed(
            guid === null ? `${picked.number ?? picked.name} has no GUID, which a substitute needs.` : null,
          );
          if (guid !== null && !lines.some((line) => line.startsWith(guid))) put([...lines, guid]);
        }}
      />
    </Input.Wrapper>
  );
}

function Named({ guid }: { guid: string }) {
  const item = useQuery(ask('getEntity', { id: `guid:${guid}` }));
  return (
    <span>
      {item.data === undefined ? (
        <code>{guid}</code>
      ) : (
        <>
          <PartNumber number={item.data.number} /> {item.data.name}
        </>
      )}
    </span>
  );
}
