/** Rules that map groups of the identity provider to areas, and a try of what groups would give. */
import { Button, Textarea, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { nameOfAreas } from '../client/areas.ts';
import { ask } from '../client/ask.ts';
import type { GroupRule } from '../client/operations.ts';
import { callWithTag } from '../client/request.ts';
import type { Area } from '../client/session.ts';
import { Dialog } from '../components/dialogs/dialog.tsx';
import { AreaBoxes } from '../components/forms/area-boxes.tsx';
import { Sheet, Waiting } from '../components/page-frame.tsx';
import { ProblemPanel } from '../components/problem-panel.tsx';
import { RowList } from '../components/row-list.tsx';
import { useAction, useActs } from '../components/use-action.ts';
import styles from './settings.module.css';

type Opened = { kind: 'new' } | { kind: 'edit' | 'remove'; rule: GroupRule };

export function GroupsTab() {
  const [opened, setOpened] = useState<Opened | null>(null);
  const rules = useQuery(ask('getGroupRules', {}));
  const ways = useQuery(ask('listSignInWays', {}));
  if (rules.data === undefined) return rules.isError ? <ProblemPanel error={rules.error} /> : <Waiting />;
  const provider = ways.data?.provider;
  const onClose = () => setOpened(null);
  return (
    <>
      <Sheet
        title="Group rules"
        actions={<Button onClick={() => setOpened({ kind: 'new' })}>New rule</Button>}
      >
        <p className="muted">
          {provider === null
            ? 'The installation has no identity provider: rules take effect when the operator sets one up.'
            : `A person who signs in with ${provider?.name ?? 'the provider'} is a member with the areas of all its groups.`}
        </p>
        <RowList
          label="Group rules"
          none="No rules yet: nobody becomes a member by a group."
          rows={rules.data.items.map((rule) => ({
            key: rule.group,
            name: rule.group,
            detail: nameOfAreas(rule.areas),
            actions: [
              {
                icon: 'edit',
                label: `Edit the rule for ${rule.group}`,
                onClick: () => setOpened({ kind: 'edit', rule }),
              },
              {
                icon: 'trash',
                label: `Remove the rule for ${rule.group}`,
                onClick: () => setOpened({ kind: 'remove', rule }),
              },
            ],
          }))}
        />
      </Sheet>
      <TrySheet />
      {opened?.kind === 'remove' ? (
        <RemoveDialog rule={opened.rule} onClose={onClose} />
      ) : (
        opened !== null && <RuleDialog rule={opened.kind === 'edit' ? opened.rule : null} onClose={onClose} />
      )}
    </>
  );
}

/** A rule as it was shown, and as it is from now on; null: there is none. */
interface RuleChange {
  group: string;
  from: readonly Area[] | null;
  to: readonly Area[] | null;
}

/** Changes one rule of those that there are now, and refuses to save over a change that the page has not shown. */
function useRuleChange(done: string, onClose: () => void) {
  return useActs(
    async ({ group, from, to }: RuleChange, write) => {
      const { answer, tag } = await callWithTag('getGroupRules', {});
      const now = answer.items.find((rule) => rule.group === group)?.areas ?? null;
      if (now?.join() !== from?.join())
        throw new Error(
          now === null
            ? `Somebody else has removed the rule for ${group}. Close this and look again.`
            : from === null
              ? `There is a rule for ${group} already: ${nameOfAreas(now)}. Close this and edit that rule.`
              : `Somebody else has saved a rule for ${group}: ${nameOfAreas(now)}. Close this and look again.`,
        );
      const others = answer.items.filter((rule) => rule.group !== group);
      const items = to === null ? others : [...others, { group, areas: [...to] }];
      return write('replaceGroupRules', { body: { items } }, tag === null ? {} : { 'If-Match': tag });
    },
    { changes: ['getGroupRules', 'listAudit'], done, onDone: onClose },
    false,
  );
}

function RuleDialog({ rule, onClose }: { rule: GroupRule | null; onClose: () => void }) {
  const [group, setGroup] = useState(rule?.group ?? '');
  const [areas, setAreas] = useState<readonly Area[]>(rule?.areas ?? ['read']);
  const change = useRuleChange('Rule saved.', onClose);
  return (
    <Dialog
      title={rule === null ? 'New rule' : `Rule for ${rule.group}`}
      submit="Save"
      onClose={onClose}
      busy={change.isPending}
      error={change.error}
      notYet={group.trim() === '' ? 'Enter a group.' : null}
      onSubmit={() => change.mutate({ group: group.trim(), from: rule?.areas ?? null, to: areas })}
    >
      <TextInput
        label="Group"
        description="As the provider names it: a name, a path or an id. It is a group of yours, or one that the operator allows."
        maxLength={255}
        data-autofocus=""
        value={group}
        disabled={rule !== null}
        onChange={(event) => setGroup(event.currentTarget.value)}
      />
      <AreaBoxes areas={areas} onChange={setAreas} />
    </Dialog>
  );
}

function RemoveDialog({ rule, onClose }: { rule: GroupRule; onClose: () => void }) {
  const change = useRuleChange('Rule removed.', onClose);
  return (
    <Dialog
      title={`Remove the rule for ${rule.group}?`}
      submit="Remove"
      grave
      onClose={onClose}
      busy={change.isPending}
      error={change.error}
      onSubmit={() => change.mutate({ group: rule.group, from: rule.areas, to: null })}
    >
      <p>
        Members whom groups manage lose what this group gives them at their next sign-in or check. A member
        whose groups have no other rule ends.
      </p>
    </Dialog>
  );
}

function TrySheet() {
  const [text, setText] = useState('');
  const attempt = useAction('tryGroupRules');
  const groups = text
    .split(/[\n,]/)
    .map((group) => group.trim())
    .filter((group) => group !== '');
  const send = (event: FormEvent) => {
    event.preventDefault();
    if (groups.length > 0) attempt.mutate({ body: { groups } });
  };
  return (
    <Sheet title="Try">
      <form className={styles.rows} onSubmit={send}>
        <Textarea
          label="Groups of a person"
          description="One a line, or separated by commas. Nothing is changed."
          autosize
          minRows={2}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
        />
        <div>
          <Button type="submit" variant="default" loading={attempt.isPending} disabled={groups.length === 0}>
            Try
          </Button>
        </div>
        {attempt.error !== null && <ProblemPanel error={attempt.error} />}
        {attempt.data !== undefined && (
          <p role="status">
            {attempt.data.isMember
              ? `A member who may: ${nameOfAreas(attempt.data.areas)}. Rules for: ${attempt.data.matching.join(', ')}.`
              : 'No member: none of these groups has a rule.'}
          </p>
        )}
      </form>
    </Sheet>
  );
}
