/** Help: what the section is for, in a few sentences, and the keyboard shortcuts. */
import { Modal } from '@mantine/core';
import { useReturnFocus } from '../components/dialogs/use-return-focus.ts';
import { useAddress } from '../navigation/address.ts';
import styles from './help-dialog.module.css';
import { isWithin, sections } from './sections.ts';
import { shortcutTexts } from './shortcuts.ts';

interface Topic {
  says: readonly string[];
}

const topics: Readonly<Record<string, Topic>> = {
  Overview: {
    says: [
      'Imports, failures and overdue work. “Needs attention” is empty on a good day; each line links to the place where you can fix it.',
    ],
  },
  Items: {
    says: [
      'Everything with a number: parts, assemblies, locations, projects, orders. The category decides what an item is used as and which lifecycle it follows.',
      'A released revision never changes: an edit opens the next revision. “Structure (BOM)” shows the level below, “Where used” the level above, and “Demand” what is expected to arrive and leave.',
      'You can save a filtered list as a view, export it, and act on all its items: the number is shown first.',
    ],
  },
  Stock: {
    says: [
      'On hand is the quantity at a location, reserved is promised, and available is the difference. Every movement is a ledger entry that nobody can change: a mistake is corrected by another entry.',
      'In a count, an empty field means not counted and leaves the position alone. If stock moved meanwhile, you are asked which quantity is right.',
    ],
  },
  Procurement: {
    says: [
      'A project is short of what its structure needs beyond the quantities reserved for it, available and on order. From there you create requirements, reserve and order.',
      'An order is received in full, line by line or in part. Open quantities stay on order until they arrive or the line is closed.',
    ],
  },
  Imports: {
    says: [
      'An import is the data that a connector or a file sent. Items with errors are rejected, the others are written. “Problems” groups them by cause and offers a fix where there is one.',
      'An item whose parent is missing waits for it under “Pending links”. Delete the pending link if the parent never comes.',
      'After you fixed the cause, retry the rejected items: they become a new import. A dry run writes nothing until it is committed.',
    ],
  },
  'Import a file': {
    says: [
      'A list (CSV, TSV, XLSX), a STEP file, a KiCad netlist, a SOLIDWORKS PDM export or a sync payload becomes a dry run first: it shows what would be created and changed, field by field, and what was not recognized. Then you commit it, or not.',
    ],
  },
  Automations: {
    says: [
      'An automation is a script that runs on an event. A test run changes nothing and shows what it would change. Each saved script is a version, and every run names its version.',
      'Failed runs can be retried for the same event, one by one or all together.',
    ],
  },
  Settings: {
    says: [
      'Categories, properties and lifecycles describe the items. Every person and every connector gets an API key of their own, so that ledger and audit name who did what.',
      'Webhooks send signed messages about events to other systems; the deliveries show each response.',
    ],
  },
};

export function HelpDialog({ onClose }: { onClose: () => void }) {
  const { pathname } = useAddress();
  useReturnFocus();
  const section = sections.find((one) => isWithin(one, pathname));
  const topic = section === undefined ? undefined : topics[section.label];
  return (
    <Modal opened onClose={onClose} title="Help" size="lg">
      <div className={styles.help}>
        {section !== undefined && topic !== undefined && (
          <section>
            <h3>{section.label}</h3>
            {topic.says.map((text) => (
              <p key={text}>{text}</p>
            ))}
          </section>
        )}
        <section>
          <h3>Keyboard shortcuts</h3>
          <dl className={styles.keys}>
            {shortcutTexts.map(([keys, does]) => (
              <div key={keys}>
                <dt>
                  <kbd>{keys}</kbd>
                </dt>
                <dd>{does}</dd>
              </div>
            ))}
          </dl>
        </section>
        <p className="muted">
          Everything here is also in the API:{' '}
          <a href="/docs" target="_blank" rel="noreferrer">
            API reference
          </a>
          .
        </p>
      </div>
    </Modal>
  );
}
