/** The browsers in which a person is signed in. */
import { useState } from 'react';
import type { Me } from '../client/operations.ts';
import { DeleteDialog } from '../components/dialogs/delete-dialog.tsx';
import { Sheet } from '../components/page-frame.tsx';
import { RowList } from '../components/row-list.tsx';
import { Moment, StatusWord } from '../components/words.tsx';

type OwnSession = Me['sessions'][number];

export function MySessions({ me }: { me: Me }) {
  const [ending, setEnding] = useState<OwnSession | null>(null);
  return (
    <Sheet title="Where you are signed in">
      <RowList
        label="Sessions"
        none="You are signed in nowhere."
        rows={me.sessions.map((session) => ({
          key: session.id,
          name: (
            <>
              <span title={session.agent}>{browserOf(session.agent)}</span>{' '}
              {session.current && <StatusWord tone="accent">this session</StatusWord>}
            </>
          ),
          detail: (
            <>
              {!session.current && (
                <>
                  last used <Moment at={session.usedAt} />,{' '}
                </>
              )}
              signed in <Moment at={session.createdAt} />
            </>
          ),
          actions: session.current
            ? []
            : [
                {
                  icon: 'out',
                  label: `End the session of ${browserOf(session.agent)}`,
                  onClick: () => setEnding(session),
                },
              ],
        }))}
      />
      {ending !== null && (
        <DeleteDialog
          what={`the session of ${browserOf(ending.agent)}`}
          verb="End"
          consequence="That browser is signed out of every workspace at its next call."
          operation="endMySession"
          input={{ id: ending.id }}
          changes={['getMe']}
          done="Session ended."
          onClose={() => setEnding(null)}
        />
      )}
    </Sheet>
  );
}

const BROWSERS = [
  ['Edg', 'Edge'],
  ['OPR', 'Opera'],
  ['Firefox', 'Firefox'],
  ['Chrome', 'Chrome'],
  ['Safari', 'Safari'],
] as const;
const SYSTEMS = ['Windows', 'Android', 'iPhone', 'iPad', 'Mac OS X', 'Linux'] as const;

/** Returns browser and system as people name them; other programs are named as they name themselves. */
function browserOf(agent: string): string {
  const browser = BROWSERS.find(([token]) => agent.includes(`${token}/`))?.[1];
  if (browser === undefined) return agent === '' ? 'Unknown browser' : agent;
  const system = SYSTEMS.find((name) => agent.includes(name));
  return system === undefined ? browser : `${browser} on ${system === 'Mac OS X' ? 'macOS' : system}`;
}
