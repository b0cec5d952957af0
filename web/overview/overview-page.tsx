/** What happened and what needs somebody. */
import { PageFrame } from '../components/page-frame.tsx';

export function OverviewPage() {
  return <PageFrame title="Overview">{null}</PageFrame>;
}
