/** The sections: a rail beside the page, on phones a bar below it. */
import { Menu } from '@mantine/core';
import { allows, useSession } from '../client/session.ts';
import { Icon } from '../components/icons.tsx';
import { useAddress } from '../navigation/address.ts';
import { Link, useGo } from '../navigation/link.tsx';
import styles from './rail.module.css';
import { isWithin, sections } from './sections.ts';

const IN_BOTTOM_BAR = 4;

function useSections() {
  const session = useSession();
  const isMember = session.actor.type === 'member';
  return sections.filter(
    ({ area, forMembers = false }) => allows(session, area) && (isMember || !forMembers),
  );
}

export function Rail() {
  const { pathname } = useAddress();
  return (
    <nav className={`${styles.rail} no-print`} aria-label="Sections">
      {useSections().map((section) => (
        <Link
          key={section.label}
          href={section.href()}
          title={section.label}
          aria-current={isWithin(section, pathname) ? 'page' : undefined}
        >
          <Icon name={section.icon} />
          <span>{section.label}</span>
        </Link>
      ))}
    </nav>
  );
}

export function BottomBar() {
  const { pathname } = useAddress();
  const go = useGo();
  const all = useSections();
  const rest = all.slice(IN_BOTTOM_BAR);
  return (
    <nav className={`${styles.bottom} no-print`} aria-label="Sections">
      {all.slice(0, IN_BOTTOM_BAR).map((section) => (
        <Link
          key={section.label}
          href={section.href()}
          aria-current={isWithin(section, pathname) ? 'page' : undefined}
        >
          <Icon name={section.icon} size={20} />
          <span>{section.label}</span>
        </Link>
      ))}
      <Menu position="top-end">
        <Menu.Target>
          <button
            type="button"
            aria-current={rest.some((section) => isWithin(section, pathname)) ? 'true' : undefined}
          >
            <Icon name="more" size={20} />
            <span>More</span>
          </button>
        </Menu.Target>
        <Menu.Dropdown>
          {rest.map((section) => (
            <Menu.Item
              key={section.label}
              leftSection={<Icon name={section.icon} />}
              onClick={() => go(section.href())}
            >
              {section.label}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
    </nav>
  );
}
