/** Says whether and how often a member gets its inbox by mail. Mails go to an address that was confirmed by a code. */
import { Button, NativeSelect, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ask } from '../client/ask.ts';
import type { InboxMailSetting } from '../client/operations.ts';
import { Sheet } from '../components/page-frame.tsx';
import { ProblemPanel } from '../components/problem-panel.tsx';
import { useAction } from '../components/use-action.ts';
import styles from './inbox.module.css';

const modes = [
  { value: 'none', label: 'No mail' },
  { value: 'atOnce', label: 'At once' },
  { value: 'daily', label: 'Once a day, at 06:00 UTC' },
] as const;
type Mode = InboxMailSetting['mode'];

export function MailSetting({ stop }: { stop: boolean }) {
  const query = useQuery(ask('getInboxMail', {}));
  if (query.data?.isAvailable !== true) return null;
  return <MailForm key={JSON.stringify(query.data)} setting={query.data} stop={stop} />;
}

function MailForm({ setting, stop }: { setting: InboxMailSetting; stop: boolean }) {
  const [mode, setMode] = useState<Mode>(stop ? 'none' : setting.mode);
  const [address, setAddress] = useState(setting.address ?? '');
  const save = useAction('setInboxMail', {
    changes: ['getInboxMail'],
    done: ({ mode: saved, confirmed }) =>
      saved === 'none' ? 'You get no mails.' : confirmed ? 'Saved.' : 'A code was mailed to the address.',
  });
  return (
    <Sheet title="Mail">
      <form
        className={styles.mail}
        onSubmit={(event) => {
          event.preventDefault();
          const to = address.trim();
          save.mutate({ body: { mode, ...(to === '' ? {} : { address: to }) } });
        }}
      >
        <NativeSelect
          label="Mail me my inbox"
          data={[...modes]}
          value={mode}
          onChange={({ currentTarget }) => setMode(currentTarget.value as Mode)}
        />
        {mode !== 'none' && (
          <TextInput
            label="To"
            type="email"
            required
            value={address}
            onChange={({ currentTarget }) => setAddress(currentTarget.value)}
          />
        )}
        <Button type="submit" variant="default" loading={save.isPending}>
          {stop && mode === 'none' ? 'Stop these mails' : 'Save'}
        </Button>
      </form>
      {save.isError && <ProblemPanel error={save.error} />}
      {setting.mode !== 'none' && setting.address !== null && !setting.confirmed && (
        <Confirmation mode={setting.mode} address={setting.address} />
      )}
    </Sheet>
  );
}

function Confirmation({ mode, address }: { mode: Mode; address: string }) {
  const [code, setCode] = useState('');
  const confirm = useAction('confirmInboxMail', {
    changes: ['getInboxMail'],
    done: ({ confirmed }) =>
      confirmed ? 'The address is confirmed.' : 'The code is not right, or has expired.',
  });
  const again = useAction('setInboxMail', {
    changes: ['getInboxMail'],
    done: () => 'Another code was mailed. The one before it works no more.',
  });
  return (
    <form
      className={styles.mail}
      onSubmit={(event) => {
        event.preventDefault();
        confirm.mutate({ body: { code: code.trim() } });
      }}
    >
      <TextInput
        label={`Code that was mailed to ${address}`}
        inputMode="numeric"
        autoComplete="one-time-code"
        required
        value={code}
        onChange={({ currentTarget }) => setCode(currentTarget.value)}
      />
      <Button type="submit" variant="default" loading={confirm.isPending}>
        Confirm
      </Button>
      <Button
        variant="subtle"
        loading={again.isPending}
        onClick={() => again.mutate({ body: { mode, address, resendCode: true } })}
      >
        Mail another code
      </Button>
      {confirm.isError && <ProblemPanel error={confirm.error} />}
      {again.isError && <ProblemPanel error={again.error} />}
    </form>
  );
}
