/** Where a buyer begins: the projects. */
import { List } from '../components/lists/list-page.tsx';
import { EmptyState, GridSheet, PageFrame } from '../components/page-frame.tsx';
import { useCategories } from '../entities/configuration.ts';
import { entityColumns } from '../entities/entity-columns.tsx';
import { Link } from '../navigation/link.tsx';
import { paths } from '../navigation/paths.ts';
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
        <GridSheet>
          <List
            label="Projects"
            noun={['project', 'projects']}
            name="listEntities"
            input={{ query: { category: category.key } }}
            search={{ key: 'q', placeholder: 'Project' }}
            rowKey={({ id }) => id}
            hrefOf={({ id }) => paths.project(id)}
            heightMax={640}
            columns={entityColumns('Number')}
            empty={
              <EmptyState
                title="No projects yet"
                action={<Link href={paths.entities({ new: '1' })}>Make one</Link>}
              >
                A project uses what it builds; what that takes and is not there is short.
              </EmptyState>
            }
          />
        </GridSheet>
      )}
    </PageFrame>
  );
}
