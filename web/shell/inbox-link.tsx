/** The way to the inbox, with the number of unread lines, which the live stream keeps up to date. */
import { useQuery } from '@tanstack/react-query';
import { ask } from '../client/ask.ts';
import { useSession } from '../client/session.ts';
import { Icon } from '../components/icons.tsx';
import { Link } from '../navigation/link.tsx';
import { paths } from '../navigation/paths.ts';
import styles from './top-bar.module.css';

export function InboxLink() {
  const isMember = useSession().actor.type === 'member';
  const { data } = useQuery({ ...ask('countUnread', {}), enabled: isMember });
  if (!isMember) return null;
  const unread = data?.unread ?? 0;
  const shown = data?.isAtLeast ? `${unread}+` : String(unread);
  return (
    <Link
      href={paths.inbox()}
      className={styles.button}
      aria-label={unread === 0 ? 'Inbox' : `Inbox: ${shown} unread`}
      title="Inbox"
    >
      <Icon name="inbox" />
      {unread > 0 && <span className={styles.unread}>{shown}</span>}
    </Link>
  );
}
