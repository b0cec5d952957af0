/** What a page is for, in a few sentences, and the keys that it understands. */
import { Modal } from '@mantine/core';
import { useReturnFocus } from '../components/use-return-focus.ts';
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
      'What was sent, what failed, what is overdue. “Needs somebody” is empty on a good day; each line of it leads to where it is mended.',
    ],
  },
  Entities: {
    says: [
      'Everything with a number: parts, assemblies, locations, projects, orders. The category decides what an entity plays and which lifecycle it has.',
      'A released revision never changes: what is edited then opens the next revision. “Uses” is the structure below, “Where used” the one above; “Demand” says what still comes and goes.',
      'A filtered list can be kept as a view, exported as it stands, and acted on as a whole: the number is shown first.',
    ],
  },
  Stock: {
    says: [
      'On hand is what lies there, reserved is promised, available is the difference. Every movement is an entry of the ledger that nobody can change: a mistake is corrected by another entry.',
      'In a count an empty field means not counted, and leaves the position alone; where stock moved meanwhile you are asked which figure holds.',
    ],
  },
  Procurement: {
    says: [
      'A project is short of what its structure takes beyond what is reserved for it, available and on order. From there a requirement is raised, reserved for and ordered.',
      'An order is received line by line, or in part; what is open stays on order until it comes, or the line is closed.',
    ],
  },
  Batches: {
    says: [
      'A batch is what a connector or a file sent. Elements with errors are left out, the others are written; “What went wrong” groups them by cause and says what can be done here.',
      'A part whose assembly is not there waits for it: “Links that wait” shows what waits, and it is taken back where the assembly never comes.',
      'When the cause is mended, those elements are sent again as a batch of their own. A dry run writes nothing until it is committed.',
    ],
  },
  Import: {
    says: [
      'A list (CSV, TSV, XLSX), a STEP file, a KiCad netlist, an export of SOLIDWORKS PDM or a sync payload becomes a dry run first: what would be created and changed, field by field, and what was not understood. Then it is committed, or not.',
    ],
  },
  Automations: {
    says: [
      'A script that runs when something happens. A test run writes nothing and shows what it would change; a saved script becomes a version, and every run names the one that it ran.',
      'What failed can be run again for the same event, one by one or all that nobody has retried.',
    ],
  },
  Settings: {
    says: [
      'Categories, properties and lifecycles describe what entities are. Every person and every connector gets an API key of their own, so that the ledger and the audit name who did what.',
      'Webhooks tell others what happened, signed; the deliveries of each show what was answered.',
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
          <h3>Keys</h3>
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
          Programs do all of this by the interface:{' '}
          <a href="/docs" target="_blank" rel="noreferrer">
            its reference
          </a>
          .
        </p>
      </div>
    </Modal>
  );
}
