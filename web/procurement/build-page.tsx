/** What one manufacturing line is built from: how far its components are there, and the acts on all of them. */
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { ask } from '../client/ask.ts';
import type { LineComponent, LineComponents } from '../client/operations.ts';
import { useMay } from '../client/session.ts';
import { type Figure, Figures } from '../components/charts/figures.tsx';
import { exactSum } from '../components/forms/exact-quantity.ts';
import { LinkButton } from '../components/link-button.tsx';
import { DataGrid } from '../components/lists/data-grid.tsx';
import type { GridColumn } from '../components/lists/grid-column.ts';
import { usePhone } from '../components/lists/use-media.ts';
import { PageFrame, Sheet, Waiting } from '../components/page-frame.tsx';
import { ProblemPanel } from '../components/problem-panel.tsx';
import { PartNumber, Quantity, quantityText } from '../components/words.tsx';
import { usePathParam } from '../navigation/address.ts';
import { Link } from '../navigation/link.tsx';
import { paths } from '../navigation/paths.ts';
import { type BuildAct, BuildDialog } from './build-dialog.tsx';
import { OrderState } from './orders/order-words.tsx';

export function BuildPage() {
  const id = usePathParam('id');
  const mayMoveStock = useMay('stock');
  const query = useQuery(ask('listLineComponents', { id }));
  const [act, setAct] = useState<BuildAct | null>(null);
  const above = { label: 'Orders', href: paths.orders() };
  if (query.data === undefined) {
    return (
      <PageFrame title="Components" above={above}>
        {query.isError ? <ProblemPanel error={query.error} /> : <Waiting />}
      </PageFrame>
    );
  }
  const build = query.data;
  const isOpen = build.state === 'Ordered';
  const canTakeApart = build.receivedQty > build.disassembledQty;
  return (
    <PageFrame
      title={
        <>
          Components of <PartNumber number={build.lineNumber} />
        </>
      }
      plainTitle={`Components of ${build.lineNumber ?? ''}`}
      above={above}
      lead={
        <>
          <OrderState state={build.state} />
          <Link href={paths.entity(build.itemEntityId, 'uses')}>
            <PartNumber number={build.itemNumber} /> {build.itemName}
          </Link>
          {build.itemRevisionLabel !== null && <span>Revision {build.itemRevisionLabel}</span>}
        </>
      }
      actions={
        mayMoveStock && (
          <>
            {canTakeApart && (
              <Button variant="default" onClick={() => setAct('disassemble')}>
                Take apart
              </Button>
            )}
            {isOpen && (
              <>
                <Button variant="default" onClick={() => setAct('scrap')}>
                  Scrap
                </Button>
                <LinkButton variant="default" href={paths.pickList(id)}>
                  Pick list
                </LinkButton>
                <Button variant="default" onClick={() => setAct('reserve')}>
                  Reserve all
                </Button>
                <Button variant="default" onClick={() => setAct('issue')}>
                  Issue all
                </Button>
                <Button onClick={() => setAct('receive')}>Receive</Button>
              </>
            )}
          </>
        )
      }
    >
      <Figures figures={figuresOf(build)} />
      <Sheet title="Components" flush>
        <DataGrid
          label="Components"
          columns={columns}
          rows={build.components}
          rowKey={({ itemEntityId }) => itemEntityId}
          hrefOf={({ itemEntityId }) => paths.entity(itemEntityId, 'stock')}
          heightMax={720}
        />
      </Sheet>
      {act !== null && <BuildDialog build={build} act={act} onClose={() => setAct(null)} />}
    </PageFrame>
  );
}

function figuresOf(build: LineComponents): Figure[] {
  const { limitedBy, buildableQty, openQty, scrappedQty } = build;
  return [
    {
      label: 'Received',
      value: `${quantityText(build.receivedQty)} of ${quantityText(build.quantity)}`,
      note: scrappedQty > 0 ? `${quantityText(scrappedQty)} scrapped` : undefined,
    },
    { label: 'Open', value: quantityText(openQty), tone: openQty > 0 ? 'warn' : undefined },
    {
      label: 'Can be built now',
      value: quantityText(buildableQty),
      tone: buildableQty < openQty ? 'bad' : undefined,
      note:
        limitedBy === null ? undefined : (
          <>
            limited by <PartNumber number={limitedBy.itemNumber} />
          </>
        ),
    },
  ];
}

const figure = (
  key: 'requiredQty' | 'issuedQty' | 'heldQty' | 'missingQty' | 'availableQty',
  header: string,
): GridColumn<LineComponent> => ({
  key,
  header,
  width: 76,
  align: 'end',
  cell: (component) => <Quantity value={component[key]} unit={component.unit} />,
  text: (component) => component[key],
});

/** Shows a figure with its name in the second line of a phone, which has no heads. */
function onPhone({ cell, ...column }: GridColumn<LineComponent>): GridColumn<LineComponent> {
  const word = column.header.toLowerCase();
  return {
    ...column,
    phone: 'detail',
    cell: (...shown) => <Named word={word}>{cell(...shown)}</Named>,
  };
}

function Named({ word, children }: { word: string; children: ReactNode }) {
  return usePhone() ? (
    <>
      {children} {word}
    </>
  ) : (
    children
  );
}

/** How much of a substitute is reserved for the component. */
function reservedOf({ reservedAt }: LineComponent, itemEntityId: string | null): number {
  return exactSum(
    reservedAt
      .filter(({ substitute }) => substitute?.itemEntityId === itemEntityId)
      .map(({ quantity }) => quantity),
  );
}

const columns: GridColumn<LineComponent>[] = [
  {
    key: 'item',
    header: 'Component',
    width: 160,
    grow: 1,
    phone: 'title',
    cell: ({ itemNumber, itemName, itemPicture, itemRevision }) => (
      <span title={`${itemName}, Rev. ${itemRevision}`}>
        <PartNumber number={itemNumber} picture={itemPicture} /> <span className="muted">{itemName}</span>
      </span>
    ),
  },
  onPhone(figure('requiredQty', 'Required')),
  { ...onPhone(figure('issuedQty', 'Issued')), spare: 2 },
  { ...onPhone(figure('heldQty', 'Reserved')), spare: 1 },
  { ...figure('missingQty', 'Missing'), phone: 'side' },
  { ...figure('availableQty', 'Available'), phone: 'side' },
  {
    key: 'substitutes',
    header: 'Substitutes',
    width: 180,
    spare: 3,
    phone: 'below',
    cell: (component) => <Substitutes component={component} />,
  },
];

function Substitutes({ component }: { component: LineComponent }) {
  // A phone has no head of the column that says what these parts are.
  const isHeadless = usePhone();
  return component.substitutes.map(({ guid, itemEntityId, itemNumber, availableQty }) => {
    const reserved = itemEntityId === null ? 0 : reservedOf(component, itemEntityId);
    return (
      <span key={guid}>
        {isHeadless && 'or '}
        <PartNumber number={itemNumber} /> <Quantity value={availableQty} />
        {isHeadless && ' available'}
        {reserved > 0 && <span className="muted"> and {quantityText(reserved)} reserved</span>}{' '}
      </span>
    );
  });
}
