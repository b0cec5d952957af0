/** An address that leads nowhere. */
import { currentSlug } from '../client/workspace.ts';
import { PageFrame } from '../components/page-frame.tsx';
import { Link } from '../navigation/link.tsx';
import { paths } from '../navigation/paths.ts';

export function NotFound() {
  const home = currentSlug() === '' ? paths.signIn() : paths.overview();
  return (
    <PageFrame title="There is no page at this address">
      <p>The link may be mistyped, or what it led to is gone.</p>
      <p>
        <Link href={home}>{currentSlug() === '' ? 'Sign in' : 'To the overview'}</Link>
      </p>
    </PageFrame>
  );
}
