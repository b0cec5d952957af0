/** Makes a link that a spreadsheet reads a list by, and shows its address this once. */
import { NativeSelect, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { CsvTable } from '../client/operations.ts';
import { tableText } from './csv-table.ts';
import { Dialog } from './dialog.tsx';
import { SecretOnce } from './secret-once.tsx';
import { useAction } from './use-action.ts';

export interface CsvLinkDialogProps {
  /** What it shows; absent: one of the lists as a whole, to be chosen. */
  table?: CsvTable;
  name: string;
  onClose: () => void;
}

const whole: readonly { value: CsvTable['of']; label: string }[] = [
  { value: 'entities', label: 'All entities' },
  { value: 'positions', label: 'All positions of stock' },
  { value: 'ledger', label: 'The whole ledger' },
];

export function CsvLinkDialog({ table, name: firstName, onClose }: CsvLinkDialogProps) {
  const [name, setName] = useState(firstName);
  const [of, setOf] = useState<CsvTable['of']>('positions');
  const [expires, setExpires] = useState('');
  const create = useAction('createCsvLink', { changes: ['listCsvLinks', 'listAudit'] });
  if (create.data !== undefined) {
    return (
      <Dialog title={`Link ${create.data.name}`} submit="Done" onClose={onClose} onSubmit={onClose}>
        <SecretOnce label="Paste the address into the spreadsheet." secret={create.data.url} />
        <p className="muted">
          Excel: Data, From Web. Google Sheets: <code>=IMPORTDATA("…")</code>. LibreOffice: Sheet, External
          Links. Whoever has the address reads this table, until the link is revoked in the settings.
        </p>
      </Dialog>
    );
  }
  const body = {
    name: name.trim(),
    table: table ?? { of },
    expiresAt: expires === '' ? null : new Date(`${expires}T23:59:59`).toISOString(),
  };
  return (
    <Dialog
      title="Link for a spreadsheet"
      submit="Create"
      onClose={onClose}
      busy={create.isPending}
      error={create.error}
      notYet={body.name === '' ? 'Say what it is for.' : null}
      onSubmit={() => create.mutate({ body })}
    >
      <p>It shows the list as it is at each fetch, for reading, without a key: {tableText(body.table)}.</p>
      <TextInput
        label="Name"
        description="What it is for, or who has it."
        data-autofocus=""
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      {table === undefined && (
        <NativeSelect
          label="What it shows"
          description="What is filtered in a list is linked from its Export."
          value={of}
          data={[...whole]}
          onChange={(event) => setOf(event.currentTarget.value as CsvTable['of'])}
        />
      )}
      <TextInput
        label="Expires"
        description="Empty: never."
        type="date"
        value={expires}
        onChange={(event) => setExpires(event.currentTarget.value)}
      />
    </Dialog>
  );
}
