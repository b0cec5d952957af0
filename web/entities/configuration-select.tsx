/** The choice of which revisions of a structure are shown. It is kept in the address. */
import { NativeSelect } from '@mantine/core';
import type { ShortageRequirements } from '../client/operations.ts';
import { useAddress } from '../navigation/address.ts';

export type Configuration = NonNullable<ShortageRequirements['configuration']>;

/** Without the current revisions, which are shown where nothing is chosen. */
const CONFIGURATION_OPTIONS = [
  { value: 'asReleased', label: 'As released' },
  { value: 'latestReleased', label: 'Newest released revisions' },
] as const;

export function useConfiguration(): Configuration {
  const chosen = useAddress().get('configuration');
  return CONFIGURATION_OPTIONS.find(({ value }) => value === chosen)?.value ?? 'current';
}

export function ConfigurationSelect() {
  const address = useAddress();
  const configuration = useConfiguration();
  return (
    <NativeSelect
      size="xs"
      aria-label="Revisions of the parts"
      value={configuration}
      data={[{ value: 'current', label: 'Current revisions' }, ...CONFIGURATION_OPTIONS]}
      onChange={(event) => {
        const { value } = event.currentTarget;
        address.set({ configuration: value === 'current' ? undefined : value });
      }}
    />
  );
}
