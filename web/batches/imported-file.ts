/** The file of a dry run and what was chosen for it, kept in memory while the tab lives, so that the import page can show it again. */
import type { QueryClient } from '@tanstack/react-query';

const key = (batchId: string) => ['importedFile', batchId] as const;

/** `step` is what the import page needs; it is read as the same type. */
export function keepImportedFile<Step extends object>(
  client: QueryClient,
  batchId: string,
  step: Step,
): void {
  client.setQueryDefaults(['importedFile'], { gcTime: Number.POSITIVE_INFINITY });
  // One file at a time: it may be large.
  client.removeQueries({ queryKey: ['importedFile'] });
  client.setQueryData(key(batchId), step);
}

export function importedFileOf<Step extends object>(client: QueryClient, batchId: string): Step | undefined {
  return client.getQueryData<Step>(key(batchId));
}
