/** A filter by the values of properties: each condition is a chip, and `where=` in the address. */
import { lazy, Suspense } from 'react';
import type { Filter } from '../../components/lists/filter-bar.tsx';

const ConditionField = lazy(async () => ({
  default: (await import('./condition-field.tsx')).ConditionField,
}));

const ConditionName = lazy(async () => ({ default: (await import('./condition-name.tsx')).ConditionName }));

export const conditionFilter: Filter = {
  key: 'where',
  label: 'Property',
  field: () => (
    <Suspense key="where">
      <ConditionField />
    </Suspense>
  ),
  name: (text) => (
    <Suspense fallback={text}>
      <ConditionName text={text} />
    </Suspense>
  ),
};
