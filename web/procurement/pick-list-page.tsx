/** What is fetched for a manufacturing line, and where: on paper, and on a phone with a scanner. */
import { Button, Checkbox, TextInput } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ask } from '../client/ask.ts';
import type { ComponentsPreview } from '../client/operations.ts';
import { call } from '../client/request.ts';
import { Dialog } from '../components/dialogs/dialog.tsx';
import { exactSum, readQuantity, typedQuantity } from '../components/forms/exact-quantity.ts';
import { QuantityInput } from '../components/forms/quantity-input.tsx';
import { Icon } from '../components/icons.tsx';
import { PageFrame, Sheet, Waiting } from '../components/page-frame.tsx';
import { ProblemPanel } from '../components/problem-panel.tsx';
import { useAction } from '../components/use-action.ts';
import { countText, PartNumber, Quantity, quantityText } from '../components/words.tsx';
import { usePathParam } from '../navigation/address.ts';
import { paths } from '../navigation/paths.ts';
import { Preview } from './build-dialog.tsx';
import styles from './procurement.module.css';
import { type ChosenSubstitutes, SubstituteFields, substitutesGiven } from './substitute-fields.tsx';
import { SUPPLY_CHANGES } from './supply-dialog.tsx';

type Pick = ComponentsPreview['taken'][number];
const CHANGES = [...SUPPLY_CHANGES, 'listLineComponents'] as const;

/** A component, or a substitute for it, may be fetched from several places. */
function keyOf({ itemEntityId, insteadOf, locationEntityId }: Pick): string {
  return `${itemEntityId} ${insteadOf?.itemEntityId} ${locationEntityId}`;
}

/** Puts together what lies at one place: whether it is reserved makes no difference to those who fetch it. */
function picksOf(taken: readonly Pick[]): Pick[] {
  return [...Map.groupBy(taken, keyOf).values()].flatMap((all) => {
    const [first] = all;
    if (first === undefined) return [];
    const quantity = exactSum(all.map((pick) => pick.quantity));
    const covered = exactSum(all.map(({ insteadOf }) => insteadOf?.quantity ?? 0));
    const insteadOf = first.insteadOf === null ? null : { ...first.insteadOf, quantity: covered };
    return [{ ...first, quantity, insteadOf }];
  });
}

