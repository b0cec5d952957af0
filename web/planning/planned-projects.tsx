/** The projects whose whole structure a planning run needs, each with its quantity and day. */
import { useQuery } from '@tanstack/react-query';
import { ask } from '../client/ask.ts';
import type { PlanningAction, PlanningRun } from '../client/operations.ts';
import { countText, dayText, quantityText } from '../components/words.tsx';
import { Link } from '../navigation/link.tsx';
import { paths } from '../navigation/paths.ts';
import styles from './planning.module.css';

/** Each is read by its id. */
const SHOWN_MAX = 10;
/** Runs that are looked at for projects that they name. */
const LOOKED_AT_MAX = 20;

export function PlannedProjects({ projects }: Pick<PlanningRun, 'projects'>) {
  const others = projects.length - SHOWN_MAX;
  return (
    <ul className={styles.projects}>
      {projects.slice(0, SHOWN_MAX).map(({ projectId, quantity, requiredBy }) => (
        <li key={projectId}>
          <ProjectName id={projectId} />, {quantityText(quantity)} by {dayText(requiredBy)}
        </li>
      ))}
      {others > 0 && <li>and {countText(others, 'more project')}</li>}
    </ul>
  );
}

function ProjectName({ id }: { id: string }) {
  const { data } = useQuery(ask('getEntity', { id }));
  const name = data === undefined ? '…' : `${data.number ?? ''} ${data.name}`.trim();
  return <Link href={paths.entity(id)}>{name}</Link>;
}

/** Says that actions take back what was ordered for projects that an earlier run planned, and this one does not. */
export function UnplannedProjects({
  run,
  actions,
}: {
  run: PlanningRun;
  actions: readonly PlanningAction[];
}) {
  const takesBack = actions.some(({ action }) => action === 'cancel' || action === 'decrease');
  const runs = useQuery({
    ...ask('listPlanningRuns', { query: { limit: LOOKED_AT_MAX } }),
    enabled: takesBack,
  });
  const named = new Set(run.projects.map(({ projectId }) => projectId));
  const earlier = (runs.data?.items ?? []).filter(
    ({ status, isWhatIf, createdAt }) => status === 'completed' && !isWhatIf && createdAt < run.createdAt,
  );
  const missing = new Set(
    earlier
      .flatMap(({ projects }) => projects.map(({ projectId }) => projectId))
      .filter((id) => !named.has(id)),
  );
  if (!takesBack || missing.size === 0) return null;
  const others = missing.size - SHOWN_MAX;
  return (
    <div className={styles.apart} role="note">
      <p>
        An earlier run planned these projects whole, and this one does not. It proposes to cancel what was
        ordered for them, unless requirements ask for it:
      </p>
      <ul className={styles.projects}>
        {[...missing].slice(0, SHOWN_MAX).map((id) => (
          <li key={id}>
            <ProjectName id={id} />
          </li>
        ))}
        {others > 0 && <li>and {countText(others, 'more project')}</li>}
      </ul>
    </div>
  );
}
