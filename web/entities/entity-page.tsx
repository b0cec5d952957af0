/** One entity: what it is above, its tabs below. Each tab has an address. */
import { Outlet } from '@tanstack/react-router';
import { EntityActions } from '../actions/entity-actions.tsx';
import { AREAS_OF_ACTIONS, useMay } from '../client/session.ts';
import { CommentsPanel } from '../collaboration/comments-panel.tsx';
import { FollowButton } from '../collaboration/follow-button.tsx';
import { PageFrame, TabLinks, Waiting } from '../components/page-frame.tsx';
import { ProblemPanel } from '../components/problem-panel.tsx';
import { PartNumber, StateWord } from '../components/words.tsx';
import { useAddress, usePathParam } from '../navigation/address.ts';
import { Link } from '../navigation/link.tsx';
import { paths } from '../navigation/paths.ts';
import { ArchiveButton } from './archive-dialog.tsx';
import { useCategories } from './configuration.ts';
import styles from './entities.module.css';
import { COUNTED_MAX, EntityFigures, useSummary } from './entity-figures.tsx';
import { EntityPicture } from './entity-picture.tsx';
import { firstTabOf } from './first-tab.tsx';
import { MergeButton, MergedInto } from './merge-dialog.tsx';
import { tabsOf } from './tabs-of-category.ts';
import { TransitionMenu } from './transition-menu.tsx';
import { useEntityQuery } from './use-entity.ts';
import { useMayChange } from './uses/use-may-change.ts';
import { WorkLink } from './work-link.tsx';

export function EntityPage() {
  const query = useEntityQuery();
  const categories = useCategories();
  const mayChange = useMayChange(query.data?.answer.category ?? '');
  const mayEdit = useMay('engineering');
  const mayRun = useMay(AREAS_OF_ACTIONS);
  const { pathname } = useAddress();
  const summary = useSummary(usePathParam('id'));
  if (query.isError && query.data === undefined) {
    return (
      <PageFrame title="Entity" above={{ label: 'Items', href: paths.entities() }}>
        <ProblemPanel error={query.error} onRetry={() => void query.refetch()} />
      </PageFrame>
    );
  }
  if (query.data === undefined) {
    return (
      <PageFrame title="…" above={{ label: 'Items', href: paths.entities() }}>
        <Waiting />
      </PageFrame>
    );
  }
  const entity = query.data.answer;
  const category = categories.find(({ key }) => key === entity.category);
  const labels = {
    properties: 'Properties',
    uses: counted('Structure (BOM)', summary.data?.uses),
    'where-used': counted('Where used', summary.data?.usedIn),
    revisions: 'Revisions',
    stock: 'Stock',
    demand: 'Demand',
    lifecycle: 'Lifecycle',
  };
  const shown = tabsOf(category);
  const tabs = shown.map((key) => ({ key, label: labels[key], href: paths.entity(entity.id, key) }));
  // The address may name the entity by its GUID.
  const current = shown.find((key) => pathname.endsWith(`/${key}`)) ?? firstTabOf(shown, summary.data?.uses);
  return (
    <PageFrame
      title={
        <>
          <PartNumber number={entity.number} /> {entity.name}
        </>
      }
      plainTitle={`${entity.number ?? ''} ${entity.name}`.trim()}
      above={{ label: 'Items', href: paths.entities() }}
      lead={
        <>
          <StateWord state={entity.state} released={entity.released} />
          <span>Revision {entity.revision}</span>
          {entity.mergedInto !== null && <MergedInto id={entity.mergedInto} />}
          {entity.archivedAt !== null && entity.mergedInto === null && <strong>Archived</strong>}
          <Link href={paths.entities({ category: entity.category })}>
            {category?.name ?? entity.category}
          </Link>
          <WorkLink entity={entity} category={category} />
        </>
      }
      actions={
        <>
          <FollowButton of={{ entity: entity.id }} hasBelow />
          {mayRun && <EntityActions entity={entity} />}
          {mayEdit && canMerge(category) && entity.archivedAt === null && <MergeButton entity={entity} />}
          {mayEdit && category?.behaviour === 'none' && entity.mergedInto === null && (
            <ArchiveButton entity={entity} />
          )}
          {mayChange && <TransitionMenu entity={entity} />}
        </>
      }
    >
      <div className={styles.glance}>
        <EntityPicture entity={entity} />
        <EntityFigures entity={entity} category={category} />
      </div>
      <TabLinks label="Entity" tabs={tabs} current={current} />
      <Outlet />
      <CommentsPanel of={{ entity: entity.id }} />
    </PageFrame>
  );
}

/** Only items and entities without a role in stock are merged. */
function canMerge(category: ReturnType<typeof useCategories>[number] | undefined): boolean {
  return category?.behaviour === 'none' && (category.role === 'item' || category.role === 'none');
}

/** The place of the figure is held while it is on its way, so that the tabs beside it stay where they are. */
function counted(label: string, count: number | undefined) {
  return (
    <>
      {label}
      <small className={styles.count}>
        {count === undefined ? '' : count === COUNTED_MAX ? `${COUNTED_MAX}+` : count}
      </small>
    </>
  );
}
