/** Invites a person, and changes a member. */
import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { nameOfAreas, presets } from '../client/areas.ts';
import type { Member } from '../client/operations.ts';
import type { Area } from '../client/session.ts';
import { Dialog } from '../components/dialogs/dialog.tsx';
import { SecretOnce } from '../components/dialogs/secret-once.tsx';
import { AreaBoxes } from '../components/forms/area-boxes.tsx';
import { ChangedMeanwhile, SOMEBODY_FIRST } from '../components/forms/changed-meanwhile.tsx';
import { changesOf } from '../components/forms/meanwhile-changes.ts';
import { readBy, useSavedForm } from '../components/forms/use-saved-form.ts';
import { useAction } from '../components/use-action.ts';

interface InviteDialogProps {
  /** The user is signed in with a key, becomes a member, and opens the link at once. */
  isOwn: boolean;
  /** A member who has ended and comes back. */
  again?: Member;
  onClose: () => void;
}

export function InviteDialog({ isOwn, again, onClose }: InviteDialogProps) {
  const [name, setName] = useState(again?.name ?? '');
  const [areas, setAreas] = useState<readonly Area[]>(
    again?.areas ?? (isOwn ? (presets.at(-1)?.areas ?? ['read']) : ['read']),
  );
  const invite = useAction('createInvitation', {
    changes: ['listInvitations', 'listAudit'],
    onDone: ({ url }) => {
      if (isOwn) window.location.assign(`/join${new URL(url).hash}`);
    },
  });
  if (invite.data !== undefined && !isOwn) {
    return (
      <Dialog
        title={`Invitation for ${invite.data.name}`}
        submit="Done"
        leave={null}
        onClose={onClose}
        onSubmit={onClose}
      >
        <SecretOnce
          label="Send this link to the person alone: whoever opens it first becomes the member. It works once, for seven days."
          secret={invite.data.url}
        />
      </Dialog>
    );
  }
  return (
    <Dialog
      title={
        isOwn
          ? 'Make yourself a member'
          : again === undefined
            ? 'Invite a person'
            : `Invite ${again.name} again`
      }
      submit={isOwn ? 'Continue' : 'Create link'}
      onClose={onClose}
      busy={invite.isPending}
      error={invite.error}
      notYet={name.trim() === '' ? 'Enter a name.' : null}
      onSubmit={() => invite.mutate({ body: { name: name.trim(), areas: [...areas] } })}
    >
      <TextInput
        label={isOwn ? 'Your name' : 'Name'}
        description="Ledger, history and audit show it."
        maxLength={100}
        data-autofocus=""
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      {again !== undefined && (
        <p className="muted">
          A person who accepts the invitation while signed in is the same member as before.
        </p>
      )}
      <AreaBoxes areas={areas} onChange={setAreas} />
    </Dialog>
  );
}

interface Fields {
  name: string;
  areas: string;
}
const labels = { name: 'Name', areas: 'Areas' };
const fieldsOf = ({ name, areas }: Member): Fields => ({ name, areas: areas.join(' ') });

export function MemberDialog({ member, onClose }: { member: Member; onClose: () => void }) {
  const replace = useSavedForm('replaceMember', {
    shown: fieldsOf(member),
    read: readBy('getMember', { id: member.id }, fieldsOf),
    tell: (from, to) => changesOf(from, to, labels),
    changes: ['listMembers', 'listApiKeys', 'listAudit'],
    done: 'Member saved.',
    onDone: onClose,
  });
  const { form, set } = replace;
  const areas = form.areas.split(' ') as Area[];
  const changesAreas = form.areas !== fieldsOf(member).areas;
  return (
    <Dialog
      title={`${member.name}: ${nameOfAreas(member.areas)}`}
      submit="Save"
      onClose={onClose}
      busy={replace.isPending}
      error={replace.error}
      notYet={replace.meanwhile !== null ? SOMEBODY_FIRST : form.name.trim() === '' ? 'Enter a name.' : null}
      onSubmit={() =>
        replace.save({
          id: member.id,
          body: { name: form.name.trim(), areas, managed: changesAreas ? 'hand' : member.managed },
        })
      }
    >
      <TextInput
        label="Name"
        description="Entries that name this member show the new name."
        maxLength={100}
        data-autofocus=""
        value={form.name}
        onChange={(event) => set({ name: event.currentTarget.value })}
      />
      {member.managed === 'groups' && (
        <p className="muted">
          {changesAreas
            ? 'You give the areas by hand from now on; groups of the identity provider change nothing.'
            : 'Groups of the identity provider give these areas.'}
        </p>
      )}
      <AreaBoxes areas={areas} onChange={(chosen) => set({ areas: chosen.join(' ') })} />
      <ChangedMeanwhile form={replace} />
    </Dialog>
  );
}