export function PickListPage() {
  const id = usePathParam('id');
  const line = useQuery(ask('listLineComponents', { id }));
  const [chosen, setChosen] = useState<ChosenSubstitutes>({});
  const [text, setText] = useState<string | null>(null);
  // As many as can be built, unless the user says another number.
  const { openQty = 0, buildableQty = 0 } = line.data ?? {};
  const proposed = typedQuantity(buildableQty > 0 ? buildableQty : openQty);
  const quantity = readQuantity(text ?? proposed);
  const isValid = quantity !== null && quantity > 0 && quantity <= openQty;
  const wanted = { quantity: isValid ? quantity : openQty, ...substitutesGiven(chosen) };
  const preview = useQuery({
    queryKey: ['listLineComponents', 'picks', id, wanted],
    enabled: isValid,
    queryFn: async () =>
      (await call('issueLineComponents', { id, body: { ...wanted, dryRun: true } })) as ComponentsPreview,
    placeholderData: keepPreviousData,
  });
  const [picked, setPicked] = useState<ReadonlySet<string>>(new Set());
  const [missing, setMissing] = useState<Pick | null>(null);
  const issue = useAction('issueLineComponents', { changes: CHANGES, done: 'Components issued.' });
  const above = { label: 'Components', href: paths.build(id) };
  if (line.data === undefined || (isValid && preview.data === undefined && preview.error === null)) {
    const { error } = line;
    return (
      <PageFrame title="Pick list" above={above}>
        {error === null ? <Waiting /> : <ProblemPanel error={error} />}
      </PageFrame>
    );
  }
  const { taken: all, shortages } = preview.data ?? { taken: [], shortages: [] };
  const taken = picksOf(all);
  const left = taken.filter((pick) => !picked.has(keyOf(pick)));
  const short = new Set([...shortages.map(({ itemEntityId }) => itemEntityId), ...Object.keys(chosen)]);
  const toggle = (key: string) =>
    setPicked((before) =>
      before.has(key) ? new Set([...before].filter((one) => one !== key)) : new Set([...before, key]),
    );
  return (
    <PageFrame
      title={
        <>
          Pick list <PartNumber number={line.data.lineNumber} />
        </>
      }
      plainTitle={`Pick list ${line.data.lineNumber ?? ''}`}
      above={above}
      lead={
        <span>
          for {quantityText(wanted.quantity)} × <PartNumber number={line.data.itemNumber} />{' '}
          {line.data.itemName}
        </span>
      }
      actions={
        <>
          <Button
            variant="default"
            leftSection={<Icon name="print" size={14} />}
            onClick={() => window.print()}
          >
            Print
          </Button>
          <Button
            disabled={!isValid || taken.length === 0 || left.length > 0 || shortages.length > 0}
            loading={issue.isPending}
            onClick={() => issue.mutate({ id, body: { ...wanted, componentLots: 'firstExpired' } })}
          >
            Issue what was picked
          </Button>
        </>
      }
    >
      {issue.isError && <ProblemPanel error={issue.error} />}
      {preview.isError && <ProblemPanel error={preview.error} />}
      {shortages.length > 0 && <Preview preview={{ taken: [], shortages }} />}
      <div className={`no-print ${styles.pickFields}`}>
        {openQty > 0 && (
          <QuantityInput
            label="Number of units"
            value={text ?? proposed}
            onValue={(value) => {
              setText(value);
              setPicked(new Set());
            }}
            error={isValid ? undefined : `Enter a quantity above 0, at most ${quantityText(openQty)}.`}
          />
        )}
        <SubstituteFields
          build={line.data}
          chosen={chosen}
          onChoose={(next) => {
            setChosen(next);
            setPicked(new Set());
          }}
          among={short}
        />
      </div>
      <div className="no-print">
        <Sheet>
          <Scan
            onScan={(text) => {
              const found = left.find(
                ({ itemNumber }) => itemNumber?.toLowerCase() === text.trim().toLowerCase(),
              );
              if (found !== undefined) toggle(keyOf(found));
              return found !== undefined;
            }}
          />
        </Sheet>
      </div>
      <Sheet title={left.length === 0 ? 'All picked' : `${countText(left.length, 'position')} left`}>
        <ul className={styles.picks} aria-label="Picks">
          {taken.map((pick) => (
            <li key={keyOf(pick)}>
              <Checkbox
                checked={picked.has(keyOf(pick))}
                onChange={() => toggle(keyOf(pick))}
                label={
                  <>
                    <PartNumber number={pick.locationNumber} /> {pick.locationName}:{' '}
                    <Quantity value={pick.quantity} /> × <PartNumber number={pick.itemNumber} />{' '}
                    {pick.itemName}
                    {pick.insteadOf !== null && (
                      <span className="muted">
                        {' '}
                        instead of <Quantity value={pick.insteadOf.quantity} /> ×{' '}
                        <PartNumber number={pick.insteadOf.itemNumber} />
                      </span>
                    )}
                  </>
                }
              />
              <Button
                className="no-print"
                variant="subtle"
                size="compact-sm"
                onClick={() => setMissing(pick)}
              >
                Not found
              </Button>
            </li>
          ))}
        </ul>
      </Sheet>
      {missing !== null && <NotFoundDialog pick={missing} onClose={() => setMissing(null)} />}
    </PageFrame>
  );
}

/** A scanner types the number and presses Enter. */
function Scan({ onScan }: { onScan: (text: string) => boolean }) {
  const [text, setText] = useState('');
  const [wrong, setWrong] = useState<string | null>(null);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        setWrong(onScan(text) ? null : `${text} is not left on the list.`);
        setText('');
      }}
    >
      <TextInput
        label="Scan or type a part number"
        value={text}
        error={wrong}
        autoComplete="off"
        onChange={(event) => setText(event.currentTarget.value)}
      />
    </form>
  );
}

/** Counts the position: stock that is not there must not be promised again. */
function NotFoundDialog({ pick, onClose }: { pick: Pick; onClose: () => void }) {
  const [text, setText] = useState('0');
  const counted = readQuantity(text);
  const count = useAction('countStock', {
    changes: CHANGES,
    done: `${pick.itemNumber ?? pick.itemName} counted at ${pick.locationNumber ?? pick.locationName}.`,
    onDone: onClose,
  });
  return (
    <Dialog
      title={`${pick.itemNumber ?? pick.itemName} was not found`}
      submit="Record the count"
      onClose={onClose}
      busy={count.isPending}
      error={count.error}
      notYet={counted === null || counted < 0 ? 'Enter how many are there.' : null}
      onSubmit={() =>
        count.mutate({
          body: {
            note: 'Not found while picking',
            lines: [{ item: pick.itemEntityId, location: pick.locationEntityId, countedQty: counted ?? 0 }],
          },
        })
      }
    >
      <p>
        How many are at <PartNumber number={pick.locationNumber} /> {pick.locationName}? The difference
        becomes an adjustment.
      </p>
      <QuantityInput label="Counted" value={text} onValue={setText} data-autofocus="" />
    </Dialog>
  );
}
