/** The configuration that pages of entities need again and again: short lists, kept for a minute. */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { askAll } from '../client/ask.ts';
import type { Category, Lifecycle, PropertyDefinition } from '../client/operations.ts';

const none: readonly never[] = [];

export function useCategories(): readonly Category[] {
  return useAskedCategories().data ?? none;
}

/** Where it is said that there is none of some kind: it may be that nobody could ask. */
export function useAskedCategories() {
  return useQuery(askAll('listCategories', {}));
}

export function useAskedPropertyDefinitions() {
  return useQuery(askAll('listPropertyDefinitions', {}));
}

export function useLifecycles(): readonly Lifecycle[] {
  return useQuery(askAll('listLifecycles', {})).data ?? none;
}

export function usePropertyDefinitions(): readonly PropertyDefinition[] {
  return useAskedPropertyDefinitions().data ?? none;
}

/** The states that entities of such categories can be in, as their lifecycles have them, each once. */
export function useStatesOf(behaviours: readonly Category['behaviour'][]): readonly string[] {
  const categories = useCategories().filter(({ behaviour }) => behaviours.includes(behaviour));
  const keys = new Set(categories.map(({ lifecycle }) => lifecycle));
  const lifecycles = useLifecycles().filter(({ key }) => keys.has(key));
  return [...new Set(lifecycles.flatMap(({ states }) => states.map(({ name }) => name)))];
}

/** The same for what cannot go on before they are there. */
export function useReadPropertyDefinitions(): () => Promise<readonly PropertyDefinition[]> {
  const client = useQueryClient();
  return () => client.ensureQueryData(askAll('listPropertyDefinitions', {}));
}

export function useReadCategories(): () => Promise<readonly Category[]> {
  const client = useQueryClient();
  return () => client.ensureQueryData(askAll('listCategories', {}));
}

/** The lifecycle that entities of a category go through. */
export function useLifecycleOf(categoryKey: string): Lifecycle | undefined {
  const category = useCategories().find(({ key }) => key === categoryKey);
  return useLifecycles().find(({ key }) => key === category?.lifecycle);
}

export function isItem(category: Pick<Category, 'role'> | undefined): boolean {
  return category?.role === 'item' || category?.role === 'itemAndLocation';
}

export function isLocation(category: Pick<Category, 'role'> | undefined): boolean {
  return category?.role === 'location' || category?.role === 'itemAndLocation';
}
