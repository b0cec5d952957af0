/** Within a dialog: somebody else saved the same thing since it was opened. */
import { ChangedMeanwhile } from '../entities/changed-meanwhile.tsx';
import type { Draft } from './use-draft.ts';

export function Meanwhile({
  draft: { meanwhile, takeOver },
  action,
}: {
  draft: Pick<Draft<object>, 'meanwhile' | 'takeOver'>;
  action: { reset: () => void };
}) {
  if (meanwhile === null) return null;
  const goOn = () => {
    takeOver();
    action.reset();
  };
  return <ChangedMeanwhile changes={meanwhile} onKeep={goOn} />;
}
