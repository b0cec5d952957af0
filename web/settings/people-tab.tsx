/** People: the members of the workspace and the invitations that are open. */
import { Button } from '@mantine/core';
import { useState } from 'react';
import { nameOfAreas } from '../client/areas.ts';
import type { Invitation, Member } from '../client/operations.ts';
import { useSession } from '../client/session.ts';
import { DeleteDialog } from '../components/dialogs/delete-dialog.tsx';
import { Dialog } from '../components/dialogs/dialog.tsx';
import { SecretOnce } from '../components/dialogs/secret-once.tsx';
import { momentColumn, textColumn } from '../components/lists/columns.tsx';
import { List } from '../components/lists/list-page.tsx';
import { RowActions } from '../components/lists/row-actions.tsx';
import { EmptyState, GridSheet } from '../components/page-frame.tsx';
import { useAction } from '../components/use-action.ts';
import { StatusWord } from '../components/words.tsx';
import { InviteDialog, MemberDialog } from './member-dialogs.tsx';

export function PeopleTab() {
  const { actor } = useSession();
  const [inviting, setInviting] = useState<'somebody' | 'me' | null>(null);
  const [returning, setReturning] = useState<Member | null>(null);
  const [editing, setEditing] = useState<Member | null>(null);
  const [ending, setEnding] = useState<Member | null>(null);
  const [locked, setLocked] = useState<Member | null>(null);
  const [withdrawing, setWithdrawing] = useState<Invitation | null>(null);
  return (
    <>
      <GridSheet>
        <List
          label="Members"
          noun={['member', 'members']}
          name="listMembers"
          input={{}}
          rowKey={({ id }) => id}
          heightMax={520}
          tools={
            <>
              {actor.type === 'apiKey' && (
                <Button variant="default" onClick={() => setInviting('me')}>
                  Make yourself a member
                </Button>
              )}
              <Button onClick={() => setInviting('somebody')}>Invite</Button>
            </>
          }
          columns={[
            {
              key: 'name',
              header: 'Name',
              width: 210,
              grow: 2,
              phone: 'title',
              cell: ({ id, name }) => (
                <>
                  {name} {id === actor.id && <StatusWord tone="accent">you</StatusWord>}
                </>
              ),
              text: ({ name }) => name,
            },
            {
              key: 'areas',
              header: 'May',
              width: 140,
              grow: 2,
              phone: 'detail',
              cell: ({ areas }) => nameOfAreas(areas),
              text: ({ areas }) => nameOfAreas(areas),
            },
            {
              key: 'state',
              header: 'State',
              width: 90,
              phone: 'side',
              cell: ({ endedAt }) =>
                endedAt === null ? (
                  <span className="wide-only">
                    <StatusWord tone="good">active</StatusWord>
                  </span>
                ) : (
                  <StatusWord tone="quiet">ended</StatusWord>
                ),
              text: ({ endedAt }) => (endedAt === null ? 'active' : 'ended'),
            },
            momentColumn('lastSeenAt', 'Last seen', { width: 120 }),
            {
              key: 'change',
              header: 'Change',
              width: 110,
              phone: 'side',
              cell: (member) =>
                member.endedAt !== null ? (
                  <RowActions
                    actions={[
                      {
                        icon: 'add',
                        label: `Invite ${member.name} again`,
                        onClick: () => setReturning(member),
                      },
                    ]}
                  />
                ) : (
                  <RowActions
                    of={member.name}
                    actions={[
                      { icon: 'edit', label: `Edit ${member.name}`, onClick: () => setEditing(member) },
                      {
                        icon: 'out',
                        label: `Sign-in link for ${member.name}`,
                        onClick: () => setLocked(member),
                      },
                      { icon: 'trash', label: `End ${member.name}`, onClick: () => setEnding(member) },
                    ]}
                  />
                ),
            },
          ]}
          empty={
            <EmptyState title="No members yet">
              Invite a person, or make yourself a member: ledger and history then name people, not keys.
            </EmptyState>
          }
        />
      </GridSheet>
      <GridSheet>
        <List
          label="Open invitations"
          noun={['invitation', 'invitations']}
          name="listInvitations"
          input={{}}
          rowKey={({ id }) => id}
          heightMax={320}
          columns={[
            textColumn('name', 'For', { width: 160, grow: 1, phone: 'title' }),
            {
              key: 'kind',
              header: 'Kind',
              width: 120,
              cell: ({ memberId }) => (memberId === null ? 'invitation' : 'sign-in link'),
              text: ({ memberId }) => (memberId === null ? 'invitation' : 'sign-in link'),
            },
            {
              key: 'areas',
              header: 'May',
              width: 200,
              grow: 2,
              phone: 'detail',
              cell: ({ areas }) => nameOfAreas(areas),
              text: ({ areas }) => nameOfAreas(areas),
            },
            momentColumn('expiresAt', 'Expires', { width: 120 }),
            {
              key: 'withdraw',
              header: 'Withdraw',
              width: 90,
              phone: 'side',
              cell: (invitation) => (
                <RowActions
                  actions={[
                    {
                      icon: 'trash',
                      label: `Withdraw ${invitation.name}`,
                      onClick: () => setWithdrawing(invitation),
                    },
                  ]}
                />
              ),
            },
          ]}
          empty={<EmptyState title="No open invitations" />}
        />
      </GridSheet>
      {inviting !== null && <InviteDialog isOwn={inviting === 'me'} onClose={() => setInviting(null)} />}
      {returning !== null && (
        <InviteDialog isOwn={false} again={returning} onClose={() => setReturning(null)} />
      )}
      {editing !== null && <MemberDialog member={editing} onClose={() => setEditing(null)} />}
      {locked !== null && <SignInLinkDialog member={locked} onClose={() => setLocked(null)} />}
      {ending !== null && (
        <DeleteDialog
          what={ending.name}
          verb="End"
          consequence="The person can do nothing here from now on, and the keys of the person are revoked. What the person did stays in ledger and history."
          operation="endMember"
          input={{ id: ending.id }}
          changes={['listMembers', 'listInvitations', 'listApiKeys', 'listAudit']}
          done="Member ended."
          onClose={() => setEnding(null)}
        />
      )}
      {withdrawing !== null && (
        <DeleteDialog
          what={`the link for ${withdrawing.name}`}
          verb="Withdraw"
          consequence="The link no longer works."
          operation="withdrawInvitation"
          input={{ id: withdrawing.id }}
          changes={['listInvitations', 'listAudit']}
          done="Link withdrawn."
          onClose={() => setWithdrawing(null)}
        />
      )}
    </>
  );
}

function SignInLinkDialog({ member, onClose }: { member: Member; onClose: () => void }) {
  const make = useAction('createSignInLink', { changes: ['listInvitations', 'listAudit'] });
  const isMade = make.data !== undefined;
  return (
    <Dialog
      title={`Sign-in link for ${member.name}`}
      submit={isMade ? 'Done' : 'Create link'}
      leave={isMade ? null : 'Cancel'}
      onClose={onClose}
      onSubmit={() => (isMade ? onClose() : make.mutate({ id: member.id }))}
      busy={make.isPending}
      error={make.error}
    >
      {make.data === undefined ? (
        <p>
          For a person who is locked out. With the link the person makes a new passkey or password, which
          replaces the ones before and ends all sessions of the person.
        </p>
      ) : (
        <SecretOnce
          label={`Give this link to ${member.name} alone. It works once, for 15 minutes.`}
          secret={make.data.url}
        />
      )}
    </Dialog>
  );
}
