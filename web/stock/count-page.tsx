/**
 * Counts a location. What was not counted is not zero; what moved while somebody counted is asked about; a blind count
 * does not show what the book says. What was typed is kept in this tab until it is applied.
 */
import { Button, Switch, TextInput } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ask, askAll } from '../client/ask.ts';
import { ActButton } from '../components/act-button.tsx';
import { fromMillionths, readQuantity, toMillionths } from '../components/exact-quantity.ts';
import { notify } from '../components/notices.tsx';
import { EmptyState, FootBar, PageFrame, Sheet, Waiting } from '../components/page-frame.tsx';
import { ProblemPanel } from '../components/problem-panel.tsx';
import { countText } from '../components/words.tsx';
import { EntityPicker, type PickedEntity } from '../entities/entity-picker.tsx';
import { useAddress } from '../navigation/address.ts';
import { paths } from '../navigation/paths.ts';
import { CountReview } from './count-review.tsx';
import { CountRows } from './count-rows.tsx';
import styles from './stock.module.css';
import { type Sheet as CountSheet, countFault, useCountSheet } from './use-count-sheet.ts';

export function CountPage() {
  const address = useAddress();
  const id = address.get('location');
  const location = useQuery({ ...ask('getEntity', { id: id ?? '' }), enabled: id !== undefined });
  const blind = address.get('blind') === '1';
  return (
    <PageFrame
      title={location.data === undefined ? 'Count' : `Count ${location.data.number ?? location.data.name}`}
      above={{ label: 'Stock', href: paths.stock() }}
    >
      <Sheet>
        <div className={styles.countTools}>
          <EntityPicker
            label="Location"
            plays="location"
            value={location.data ?? null}
            onPick={(picked) => address.set({ location: picked?.id })}
            autoFocus
          />
          <Switch
            label="Hide recorded quantities"
            checked={blind}
            onChange={(event) =>
              address.set({ blind: event.currentTarget.checked ? '1' : undefined }, 'replace')
            }
          />
        </div>
      </Sheet>
      {id === undefined ? (
        <EmptyState title="Which location?">Type or scan its number above.</EmptyState>
      ) : location.isError ? (
        <ProblemPanel error={location.error} />
      ) : location.data === undefined ? (
        <Waiting />
      ) : (
        <CountOf key={id} location={location.data} blind={blind} />
      )}
    </PageFrame>
  );
}

function CountOf({ location, blind }: { location: PickedEntity; blind: boolean }) {
  const client = useQueryClient();
  const positions = useQuery(askAll('listPositionsByLocation', { locationEntityId: location.id }, 10_000));
  const sheet = useCountSheet(location.id, positions.data);
  const [find, setFind] = useState('');
  const [reviewing, setReviewing] = useState(false);
  if (positions.isError && positions.data === undefined)
    return <ProblemPanel error={positions.error} onRetry={() => void positions.refetch()} />;
  if (positions.data === undefined) return <Waiting />;
  const counted = sheet.lines.filter(({ text }) => readQuantity(text) !== null);
  const differing = counted.filter((line) => differs(line));
  const wrong = sheet.lines.find((line) => countFault(line) !== null);
  return (
    <>
      <Sheet flush title="Count sheet" actions={<AddItem sheet={sheet} />}>
        <div className={styles.countFind}>
          <TextInput
            type="search"
            aria-label="Find on this sheet"
            placeholder="Find on this sheet"
            value={find}
            onChange={(event) => setFind(event.currentTarget.value)}
          />
        </div>
        {sheet.lines.length === 0 ? (
          <EmptyState title="The book has nothing here">Add what you find by its number.</EmptyState>
        ) : (
          <CountRows sheet={sheet} find={find} blind={blind} />
        )}
      </Sheet>
      <FootBar>
        <span role="status">
          {countText(counted.length, 'line')} counted, {sheet.lines.length - counted.length} not counted
          {!blind && `, ${differing.length} differ`}
        </span>
        <Button
          variant="default"
          onClick={() => notify('What was counted is cleared.', sheet.clear())}
          disabled={counted.length === 0}
        >
          Clear
        </Button>
        <ActButton
          notYet={
            wrong !== undefined
              ? `${wrong.item.number ?? wrong.item.name}: ${countFault(wrong)}`
              : counted.length === 0
                ? 'Count something first.'
                : null
          }
          onClick={() => setReviewing(true)}
        >
          Review
        </ActButton>
      </FootBar>
      {reviewing && (
        <CountReview
          location={location}
          lines={counted}
          onClose={() => setReviewing(false)}
          onApplied={() => {
            sheet.clear();
            setReviewing(false);
            void client.invalidateQueries({ queryKey: ['listPositionsByLocation'] });
          }}
        />
      )}
    </>
  );
}

function AddItem({ sheet }: { sheet: CountSheet }) {
  return (
    <EntityPicker
      label="Add an item that is not on the sheet"
      plays="item"
      value={null}
      onPick={(picked) => picked !== null && sheet.add(picked)}
    />
  );
}

function differs({ text, seenOnHand }: { text: string; seenOnHand: number }): boolean {
  const counted = readQuantity(text);
  return counted !== null && fromMillionths(toMillionths(counted) - toMillionths(seenOnHand)) !== 0;
}
