/** Where a buyer begins: the projects. */
import { List } from '../components/lists/list-page.tsx';
import { EmptyState, PageFrame } from '../components/page-frame.tsx';
import { Moment, PartNumber, StateWord } from '../components/words.tsx';
import { useCategories } from '../entities/configuration.ts';
import { Link } from '../navigation/link.tsx';
import { paths } from '../navigation/paths.ts';
import styles from './procurement.module.css';
import { ProcurementTabs } from './procurement-tabs.tsx';

export function ProjectsPage() {
  const category = useCategories().find(({ role }) => role === 'project');
  return (
    <PageFrame title="Procurement">
      <ProcurementTabs current="projects" />
      {category === undefined ? (
        <EmptyState title="No category is a project">
          An administrator gives one that role under Settings.
        </EmptyState>
      ) : (
        <div className={styles.gridSheet}>
          <List
            label="Projects"
            noun={['project', 'projects']}
            name="listEntities"
            input={{ query: { category: category.key } }}
            search={{ key: 'q', placeholder: 'Project' }}
            rowKey={({ id }) => id}
            hrefOf={({ id }) => paths.project(id)}
            heightMax={640}
            columns={[
              {
                key: 'number',
                header: 'Number',
                width: 160,
                phone: 'title',
                cell: ({ number }) => <PartNumber number={number} />,
                text: ({ number }) => number,
              },
              {
                key: 'name',
                header: 'Name',
                width: 240,
                grow: 1,
                phone: 'detail',
                cell: ({ name }) => name,
                text: ({ name }) => name,
              },
              {
                key: 'state',
                header: 'State',
                width: 150,
                phone: 'side',
                cell: ({ state, released }) => <StateWord state={state} released={released} />,
                text: ({ state }) => state,
              },
              {
                key: 'updatedAt',
                header: 'Changed',
                width: 130,
                cell: ({ updatedAt }) => <Moment at={updatedAt} />,
                text: ({ updatedAt }) => updatedAt,
              },
            ]}
            empty={
              <EmptyState
                title="No projects yet"
                action={<Link href={paths.entities({ new: '1' })}>Make one</Link>}
              >
                A project uses what it builds; what that takes and is not there is short.
              </EmptyState>
            }
          />
        </div>
      )}
    </PageFrame>
  );
}
