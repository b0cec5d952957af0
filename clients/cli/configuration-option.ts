/** The option that chooses which revisions of a structure are shown. */
import { Option } from 'commander';

const configurations = ['current', 'asReleased', 'latestReleased'] as const;

export type ConfigurationFlags = { configuration: (typeof configurations)[number] };

export function configurationOption(): Option {
  return new Option(
    '--configuration <which>',
    'the current revisions, those with which the parts were released, or the newest released ones',
  )
    .choices(configurations)
    .default('current');
}
