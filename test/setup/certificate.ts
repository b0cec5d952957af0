/** A certificate for this machine, made by an authority that nobody knows yet, as those of a house's own network are. */
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { promisify } from 'node:util';
import { findDebianProgram } from './debian-program.ts';

const run = promisify(execFile);

export interface HouseCertificate {
  /** Paths of files. */
  authority: string;
  certificate: string;
  key: string;
  /** This process trusts the authority until it is called again, as with NODE_EXTRA_CA_CERTS from its start. */
  trust(): Promise<() => void>;
  remove(): Promise<void>;
}

/** For `127.0.0.1`. Throws where no OpenSSL can be had. */
export async function makeHouseCertificate(): Promise<HouseCertificate> {
  const problems: string[] = [];
  const wanted = {
    package: 'openssl',
    name: 'openssl',
    versionArgument: 'version',
    versionMin: [3, 0],
  } as const;
  const command = await findDebianProgram(wanted, '.cache', (why) => problems.push(why));
  if (command === null) throw new Error(`There is no OpenSSL: ${problems.join('; ')}`);
  const [program, ...first] = command;
  const folder = await mkdtemp(join(tmpdir(), 'partbook-certificate-'));
  const openssl = (...args: string[]) => run(program, [...first, ...args], { cwd: folder });
  const newKey = ['-newkey', 'rsa:2048', '-nodes', '-config', '/dev/null'];
  await openssl(
    ...['req', '-x509', ...newKey, '-keyout', 'authority.key', '-out', 'authority.pem', '-days', '2'],
    ...['-subj', '/CN=House authority', '-addext', 'basicConstraints=critical,CA:TRUE'],
  );
  await openssl(
    ...['req', '-x509', ...newKey, '-keyout', 'server.key', '-out', 'server.pem', '-days', '2'],
    ...['-CA', 'authority.pem', '-CAkey', 'authority.key', '-subj', '/CN=queue'],
    ...['-addext', 'subjectAltName=IP:127.0.0.1', '-addext', 'basicConstraints=critical,CA:FALSE'],
  );
  const authority = join(folder, 'authority.pem');
  return {
    authority,
    certificate: join(folder, 'server.pem'),
    key: join(folder, 'server.key'),
    trust: async () => {
      const before = getCACertificates('default');
      setDefaultCACertificates([...before, await readFile(authority, 'utf8')]);
      return () => setDefaultCACertificates(before);
    },
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}
