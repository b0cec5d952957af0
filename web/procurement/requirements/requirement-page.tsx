/** One requirement: how far it is covered, and what covers it. */

import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ask } from '../../client/ask.ts';
import { useMay } from '../../client/session.ts';
import { CommentsPanel } from '../../collaboration/comments-panel.tsx';
import { FollowButton } from '../../collaboration/follow-button.tsx';
import { Figures } from '../../components/charts/figures.tsx';
import { GridSheet, PageFrame, Waiting } from '../../components/page-frame.tsx';
import { ProblemPanel } from '../../components/problem-panel.tsx';
import { Due, Moment, PartNumber, quantityText, StatusWord } from '../../components/words.tsx';
import { usePathParam } from '../../navigation/address.ts';
import { Link } from '../../navigation/link.tsx';
import { paths } from '../../navigation/paths.ts';
import { LedgerGrid } from '../../stock/ledger-grid.tsx';
import { HeldLots } from '../../stock/lots/lot-holds.tsx';
import { HeldDialog } from '../held-dialog.tsx';
import { OrderedFor } from '../orders/ordered-for.tsx';
import { SupplyDialog } from '../supply-dialog.tsx';
import { RequirementChangeDialog } from './requirement-change-dialog.tsx';

export function RequirementPage() {
  const id = usePathParam('id');
  const mayOrder = useMay('procurement');
  const mayMoveStock = useMay('stock');
  const query = useQuery(ask('getRequirement', { id }));
  const [asking, setAsking] = useState<'reserve' | 'order' | 'release' | 'issue' | 'change' | null>(null);
  const above = { label: 'Requirements', href: paths.requirements() };
  if (query.data === undefined) {
    return (
      <PageFrame title="Requirement" above={above}>
        {query.isError ? <ProblemPanel error={query.error} /> : <Waiting />}
      </PageFrame>
    );
  }
  const requirement = query.data;
  const { status, openQty, reservedQty } = requirement;
  return (
    <PageFrame
      title={
        <>
          <PartNumber number={requirement.number} /> {requirement.itemName}
        </>
      }
      plainTitle={`Requirement ${requirement.number ?? ''}`}
      above={above}
      lead={
        <>
          <StatusWord tone={status === 'open' ? 'warn' : status === 'covered' ? 'good' : 'quiet'}>
            {status}
          </StatusWord>
          <Link href={paths.entity(requirement.itemEntityId, 'demand')}>
            <PartNumber number={requirement.itemNumber} picture={requirement.itemPicture} />
          </Link>
          <span>
            Rev. {requirement.itemRevision}
            {requirement.unit === null ? '' : `, in ${requirement.unit}`}
          </span>
          {requirement.projectId !== null && (
            <span>
              for{' '}
              <Link href={paths.project(requirement.projectId)}>
                <PartNumber number={requirement.projectNumber} /> {requirement.projectName}
              </Link>
            </span>
          )}
          <span>
            raised <Moment at={requirement.createdAt} />
          </span>
        </>
      }
      actions={
        <>
          <FollowButton of={{ entity: requirement.id }} />
          {mayOrder && status !== 'cancelled' && (
            <Button variant="default" onClick={() => setAsking('change')}>
              Change
            </Button>
          )}
          {mayMoveStock && reservedQty > 0 && (
            <>
              <Button variant="default" onClick={() => setAsking('release')}>
                Release
              </Button>
              <Button variant="default" onClick={() => setAsking('issue')}>
                Issue
              </Button>
            </>
          )}
          {openQty > 0 && status === 'open' && (
            <>
              {mayMoveStock && (
                <Button variant="default" onClick={() => setAsking('reserve')}>
                  Reserve
                </Button>
              )}
              {mayOrder && <Button onClick={() => setAsking('order')}>Order</Button>}
            </>
          )}
        </>
      }
    >
      <Figures
        figures={[
          {
            label: 'Required',
            value: quantityText(requirement.requiredQty),
            note:
              requirement.requiredBy === null ? undefined : (
                <>
                  by <Due date={requirement.requiredBy} isOpen={status === 'open'} />
                </>
              ),
          },
          { label: 'Reserved', value: quantityText(reservedQty), note: issuedText(requirement.issuedQty) },
          { label: 'Ordered', value: quantityText(requirement.orderedQty) },
          { label: 'Open', value: quantityText(openQty), tone: openQty > 0 ? 'warn' : undefined },
        ]}
      />
      {reservedQty > 0 && <HeldLots of={{ requirementId: requirement.id }} />}
      <OrderedFor requirementId={requirement.id} />
      <GridSheet>
        <LedgerGrid of={{ requirement: requirement.id }} />
      </GridSheet>
      <CommentsPanel of={{ entity: requirement.id }} />
      {(asking === 'reserve' || asking === 'order') && (
        <SupplyDialog
          projectId={requirement.projectId}
          requirement={requirement}
          how={asking}
          onClose={() => setAsking(null)}
        />
      )}
      {asking === 'change' && (
        <RequirementChangeDialog requirement={requirement} onClose={() => setAsking(null)} />
      )}
      {(asking === 'release' || asking === 'issue') && (
        <HeldDialog requirement={requirement} how={asking} onClose={() => setAsking(null)} />
      )}
    </PageFrame>
  );
}

const issuedText = (issued: number) => (issued === 0 ? undefined : `${quantityText(issued)} issued`);
