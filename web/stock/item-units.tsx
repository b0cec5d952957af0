/** The units of an item: the one in which its stock is kept, and others with their factors. */
import { Button, TagsInput, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ask } from '../client/ask.ts';
import type { ItemUnits as Units } from '../client/operations.ts';
import { useMay } from '../client/session.ts';
import { Asked } from '../components/dialogs/asked.tsx';
import { Dialog } from '../components/dialogs/dialog.tsx';
import { Facts, Sheet } from '../components/page-frame.tsx';
import { useAction } from '../components/use-action.ts';
import { STOCK_CHANGES } from './adjust-dialog.tsx';

export function ItemUnits({ itemId }: { itemId: string }) {
  const mayEdit = useMay('engineering');
  const [changing, setChanging] = useState<Units | null>(null);
  const units = useQuery(ask('getItemUnits', { itemEntityId: itemId }));
  return (
    <>
      <Sheet
        title="Units"
        actions={
          mayEdit &&
          units.data !== undefined && (
            <Button variant="default" onClick={() => setChanging(units.data)}>
              Change
            </Button>
          )
        }
      >
        <Asked of={units}>
          {({ baseUnit, units: others }) => (
            <Facts
              facts={[
                ['Kept in', baseUnit ?? 'No unit', 'wide'],
                ...(others.length === 0
                  ? []
                  : [
                      [
                        'Other units',
                        others.map((one) => `1 ${textOf(one)} ${baseUnit}`).join(', '),
                        'wide',
                      ] as const,
                    ]),
              ]}
            />
          )}
        </Asked>
      </Sheet>
      {changing !== null && <UnitsDialog units={changing} onClose={() => setChanging(null)} />}
    </>
  );
}

type OtherUnit = Units['units'][number];

function textOf({ unit, numerator, denominator }: OtherUnit): string {
  return `${unit} = ${denominator === 1 ? numerator : `${numerator}/${denominator}`}`;
}

/** Reads `reel = 4000` or `part = 1/3`; null for anything else. */
function readUnit(text: string): OtherUnit | null {
  const found = /^\s*([^=]+?)\s*=\s*([1-9]\d{0,11})\s*(?:\/\s*([1-9]\d{0,11}))?\s*$/.exec(text);
  if (found === null) return null;
  const [, unit = '', numerator, denominator = '1'] = found;
  return { unit, numerator: Number(numerator), denominator: Number(denominator) };
}

function UnitsDialog({ units: shown, onClose }: { units: Units; onClose: () => void }) {
  const [baseUnit, setBaseUnit] = useState(shown.baseUnit ?? '');
  const [others, setOthers] = useState(shown.units.map(textOf));
  const read = others.map(readUnit);
  const wrong = others.find((_, at) => read[at] === null);
  const isFixed = shown.isFixed && shown.baseUnit !== null;
  const change = useAction('setItemUnits', {
    changes: [...STOCK_CHANGES, 'getItemUnits'],
    done: `Units of ${shown.itemNumber ?? shown.itemName} saved.`,
    onDone: onClose,
  });
  return (
    <Dialog
      title="Units"
      submit="Save"
      onClose={onClose}
      busy={change.isPending}
      error={change.error}
      notYet={wrong === undefined ? null : `“${wrong}” has no factor. Write reel = 4000.`}
      onSubmit={() =>
        change.mutate({
          itemEntityId: shown.itemEntityId,
          body: {
            baseUnit: baseUnit.trim() === '' ? null : baseUnit.trim(),
            units: read.filter((one) => one !== null),
          },
        })
      }
    >
      <TextInput
        label="Kept in"
        description={
          isFixed
            ? 'The item has stock movements, so its base unit cannot change.'
            : 'The smallest unit in which it is issued, such as pcs or mm.'
        }
        value={baseUnit}
        maxLength={32}
        disabled={isFixed}
        onChange={(event) => setBaseUnit(event.currentTarget.value)}
      />
      <TagsInput
        label="Other units"
        description="Write how many base units one is, such as reel = 4000, and press Enter after each. You need no factor for units such as m and mm."
        value={others}
        maxTags={50}
        onChange={setOthers}
      />
    </Dialog>
  );
}
