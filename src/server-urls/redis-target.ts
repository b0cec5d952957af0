/** The URL of a Redis: one server, a group that sentinels watch, or a cluster. `URL` cannot read several hosts. */

export interface RedisNode {
  host: string;
  port: number;
}

/** Address and protocol of a Redis. */
export interface RedisTarget {
  kind: 'single' | 'sentinel' | 'cluster';
  /** The server; the sentinels; nodes of the cluster, which know the others. */
  nodes: RedisNode[];
  /** The name under which sentinels know the master. */
  group: string | null;
  username: string | null;
  password: string | null;
  /** Password of the sentinels, if they have one. */
  sentinelPassword: string | null;
  database: number;
  tls: boolean;
}

const REDIS_PORT = 6379;
const SENTINEL_PORT = 26_379;

/**
 * `redis://…`, `redis+sentinel://login:password@host1:26379,host2:26379/group/0?sentinelPassword=…` and
 * `redis+cluster://login:password@host1:6379,host2:6379`; each as `rediss` too, which speaks TLS. Throws a sentence.
 */
export function redisTarget(url: string): RedisTarget {
  const parts = /^redis(s?)(?:\+(sentinel|cluster))?:\/\/(?:([^@/?#]*)@)?([^/?#]*)([^?#]*)(\?[^#]*)?$/.exec(
    url,
  );
  if (parts === null) throw new Error('is no redis://, redis+sentinel:// or redis+cluster:// URL');
  const [, secure = '', form, login = '', hosts = '', path = '', query = ''] = parts;
  const kind = (form ?? 'single') as RedisTarget['kind'];
  const nodes = hosts
    .split(',')
    .map((host) => nodeOf(host, kind === 'sentinel' ? SENTINEL_PORT : REDIS_PORT));
  if (kind === 'single' && nodes.length > 1)
    throw new Error('names several hosts: say redis+sentinel:// or redis+cluster://');
  const [username, password] = loginOf(login);
  const places = path.split('/').slice(1).map(decodeURIComponent);
  const group = kind === 'sentinel' ? (places.shift() ?? '') : null;
  if (group === '') throw new Error('lacks the name of the master that the sentinels watch: …/NAME');
  const [database = ''] = places;
  if (!/^\d{0,5}$/.test(database) || (kind === 'cluster' && Number(database) > 0))
    throw new Error(`"${database}" is no database of it`);
  return {
    kind,
    nodes,
    group,
    username,
    password,
    sentinelPassword: new URLSearchParams(query).get('sentinelPassword'),
    database: Number(database),
    tls: secure === 's',
  };
}

function loginOf(text: string): [string | null, string | null] {
  const at = text.indexOf(':');
  const [name, password] = at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)];
  const decoded = (part: string) => (part === '' ? null : decodeURIComponent(part));
  return [decoded(name), decoded(password)];
}

function nodeOf(text: string, usualPort: number): RedisNode {
  const probe = `http://${text}`;
  if (text === '' || !URL.canParse(probe)) throw new Error(`"${text}" is no host`);
  const { hostname } = new URL(probe);
  const port = /:(\d+)$/.exec(text)?.[1];
  return { host: hostname.replace(/^\[(.+)\]$/, '$1'), port: port === undefined ? usualPort : Number(port) };
}
