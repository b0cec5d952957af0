/** What the style checks let pass, each with its reason. An entry that is no longer needed fails the check. */

export const LINES_MAX = 300;
/** A test reads from the top down and is looked up by its sentences: it may be longer. */
export const TEST_LINES_MAX = 600;
/** A folder with more files wants floors: nobody finds a name among fifty. */
export const FILES_MAX = 40;

/** Folders that hold more files than that. */
export const crowdedFolders: Readonly<Record<string, string>> = {
  migrations:
    'They are read in the order of their names and never change; the migrator wants them side by side.',
};

/** Files that are longer than that. */
export const longFiles: Readonly<Record<string, string>> = {
  'src/config.ts': 'Every limit of the service and every setting, each with what it is for.',
  'src/sync/structure/plan-structure.ts':
    'All that is decided on the links of a batch: each decision reads what the ones before it marked.',
  'src/automation/sandbox/evaluate-script.ts': 'One run of a script, from its first limit to its last.',
  'src/automation/conductor/api.d.ts': 'All that a script has, in one text that editors load.',
  'test/http/document/walk.ts': 'One walk over all operations of the interface.',
};

/** Tests that let time pass, and why nothing can be waited for instead. */
export const timedTests: Readonly<Record<string, string>> = {
  'test/http/serve.test.ts': 'A slow handler, and proof that nothing is logged after a client has gone.',
  'test/stock/lists.test.ts': 'Entries of different milliseconds, to ask for the time between them.',
  'test/stock/races.deep.test.ts': 'Repeats a call until the server has noticed a death.',
};

/** Tests with an upper bound on a time: each says why it is no assertion of how fast the machine is. */
export const timeBounds: Readonly<Record<string, string>> = {};

/** Folders of `test` that mirror none of `src`. */
export const unmirrored: Readonly<Record<string, string>> = {
  'test/architecture/': 'Rules for all sources.',
  'test/clients/': 'Tests of the clients, which lie in `clients`.',
  'test/plans/': 'Plans of the statements of all capabilities.',
  'test/setup/': 'What the tests share.',
  'test/web/': 'Tests of the pages, which lie in `web`.',
};

/** Files that read something without its type. */
export const untyped: Readonly<Record<string, string>> = {
  'src/http/route.ts': 'The types of a handler are checked where its route is declared.',
  'src/workspaces/demo-calls.ts': 'Answers of the own interface.',
  'test/setup/generate-input.ts': 'A JSON schema is read member by member.',
  'test/setup/server.ts': 'The body of an answer: a test says in its expectations what it holds.',
};

/** Statements of several lines that stand outside `.sql.ts`: file to reason. */
export const sqlElsewhere: Readonly<Record<string, string>> = {
  'src/entities/links/lock-structure.ts': 'The lock and its count, three lines each.',
  'src/automation/built-in/resolve-ref.ts': 'One statement that is the file.',
  'src/entities/resolve-entity.ts': 'One statement that is the file.',
  'src/entities/lists/search-entities.ts': 'A statement that is put together from filters.',
};

/** Files that read the environment: configuration is read in one place. */
export const environmentReaders: Readonly<Record<string, string>> = {
  'src/process/begin-program.ts': 'Hands the environment to config.ts, for every program.',
  'src/main.ts': 'Says where Node keeps what it has compiled.',
  'src/process/launcher.ts':
    'Replaces the process with the environment that it needs, before anything is configured.',
  'src/embedded/': 'PATH and the proxies for child processes.',
};

/** What modules remember by themselves, and why that is not in a context: file and name. */
export const moduleStateAllowed: Readonly<Record<string, string>> = {
  'src/units/unit.ts known': 'Names of units, of which each has one meaning in every process.',
  'src/db/wire/copy-out.ts spare': 'Room for bytes, which nobody reads in it before they are written.',
  'src/access/caller-lookups.ts lookups': 'By the way to the database, which cannot know of it.',
  'src/access/key-text.ts last': 'The hash of the text that was hashed last: the same whoever asks.',
  'src/automation/sandbox/open-instance.ts compiled': 'The engine, compiled once a thread: a constant.',
  'src/automation/sandbox/open-instance.ts images': 'Its start, by the methods it is given: constants too.',
  'src/stock/movements/record-requests.ts writers': 'By pool of connections, and gone with it.',
  'src/configuration/current/configuration-cache.ts caches':
    'By the way to the database, which cannot know of it.',
  'src/configuration/current/configuration-for-writing.ts read': 'By transaction, and gone with it.',
  'src/configuration/current/mark-properties-used.ts marked': 'By parsed configuration, and gone with it.',
  'src/configuration/current/mark-properties-used.ts markedBy': 'By transaction, and gone with it.',
  'src/configuration/properties/property-pattern.ts compiled':
    'Compiled patterns by their text, which are the same for everybody; bounded.',
  'src/sync/chunk/bounded-work.ts linksMaxOf': 'By the way to the database, which cannot know of it.',
  'src/sync/elements/near-misses.ts remembered':
    'What a name is like follows from it alone: a bounded cache.',
  'src/sync/elements/refuse-element.ts proposals': 'By the configuration that they are of, and gone with it.',
  'src/sync/elements/sent-element.ts bases': 'By the configuration that they are of, which goes with it.',
  'src/sync/plan/complete-values.ts known': 'By the configuration that they are of, which goes with it.',
  'src/db/ids.ts lastMs': 'Ids of a process increase, whoever in it makes them.',
  'src/db/ids.ts pool': 'Random bytes, each given once.',
  'src/db/ids.ts sequence': 'Ids of a process increase, whoever in it makes them.',
  'src/db/ids.ts used': 'Random bytes, each given once.',
  'src/db/wire/statement.ts names': 'Names of statements follow from their texts: constants.',
  'src/db/wire/statement-burst.ts open': 'By connection, and gone with it.',
  'src/db/wire/statement-burst.ts skipped': 'By connection, and gone with it.',
  'src/db/transaction-mark.ts marks': 'By the chain of calls within a transaction.',
  'src/db/ids.ts beginning': 'What the ids of a millisecond begin with, whoever makes them.',
  'src/db/ids.ts digits': 'Random bytes as text, each given once.',
  'src/db/acting.ts actors': 'By transaction, and gone with it.',
  'src/events/cause.ts causes': 'By transaction, and gone with it.',
  'src/stock/events/gather-changes.ts gathered': 'By transaction, and gone with it.',
  'src/http/bodies/validate-body.ts shells': 'By schema, and what follows from it alone.',
  'src/fairness/slices.ts turns': 'The line for a loop, of which a thread has one.',
  'src/fairness/stand-back.ts never': 'What a thread sleeps on; nothing is ever written to it.',
  'src/log.ts during': 'By the chain of calls within a request.',
  'src/log.ts fields': 'By the chain of calls within a job.',
  'src/telemetry/tracing.ts installed':
    'Who traces in this process or thread: said once at its start, and read at every span.',
  'src/stock/entries/ledger-entry.ts pool': 'Random bytes, each given once.',
  'src/stock/entries/ledger-entry.ts used': 'Random bytes, each given once.',
  'src/stock/entries/show-stock.ts moment':
    'The last time that was written as text; any other gives its own.',
  'src/webhooks/public-address.ts global6': 'A table, filled where it is declared.',
  'src/webhooks/public-address.ts refused': 'A table, filled where it is declared.',
  'src/fairness/name-shown.ts last': 'As above, for the guards.',
  'src/http/read-only.ts shownFields': 'By schema, as route files declare it: constants.',
};
