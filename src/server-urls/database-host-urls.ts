/** The URL of a PostgreSQL that may have several hosts: the form that `psql` knows and `URL` cannot read. */

/** Each host of `postgres://login:password@host1:5432,host2:5432/name` by a URL of its own; throws a sentence. */
export function databaseHostUrls(url: string): string[] {
  const parts = /^(postgres(?:ql)?:\/\/)([^@/?#]*@)?([^/?#]*)([^#]*)$/.exec(url);
  if (parts === null) throw new Error('is no postgres:// URL');
  const [, scheme = '', login = '', hosts = '', rest = ''] = parts;
  const urls = hosts.split(',').map((host) => {
    const one = `${scheme}${login}${host}${rest}`;
    if (host === '' || !URL.canParse(one)) throw new Error(`"${host}" is no host`);
    return new URL(one);
  });
  for (const one of urls) {
    const wanted = one.searchParams.get('target_session_attrs') ?? 'read-write';
    if (!['read-write', 'primary'].includes(wanted))
      throw new Error(`target_session_attrs=${wanted} is not for a service that writes`);
    one.searchParams.delete('target_session_attrs');
  }
  return urls.map((one) => one.href);
}
