/** An address that leads nowhere. */
import { currentSlug } from '../client/workspace.ts';
import { EmptyState, useWindowTitle } from '../components/page-frame.tsx';
import { Link } from '../navigation/link.tsx';
import { paths } from '../navigation/paths.ts';

export function NotFound() {
  useWindowTitle('Not found');
  const home = currentSlug() === '' ? paths.signIn() : paths.overview();
  return (
    <EmptyState title="There is no page at this address" action={<Link href={home}>To the overview</Link>}>
      The link may be mistyped, or what it led to is gone.
    </EmptyState>
  );
}
