/** Creates a link that a spreadsheet reads a list from, and shows its address once. */
import { NativeSelect, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { CsvTable } from '../../client/operations.ts';
import { tableText } from '../forms/csv-table.ts';
import { useAction } from '../use-action.ts';
import { Dialog } from './dialog.tsx';
import { SecretOnce } from './secret-once.tsx';

export interface CsvLinkDialogProps {
  /** The table; when absent, the dialog offers the unfiltered lists. */
  table?: CsvTable;
  name: string;
  onClose: () => void;
}

const whole: readonly { value: CsvTable['of']; label: string }[] = [
  { value: 'entities', label: 'All items' },
  { value: 'positions', label: 'All stock positions' },
  { value: 'ledger', label: 'The whole ledger' },
  { value: 'lots', label: 'All lots' },
];

export function CsvLinkDialog({ table, name: firstName, onClose }: CsvLinkDialogProps) {
  const [name, setName] = useState(firstName);
  const [of, setOf] = useState<CsvTable['of']>('positions');
  const [expires, setExpires] = useState('');
  const create = useAction('createCsvLink', { changes: ['listCsvLinks', 'listAudit'] });
  if (create.data !== undefined) {
    return (
      <Dialog
        title={`Link ${create.data.name}`}
        submit="Done"
        leave={null}
        onClose={onClose}
        onSubmit={onClose}
      >
        <SecretOnce label="Paste the address into the spreadsheet." secret={create.data.url} />
        <p className="muted">
          Excel: Data, From Web. Google Sheets: <code>=IMPORTDATA("…")</code>. LibreOffice: Sheet, External
          Links. Anyone with the address can read this table until the link is revoked under Settings.
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
      notYet={body.name === '' ? 'Enter a name.' : null}
      onSubmit={() => create.mutate({ body })}
    >
      <p>
        The link shows the current list at each refresh, read-only and without an API key:{' '}
        {tableText(body.table)}.
      </p>
      <TextInput
        label="Name"
        description="Who uses the link, and for what."
        data-autofocus=""
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      {table === undefined && (
        <NativeSelect
          label="List"
          description="To link a filtered list, use its Export menu."
          value={of}
          data={[...whole]}
          onChange={(event) => setOf(event.currentTarget.value as CsvTable['of'])}
        />
      )}
      <TextInput
        label="Expires"
        description="Leave empty for never."
        type="date"
        value={expires}
        onChange={(event) => setExpires(event.currentTarget.value)}
      />
    </Dialog>
  );
}
