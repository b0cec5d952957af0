/** The top bar: workspace, search, help and the signed-in key. */
import { Menu, useMantineColorScheme } from '@mantine/core';
import { nameOfAreas, presetOf } from '../client/areas.ts';
import { allows, useSession } from '../client/session.ts';
import { Icon } from '../components/icons.tsx';
import { Link, useGo } from '../navigation/link.tsx';
import { paths } from '../navigation/paths.ts';
import { InboxLink } from './inbox-link.tsx';
import { Mark } from './mark.tsx';
import { knownWorkspaces, signOut } from './sessions.ts';
import styles from './top-bar.module.css';

export function TopBar({ onPalette, onHelp }: { onPalette: () => void; onHelp: () => void }) {
  const session = useSession();
  const others = knownWorkspaces().filter(({ slug }) => slug !== session.workspace.slug);
  return (
    <header className={`${styles.bar} no-print`}>
      <Link
        href={paths.overview()}
        className={styles.home}
        aria-label={`${session.workspace.name}: overview`}
      >
        <Mark />
        <span className={styles.workspace}>{session.workspace.name}</span>
      </Link>
      {others.length > 0 && (
        <Menu position="bottom-start">
          <Menu.Target>
            <button type="button" className={styles.button} aria-label="Other workspaces">
              <Icon name="down" size={12} />
            </button>
          </Menu.Target>
          <Menu.Dropdown>
            {others.map(({ slug, name }) => (
              <Menu.Item key={slug} component="a" href={paths.workspace(slug)}>
                {name} <span className="muted">{slug}</span>
              </Menu.Item>
            ))}
            <Menu.Item component="a" href={paths.signIn()}>
              Another workspace…
            </Menu.Item>
          </Menu.Dropdown>
        </Menu>
      )}
      <button type="button" className={styles.search} onClick={onPalette} aria-keyshortcuts="Control+K">
        <Icon name="search" size={14} />
        <span>Find an item or a page</span>
        <kbd>Ctrl K</kbd>
      </button>
      <button
        type="button"
        className={styles.button}
        onClick={onHelp}
        aria-label="Help"
        title="Help and keyboard shortcuts (?)"
        aria-keyshortcuts="?"
      >
        <span aria-hidden="true">?</span>
      </button>
      <InboxLink />
      <KeyMenu />
    </header>
  );
}

function KeyMenu() {
  const session = useSession();
  const go = useGo();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const schemes = [
    ['light', 'Light'],
    ['dark', 'Dark'],
    ['auto', 'System'],
  ] as const;
  const leave = async () => {
    window.location.assign((await signOut(session)) ?? paths.signIn());
  };
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <button type="button" className={styles.button}>
          <span className="visually-hidden">Signed in as </span>
          <span className={styles.keyName}>{session.keyName}</span>
          <span className={styles.permission} title={nameOfAreas(session.areas)}>
            {presetOf(session.areas) ?? `${session.areas.length - 1} areas`}
          </span>
          <Icon name="down" size={12} />
        </button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>Appearance</Menu.Label>
        {schemes.map(([scheme, label]) => (
          <Menu.Item
            key={scheme}
            onClick={() => setColorScheme(scheme)}
            rightSection={scheme === colorScheme ? <Icon name="check" size={14} /> : null}
          >
            {label}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item onClick={() => go(paths.me())}>Me: sign-in, sessions, keys</Menu.Item>
        <Menu.Item component="a" href="/docs" target="_blank">
          API reference
        </Menu.Item>
        {allows(session, 'admin') && (
          <Menu.Item component="a" href="/admin" target="_blank">
            Operator console
          </Menu.Item>
        )}
        <Menu.Item component="a" href={paths.signIn()}>
          Sign in to another workspace
        </Menu.Item>
        <Menu.Item onClick={() => void leave()} leftSection={<Icon name="out" size={14} />}>
          Sign out
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
