/** Where a buyer begins: the projects. */
import type { Category } from '../client/operations.ts';
import { Asked } from '../components/dialogs/asked.tsx';
import { List } from '../components/lists/list-page.tsx';
import { EmptyState, GridSheet, PageFrame } from '../components/page-frame.tsx';
import { useAskedCategories } from '../entities/configuration.ts';
import { entityColumns } from '../entities/lists/entity-columns.tsx';
import { Link } from '../navigation/link.tsx';
import { paths } from '../navigation/paths.ts';
import { ProcurementTabs } from './procurement-tabs.tsx';

export function ProjectsPage() {
  return (
    <PageFrame title="Procurement">
      <ProcurementTabs current="projects" />
      <Asked of={useAskedCategories()}>
        {(categories) => <Projects category={categories.find(({ role }) => role === 'project')} />}
      </Asked>
    </PageFrame>
  );
}

function Projects({ category }: { category: Category | undefined }) {
  if (category === undefined) {
    return (
      <EmptyState title="No category is a project">
        An administrator gives one that role under Settings.
      </EmptyState>
    );
  }
  return (
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
  );
}
