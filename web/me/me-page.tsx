/** Me: how a person signs in, where it is signed in, and the keys of its own. */
import { Button, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { nameOfAreas } from '../client/areas.ts';
import { ask } from '../client/ask.ts';
import type { Me } from '../client/operations.ts';
import { useMay, useSession } from '../client/session.ts';
import { Dialog } from '../components/dialogs/dialog.tsx';
import { EmptyState, Facts, PageFrame, Sheet, Waiting } from '../components/page-frame.tsx';
import { ProblemPanel } from '../components/problem-panel.tsx';
import { useAction } from '../components/use-action.ts';
import { Link } from '../navigation/link.tsx';
import { paths } from '../navigation/paths.ts';
import styles from './me.module.css';
import { MyKeys } from './my-keys.tsx';
import { MySessions } from './my-sessions.tsx';
import { WaysIn } from './ways-in.tsx';

export function MePage() {
  const { actor } = useSession();
  return (
    <PageFrame title="Me">
      {actor.type === 'member' ? <PersonSheets /> : <NoPerson name={actor.name} />}
    </PageFrame>
  );
}

function PersonSheets() {
  const query = useQuery(ask('getMe', {}));
  if (query.data === undefined) return query.isError ? <ProblemPanel error={query.error} /> : <Waiting />;
  const me = query.data;
  return (
    <div className={styles.sheets}>
      <About me={me} />
      <WaysIn me={me} />
      <MySessions me={me} />
      <MyKeys />
    </div>
  );
}

function About({ me }: { me: Me }) {
  const { actor, areas, workspace } = useSession();
  const [renaming, setRenaming] = useState(false);
  const name = me.workspaces.find(({ slug }) => slug === workspace.slug)?.memberName ?? actor.name;
  const others = me.workspaces.filter(({ slug }) => slug !== workspace.slug);
  return (
    <Sheet
      title="You"
      actions={
        <Button variant="default" onClick={() => setRenaming(true)}>
          Rename
        </Button>
      }
    >
      <Facts
        facts={[
          ['Name in ledger and history', name],
          [`You may do in ${workspace.name}`, nameOfAreas(areas)],
          ...others.map(
            ({ slug, name: workspaceName, areas: held }) =>
              [
                'Member of',
                <>
                  <a href={paths.workspace(slug)}>{workspaceName}</a>: {nameOfAreas(held)}
                </>,
              ] as const,
          ),
        ]}
      />
      <p className={`muted ${styles.note}`}>An administrator changes what you may do.</p>
      {renaming && <RenameDialog name={name} onClose={() => setRenaming(false)} />}
    </Sheet>
  );
}

function RenameDialog({ name, onClose }: { name: string; onClose: () => void }) {
  const { workspace } = useSession();
  const [wanted, setWanted] = useState(name);
  const rename = useAction('renameMe', {
    changes: ['getMe', 'listMembers', 'listMyApiKeys', 'listApiKeys', 'listAudit'],
    done: 'Your name is changed.',
    onDone: (_member, client) => {
      void client.invalidateQueries({ queryKey: ['session', workspace.slug] });
      onClose();
    },
  });
  return (
    <Dialog
      title="Change your name"
      submit="Rename"
      onClose={onClose}
      onSubmit={() => rename.mutate({ body: { name: wanted.trim() } })}
      busy={rename.isPending}
      error={rename.error}
      notYet={wanted.trim() === '' ? 'Enter a name.' : null}
    >
      <TextInput
        label="Name"
        description={`Ledger and history of ${workspace.name} show it everywhere, also for what you did before.`}
        maxLength={100}
        data-autofocus=""
        value={wanted}
        onChange={(event) => setWanted(event.currentTarget.value)}
      />
    </Dialog>
  );
}

function NoPerson({ name }: { name: string }) {
  const mayInvite = useMay('admin');
  return (
    <EmptyState
      title={`You are signed in with the key ${name}`}
      action={mayInvite && <Link href={paths.settings('people')}>Make yourself a member</Link>}
    >
      Passkeys, a password, sessions and keys of your own belong to a person.
      {!mayInvite && ' Ask an administrator for an invitation.'}
    </EmptyState>
  );
}
