/** Passkeys, the password and the account at the identity provider of a person. */
import { Button, PasswordInput, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ask } from '../client/ask.ts';
import type { Me } from '../client/operations.ts';
import { makePasskey } from '../client/passkeys.ts';
import { call, proveFirst } from '../client/request.ts';
import { DeleteDialog } from '../components/dialogs/delete-dialog.tsx';
import { Dialog } from '../components/dialogs/dialog.tsx';
import { Sheet } from '../components/page-frame.tsx';
import { RowList } from '../components/row-list.tsx';
import { useAction, useActs } from '../components/use-action.ts';
import { Moment } from '../components/words.tsx';
import { paths } from '../navigation/paths.ts';
import styles from './me.module.css';

type Passkey = Me['passkeys'][number];
type Opened =
  | { kind: 'add' }
  | { kind: 'rename'; passkey: Passkey }
  | { kind: 'password' }
  | { kind: 'remove'; passkey: Passkey };

const PASSWORD_CHARS_MIN = 12;

export function WaysIn({ me }: { me: Me }) {
  const [opened, setOpened] = useState<Opened | null>(null);
  const ways = useQuery(ask('listSignInWays', {}));
  const onClose = () => setOpened(null);
  const provider = ways.data?.provider ?? null;
  return (
    <Sheet title="How you sign in">
      <RowList
        label="Ways to sign in"
        none="You have no way to sign in."
        rows={[
          ...me.passkeys.map((passkey) => ({
            key: passkey.id,
            name: `Passkey ${passkey.name}`,
            detail:
              passkey.lastUsedAt === null ? (
                'never used'
              ) : (
                <>
                  last used <Moment at={passkey.lastUsedAt} />
                </>
              ),
            actions: [
              {
                icon: 'edit' as const,
                label: `Rename the passkey ${passkey.name}`,
                onClick: () => setOpened({ kind: 'rename', passkey }),
              },
              {
                icon: 'trash' as const,
                label: `Remove the passkey ${passkey.name}`,
                onClick: () => setOpened({ kind: 'remove', passkey }),
              },
            ],
          })),
          ...(me.userName === null
            ? []
            : [
                {
                  key: 'password',
                  name: 'Password',
                  detail: `sign-in name ${me.userName}`,
                  actions: [],
                },
              ]),
          ...me.identities.map(({ issuer, createdAt }) => ({
            key: issuer,
            name: `Account at ${hostOf(issuer)}`,
            detail: (
              <>
                connected <Moment at={createdAt} />
              </>
            ),
            actions: [],
          })),
        ]}
      />
      <div className={styles.buttons}>
        {ways.data?.passkey === true && (
          <Button variant="default" onClick={() => setOpened({ kind: 'add' })}>
            Add a passkey
          </Button>
        )}
        <Button variant="default" onClick={() => setOpened({ kind: 'password' })}>
          {me.userName === null ? 'Set a password' : 'Change the password'}
        </Button>
        {provider !== null && me.identities.length === 0 && (
          <Button variant="default" onClick={() => void connect()}>
            Connect {provider.name}
          </Button>
        )}
      </div>
      {ways.data?.passkey === false && <p className="muted">{ways.data.passkeyNote}</p>}
      {opened?.kind === 'add' && <PasskeyDialog onClose={onClose} />}
      {opened?.kind === 'rename' && <RenamePasskeyDialog passkey={opened.passkey} onClose={onClose} />}
      {opened?.kind === 'password' && <PasswordDialog userName={me.userName} onClose={onClose} />}
      {opened?.kind === 'remove' && (
        <DeleteDialog
          what={`the passkey ${opened.passkey.name}`}
          verb="Remove"
          consequence="You can no longer sign in with it. Remove it on the device too."
          operation="removeMyPasskey"
          input={{ id: opened.passkey.id }}
          changes={['getMe']}
          done="Passkey removed."
          onClose={onClose}
        />
      )}
    </Sheet>
  );
}

/** Leaves for the provider, which returns to this page. A browser that leaves cannot be asked for a proof, so it is asked before. */
async function connect(): Promise<void> {
  const { proved } = await call('getMe', {});
  if (proved || (await proveFirst())) window.location.assign(paths.connectProvider(paths.me()));
}

function hostOf(issuer: string): string {
  return URL.canParse(issuer) ? new URL(issuer).host : issuer;
}

function PasskeyDialog({ onClose }: { onClose: () => void }) {
  const [name, setName] = useState('');
  const add = useActs(
    async (named: string) => {
      const answer = await makePasskey(await call('beginMyPasskey', { body: {} }));
      return call('addMyPasskey', { body: { ...answer, name: named } });
    },
    { changes: ['getMe'], done: 'Passkey added.', onDone: onClose },
    false,
  );
  return (
    <Dialog
      title="Add a passkey"
      submit="Make the passkey"
      onClose={onClose}
      onSubmit={() => add.mutate(name.trim())}
      busy={add.isPending}
      error={add.error}
      notYet={name.trim() === '' ? 'Enter a name.' : null}
    >
      <TextInput
        label="Name"
        description="The device or the password manager that keeps it, such as Phone."
        maxLength={100}
        data-autofocus=""
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
      />
    </Dialog>
  );
}

function RenamePasskeyDialog({ passkey: { id, name }, onClose }: { passkey: Passkey; onClose: () => void }) {
  const [wanted, setWanted] = useState(name);
  const rename = useAction('renameMyPasskey', {
    changes: ['getMe'],
    done: 'Passkey renamed.',
    onDone: onClose,
  });
  return (
    <Dialog
      title={`Rename the passkey ${name}`}
      submit="Rename"
      onClose={onClose}
      onSubmit={() => rename.mutate({ id, body: { name: wanted.trim() } })}
      busy={rename.isPending}
      error={rename.error}
      notYet={wanted.trim() === '' ? 'Enter a name.' : null}
    >
      <TextInput
        label="Name"
        maxLength={100}
        data-autofocus=""
        value={wanted}
        onChange={(event) => setWanted(event.currentTarget.value)}
      />
    </Dialog>
  );
}

function PasswordDialog({ userName, onClose }: { userName: string | null; onClose: () => void }) {
  const [name, setName] = useState(userName ?? '');
  const [password, setPassword] = useState('');
  const set = useAction('setMyPassword', {
    changes: ['getMe'],
    done: 'Password saved. Your other sessions have ended.',
    onDone: onClose,
  });
  const notYet =
    name.trim().length < 2
      ? 'Enter a sign-in name.'
      : password.length < PASSWORD_CHARS_MIN
        ? `The password needs at least ${PASSWORD_CHARS_MIN} characters.`
        : null;
  return (
    <Dialog
      title={userName === null ? 'Set a password' : 'Change the password'}
      submit="Save"
      onClose={onClose}
      onSubmit={() => set.mutate({ body: { userName: name.trim(), password } })}
      busy={set.isPending}
      error={set.error}
      notYet={notYet}
    >
      <TextInput
        label="Sign-in name"
        description="You type it when you sign in."
        autoComplete="username"
        maxLength={100}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <PasswordInput
        label="New password"
        description={`At least ${PASSWORD_CHARS_MIN} characters. Your other sessions end.`}
        autoComplete="new-password"
        maxLength={200}
        value={password}
        onChange={(event) => setPassword(event.currentTarget.value)}
      />
    </Dialog>
  );
}
